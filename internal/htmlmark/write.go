package htmlmark

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/hibana-sns/hibana/internal/words"
)

// writer makes Markdown of nodes, until it has as much text as it may have.
type writer struct {
	o    Options
	left int // characters
	cut  bool
	// glued says that the last that was written is a hashtag or a mention, which a letter would continue.
	glued bool
}

// take returns the beginning of a text that there is room for.
func (w *writer) take(s string) string {
	n := utf8.RuneCountInString(s)
	if n > w.left {
		if strings.TrimSpace(s) != "" {
			w.cut = true
		}
		s = words.Cut(s, w.left)
		w.left = 0
		return s
	}
	w.left -= n
	return s
}

// full reports whether there is no room for more.
func (w *writer) full() bool {
	return w.left <= 0
}

// blocks are nodes as blocks with empty lines between them. Texts and inline elements in a row are one paragraph.
func (w *writer) blocks(kids []*node) string {
	var all []string
	add := func(s string) {
		if s = strings.Trim(s, "\n"); s != "" {
			all = append(all, s)
		}
	}
	for i := 0; i < len(kids); {
		if !block(kids[i].tag) && !holdsBlocks(kids[i]) {
			from := i
			for i < len(kids) && !block(kids[i].tag) && !holdsBlocks(kids[i]) {
				i++
			}
			add(paragraph(w.inline(kids[from:i], false)))
			continue
		}
		add(w.block(kids[i]))
		i++
	}
	return strings.Join(all, "\n\n")
}

// holdsBlocks reports whether an inline element has blocks in it, as browsers allow.
func holdsBlocks(n *node) bool {
	if n.tag == 0 || n.tag == atom.A || n.tag == atom.Code {
		return false
	}
	for _, k := range n.kids {
		if block(k.tag) || holdsBlocks(k) {
			return true
		}
	}
	return false
}

