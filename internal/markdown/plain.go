package markdown

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/words"
)

// FromPlain returns Markdown that shows a plain text as it was typed, with its lines. Its addresses are links, and its
// hashtags and mentions stay. Spaces at the end of a line go, and so do empty lines at the ends of the text.
func FromPlain(text string) string {
	text = trimmed(text)
	for _, way := range []escaping{keepWords, escapeMarks} { // a mark within a hashtag or a mention may count
		if source := escaped(text, way); showsPlain(source, text) {
			return source
		}
	}
	return escaped(text, escapeAll)
}

// escaping is how much of a text is escaped.
type escaping int

const (
	keepWords   escaping = iota // marks that stand in no hashtag, mention and address
	escapeMarks                 // marks that stand in no address
	escapeAll                   // all punctuation, so that nothing is a link, a hashtag or a mention
)

// ToPlain is the inverse of [FromPlain]. ok is false for a text that is not its result: then it has marks of Markdown.
func ToPlain(source string) (text string, ok bool) {
	source = trimmed(source)
	text = unescaped(source)
	return text, FromPlain(text) == source
}

// trimmed is a text without what does not show: spaces at the end of a line, and empty lines at its ends. All its lines
// end with "\n".
func trimmed(text string) string {
	text = shown(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, blanks)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// blanks are what Markdown takes for space.
const blanks = " \t\v\f"

var (
	// entity matches the beginning of a text that Markdown would read as another character.
	entity = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	// blockMark matches a line that would begin a block. The mark is its group.
	blockMark = regexp.MustCompile(`^(?:(#)#{0,5}(?:[ \t]|$)|([-+])(?:[ \t]|$)|[0-9]{1,9}([.)])(?:[ \t]|$)|(>)|(=)=*$|(-)-*$)`)
)

// escaped puts backslashes before the marks of a text.
func escaped(text string, way escaping) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		var b strings.Builder
		for line != "" && strings.Contains(blanks, line[:1]) { // they would go, or make code
			b.WriteString(blankEntity[line[0]])
			line = line[1:]
		}
		mark := -1
		if b.Len() == 0 {
			mark = markAt(line)
		}
		escapeLine(&b, line, mark, way)
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}

var (
	blankEntity = map[byte]string{' ': "&#32;", '\t': "&#9;", '\v': "&#11;", '\f': "&#12;"}
	blankOf     = map[string]byte{"&#32;": ' ', "&#9;": '\t', "&#11;": '\v', "&#12;": '\f'}
)

// markAt returns the place of the character that makes a block, or a table, of a line; -1 for none.
func markAt(line string) int {
	if strings.Contains(line, "|") && dashes.MatchString(line) {
		return 0
	}
	for i, at := range blockMark.FindStringSubmatchIndex(line) {
		if i >= 2 && i%2 == 0 && at >= 0 {
			return at
		}
	}
	return -1
}

// escapeLine writes a line. mark is the place of a character that is escaped in any case.
func escapeLine(b *strings.Builder, line string, mark int, way escaping) {
	lastEnd := strings.LastIndexByte(line, '>')
	for i := 0; i < len(line); {
		if way != escapeAll {
			n := bareAddress(line, i)
			if n == 0 && way == keepWords {
				n = word(line, i)
			}
			if n > 0 && (mark < i || mark >= i+n) {
				b.WriteString(line[i : i+n])
				i += n
				continue
			}
		}
		c := line[i]
		if i == mark || way == escapeAll && punctuation(c) || marked(line, i, lastEnd) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		i++
	}
}

func punctuation(c byte) bool { return c > ' ' && c < 0x7f && !alphanumeric(c) }

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// marked reports whether a character of a line is a mark of Markdown, or may be one. lastEnd is the place of the line's
// last >, or -1.
func marked(line string, i, lastEnd int) bool {
	at := func(j int) byte {
		if j < 0 || j >= len(line) {
			return 0
		}
		return line[j]
	}
	switch line[i] {
	case '\\', '*', '`':
		return true
	case '_':
		return !alphanumeric(at(i-1)) || !alphanumeric(at(i+1))
	case '~':
		return at(i-1) == '~' || at(i+1) == '~'
	case ']':
		return at(i+1) == '('
	case '<':
		return i < lastEnd
	case '&':
		return entity.MatchString(line[i:])
	}
	return false
}

// bareAddress returns the length of an address that the parser takes for a link; 0 for none. Only ASCII makes a word
// with its scheme.
func bareAddress(line string, i int) int {
	if line[i] != 'h' && line[i] != 'H' || i > 0 && (alphanumeric(line[i-1]) || line[i-1] == '_' || line[i-1] == '\\') {
		return 0
	}
	return words.Address(line[i:min(len(line), i+maxAddress+1)], "")
}

// word returns the length of a hashtag or mention; 0 for none.
func word(line string, i int) int {
	before, _ := utf8.DecodeLastRuneInString(line[:i])
	if i == 0 {
		before = 0
	}
	switch c, _ := utf8.DecodeRuneInString(line[i:]); c {
	case '#', '＃':
		return words.Hashtag(line[i:], before)
	case '@', '＠':
		return words.Mention(line[i:], before)
	}
	return 0
}

// unescaped takes the backslashes and entities of escaped back.
func unescaped(source string) string {
	var b strings.Builder
	for i := 0; i < len(source); {
		if n := bareAddress(source, i); n > 0 {
			b.WriteString(source[i : i+n])
			i += n
			continue
		}
		if c := source[i]; c == '\\' && i+1 < len(source) && punctuation(source[i+1]) {
			b.WriteByte(source[i+1])
			i += 2
			continue
		} else if c == '&' {
			if e := entity.FindString(source[i:]); blankOf[e] != 0 {
				b.WriteByte(blankOf[e])
				i += len(e)
				continue
			}
		}
		b.WriteByte(source[i])
		i++
	}
	return b.String()
}

var manyLines = regexp.MustCompile(`\n{2,}`)

// showsPlain reports whether Markdown shows a text as it was typed: paragraphs of lines, and no element but links,
// hashtags and mentions.
func showsPlain(source, text string) bool {
	var paragraphs []string
	for _, p := range Parse(source).Nodes {
		if p.Tag != "p" || !plainInline(p.children()) {
			return false
		}
		paragraphs = append(paragraphs, Text(p.children()))
	}
	return strings.Join(paragraphs, "\n\n") == manyLines.ReplaceAllString(text, "\n\n")
}

// plainInline reports whether nodes are texts, hashtags, mentions, and links that show where they lead.
func plainInline(nodes []Node) bool {
	for _, n := range nodes {
		switch n.Tag {
		case "", Hashtag, Mention:
		case "a":
			if words.Address(n.Text, "") != len(n.Text) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