func (w *writer) block(n *node) string {
	if w.full() {
		w.cut = w.cut || strings.TrimSpace(n.text(true)) != ""
		return ""
	}
	switch n.tag {
	case atom.P, atom.Div, atom.Section:
		if w.o.WithoutQuote && n.is("quote-inline") {
			return ""
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if text := oneLine(w.inline(n.kids, false)); text != "" {
			return strings.Repeat("#", int(n.tag.String()[1]-'0')) + " " + text
		}
		return ""
	case atom.Hr:
		return "---"
	case atom.Pre:
		return w.code(n)
	case atom.Blockquote:
		return prefixed(w.blocks(n.kids), "> ", "> ")
	case atom.Ul, atom.Ol:
		return w.list(n)
	case atom.Tr:
		var cells []string
		for _, k := range n.kids {
			if k.tag == atom.Td || k.tag == atom.Th {
				cells = append(cells, oneLine(w.inline(k.kids, false)))
			}
		}
		return paragraph(strings.Join(cells, ` \| `))
	}
	return w.blocks(n.kids)
}

func (w *writer) list(n *node) string {
	var items []string
	number := 0
	for _, k := range n.kids {
		if k.tag == 0 && strings.TrimSpace(k.data) == "" {
			continue
		}
		text := ""
		if k.tag == atom.Li {
			text = w.blocks(k.kids)
		} else {
			text = w.blocks([]*node{k})
		}
		if text == "" {
			continue
		}
		number++
		mark := "- "
		if n.tag == atom.Ol {
			mark = strconv.Itoa(number) + ". "
		}
		items = append(items, prefixed(text, mark, strings.Repeat(" ", len(mark))))
	}
	return strings.Join(items, "\n")
}

// code is a block of code, between more backticks than it has in a row.
func (w *writer) code(n *node) string {
	text := strings.Trim(w.take(strings.ReplaceAll(raw(n), "\r", "")), "\n")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := strings.Repeat("`", max(3, longest(text)+1))
	return fence + "\n" + text + "\n" + fence
}

// raw is the text of a node with its line breaks.
func raw(n *node) string {
	var b strings.Builder
	n.each(func(k *node) {
		switch k.tag {
		case 0:
			b.WriteString(k.data)
		case atom.Br:
			b.WriteByte('\n')
		}
	})
	return b.String()
}

// longest is how many backticks stand in a row.
func longest(s string) (most int) {
	n := 0
	for i := range len(s) {
		if s[i] != '`' {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}

// prefixed begins the first line with one text, and all others with another.
func prefixed(s, first, others string) string {
	if s == "" {
		return ""
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		with := others
		if i == 0 {
			with = first
		}
		if lines[i] = with + line; line == "" {
			lines[i] = strings.TrimRight(with, " ")
		}
	}
	return strings.Join(lines, "\n")
}

// inline are nodes within a line. A line break is a newline. inLink leaves out links.
func (w *writer) inline(kids []*node, inLink bool) string {
	var b strings.Builder
	for _, n := range kids {
		if w.full() {
			w.cut = w.cut || strings.TrimSpace(n.text(true)) != ""
			break
		}
		b.WriteString(w.element(n, inLink))
	}
	return b.String()
}

func (w *writer) element(n *node, inLink bool) string {
	switch n.tag {
	case 0:
		return w.text(n.data, inLink)
	case atom.Br:
		w.glued = false
		return "\n"
	case atom.Img:
		return w.image(n, inLink)
	case atom.B, atom.Strong:
		return around("**", w.inline(n.kids, inLink))
	case atom.I, atom.Em:
		return around("*", w.inline(n.kids, inLink))
	case atom.Del, atom.S, atom.Strike:
		return around("~~", w.inline(n.kids, inLink))
	case atom.Code, atom.Tt, atom.Kbd, atom.Samp:
		text := w.take(oneLine(n.text(false)))
		if text == "" {
			return ""
		}
		marks := strings.Repeat("`", longest(text)+1)
		if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
			text = " " + text + " "
		}
		return marks + text + marks
	case atom.A:
		if !inLink {
			return w.link(n)
		}
	case atom.Span:
		if w.o.WithoutQuote && n.is("quote-inline") {
			return ""
		}
	}
	if block(n.tag) { // in a link or a heading
		return " " + w.inline(n.kids, inLink) + " "
	}
	return w.inline(n.kids, inLink)
}

// around puts marks around a text, and the spaces at its ends outside of them.
func around(marks, s string) string {
	text := strings.TrimSpace(s)
	if text == "" || strings.Contains(text, "\n\n") {
		return s
	}
	at := strings.Index(s, text)
	return s[:at] + marks + text + marks + s[at+len(text):]
}

func (w *writer) image(n *node, inLink bool) string {
	alt := strings.TrimSpace(n.alt)
	if src := address(n.href); src != "" && !inLink && w.o.Image != nil && w.o.Image(src) {
		return "![" + w.text(oneLine(alt), true) + "](" + src + ")"
	}
	return w.text(alt, true) // a custom emoji is :its_name:
}

func (w *writer) link(n *node) string {
	text := strings.TrimSpace(n.text(true))
	isTag := n.is("hashtag") || strings.Contains(" "+n.rel+" ", " tag ")
	if name, ok := strings.CutPrefix(text, "#"); ok && isTag && w.o.Hashtag != nil &&
		words.Hashtag(text, 0) == len(text) && w.o.Hashtag(name) {
		space := w.unglue('#')
		w.left -= utf8.RuneCountInString(text)
		w.glued = true
		return space + text
	}
	if w.o.Mention != nil && !isTag && strings.HasPrefix(text, "@") {
		if is := w.o.Mention(n.href, text); is != "" {
			space := w.unglue('@')
			w.left -= utf8.RuneCountInString(text)
			w.glued = true
			return space + is
		}
	}
	to := address(n.href)
	switch {
	case to == "":
		return w.inline(n.kids, true)
	case shows(text, n.href):
		w.left -= len(to)
		return "<" + to + ">"
	}
	label := oneLine(w.inline(n.kids, true))
	if label == "" {
		return ""
	}
	return "[" + label + "](" + to + ")"
}

// shows reports whether the text of a link is its address, whole or cut.
func shows(text, href string) bool {
	if strings.ContainsAny(text, " \n\t") {
		return false
	}
	short := func(s string) string {
		s = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(s), "https://"), "http://")
		return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
	}
	is, whole := short(text), short(href)
	if begin, ok := strings.CutSuffix(strings.TrimSuffix(is, "..."), "…"); ok || strings.HasSuffix(is, "...") {
		return begin != "" && strings.HasPrefix(whole, begin)
	}
	return is != "" && is == whole
}

// text is a text of HTML: spaces in a row are one, and what means something to the dialect is escaped.
func (w *writer) text(s string, inLink bool) string {
	if s == "" {
		return ""
	}
	collapsed := strings.Join(strings.FieldsFunc(s, isSpace), " ")
	if before, _ := utf8.DecodeRuneInString(s); isSpace(before) {
		collapsed = " " + collapsed
	}
	if last, _ := utf8.DecodeLastRuneInString(s); isSpace(last) && collapsed != " " {
		collapsed += " "
	}
	if collapsed = w.take(collapsed); collapsed == "" {
		return ""
	}
	first, _ := utf8.DecodeRuneInString(collapsed)
	return w.unglue(first) + escape(collapsed, inLink)
}

// unglue returns a space if a character would continue the hashtag or mention before it.
func (w *writer) unglue(next rune) string {
	was := w.glued
	if w.glued = false; was && (words.IsWord(next) || strings.ContainsRune("@#_-.", next)) {
		return " "
	}
	return ""
}

// Text is a plain text in Markdown: nothing of it is a mark, a hashtag or a mention.
func Text(s string) string {
	w := &writer{left: MaxSource}
	return paragraph(w.text(s, false))
}

// Address is the form of an http or https address in Markdown; empty for another one.
func Address(s string) string { return address(s) }

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }

// escape escapes what the dialect would not take for text.
func escape(s string, inLink bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := bare(s, i); n > 0 && !inLink {
			if to := address(s[i : i+n]); to != "" {
				b.WriteString("<" + to + ">")
				i += n
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == ':' && strings.HasPrefix(s[i:], "://"):
			b.WriteByte('\\') // no link begins in a text that is no address
		case strings.ContainsRune("\\`*~[]<>&@#|", r):
			b.WriteByte('\\')
		case r == '_' && !(wordAt(s[:i], false) && wordAt(s[i+1:], true)):
			b.WriteByte('\\')
		case r == '＠' || r == '＃':
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
			i += size
			continue
		}
		b.WriteString(s[i : i+size])
		i += size
	}
	return b.String()
}

// bare is the length of an address that stands in a text at a place, outside of a word.
func bare(s string, i int) int {
	if s[i] != 'h' && s[i] != 'H' {
		return 0
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); i > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return 0
	}
	rest := s[i:]
	if len(rest) < 8 || !strings.EqualFold(rest[:7], "http://") && !strings.EqualFold(rest[:8], "https://") {
		return 0
	}
	return words.Address(rest[:min(len(rest), maxAddress)], "")
}

// wordAt reports whether a text ends, or begins, with a letter or digit of ASCII.
func wordAt(s string, begins bool) bool {
	if s == "" {
		return false
	}
	c := s[len(s)-1]
	if begins {
		c = s[0]
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// oneLine is a text without line breaks, and without spaces around it.
func oneLine(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\n", " ")) }

// paragraph cleans the lines of a paragraph: none is empty, and none begins as a list, a heading or a rule does.
func paragraph(s string) string {
	lines := strings.Split(s, "\n")
	clean := lines[:0]
	gap := false
	for _, line := range lines {
		line = strings.TrimFunc(line, isSpace)
		if line == "" {
			gap = len(clean) > 0
			continue
		}
		if gap {
			clean = append(clean, "")
			gap = false
		}
		clean = append(clean, begun(line))
	}
	return strings.Join(clean, "\n")
}

// begun is a line that begins with text.
func begun(line string) string {
	switch line[0] {
	case '-', '+', '=':
		return `\` + line
	}
	n := 0
	for n < len(line) && n < 10 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n > 0 && n < len(line) && (line[n] == '.' || line[n] == ')') {
		return line[:n] + `\` + line[n:]
	}
	return line
}
