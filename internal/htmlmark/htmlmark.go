// Package htmlmark makes Markdown of the HTML that other servers of the fediverse send, in the dialect of package
// markdown.
//
// The HTML is hostile. Its elements are read as tokens, at most [MaxDepth] deep; what is deeper counts as its text.
// The result has text, emphasis, quotes, lists, code, headings and links to http and https addresses, and nothing else:
// text stands with backslashes where the dialect would read a mark, a hashtag or a mention in it.
package htmlmark

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// MaxDepth is how deep elements are nested that count.
	MaxDepth = 20
	// MaxSource is how many bytes of a source are read.
	MaxSource = 512 << 10

	maxNodes   = 20_000
	maxAddress = 2_000 // bytes of an address; links with longer ones are text
)

// Options say what the result may have. The zero Options allow no image, no hashtag and no mention.
type Options struct {
	// Limit is how many characters of text the result has at most, without its marks; 0 for any number. Cut reports
	// whether there were more.
	Limit int
	// Mention returns the Markdown in the place of a link that mentions a person; empty for a link like others. text is
	// that of the link, such as @bob.
	Mention func(href, text string) string
	// Hashtag reports whether a link to a tag stands as a hashtag. name is without its mark.
	Hashtag func(name string) bool
	// Image reports whether an image of an address is shown. Others are their descriptions.
	Image func(src string) bool
	// WithoutQuote leaves out the line by which servers name a quoted post in the text.
	WithoutQuote bool
}

// Convert returns the Markdown of a piece of HTML, and whether it is cut. It takes a time proportional to the length of
// the source.
func Convert(source string, o Options) (text string, cut bool) {
	if o.Limit <= 0 {
		o.Limit = MaxSource
	}
	root, whole := read(source)
	w := &writer{o: o, left: o.Limit}
	text = strings.Trim(w.blocks(root.kids), "\n")
	return text, w.cut || !whole
}

// Plain returns the text of a piece of HTML in one line, without markup.
func Plain(source string) string {
	root, _ := read(source)
	return strings.Join(strings.Fields(root.text(true)), " ")
}

// Link returns the address of the only link of a piece of HTML whose text is nothing but the link; empty for another.
func Link(source string) string {
	root, _ := read(source)
	var links []*node
	root.each(func(n *node) {
		if n.tag == atom.A {
			links = append(links, n)
		}
	})
	if len(links) != 1 || strings.TrimSpace(root.text(true)) != strings.TrimSpace(links[0].text(true)) {
		return ""
	}
	return address(links[0].href)
}

// node is an element, or a text.
type node struct {
	tag            atom.Atom // 0 for a text and for the root
	data           string    // of a text
	href, alt      string    // of a link or an image
	class, rel     string
	kids           []*node
	start, ordered int // of an ordered list, and the number of an item
}

func (n *node) each(f func(*node)) {
	f(n)
	for _, k := range n.kids {
		k.each(f)
	}
}

// text is the text of a node. all includes what pages do not show.
func (n *node) text(all bool) string {
	var b strings.Builder
	n.each(func(k *node) {
		switch {
		case k.tag == 0:
			b.WriteString(k.data)
		case k.tag == atom.Br, block(k.tag):
			b.WriteByte(' ')
		case k.tag == atom.Img && all:
			b.WriteString(k.alt)
		}
	})
	return b.String()
}

func (n *node) is(class string) bool {
	for c := range strings.FieldsSeq(n.class) {
		if c == class {
			return true
		}
	}
	return false
}

// dropped are elements without text for readers.
var dropped = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Iframe: true, atom.Object: true,
	atom.Template: true, atom.Noscript: true, atom.Svg: true, atom.Math: true, atom.Head: true, atom.Title: true,
	atom.Select: true, atom.Audio: true, atom.Video: true, atom.Canvas: true, atom.Textarea: true, atom.Noembed: true,
	atom.Noframes: true, atom.Xmp: true, atom.Plaintext: true}

var void = map[atom.Atom]bool{atom.Br: true, atom.Hr: true, atom.Img: true, atom.Input: true, atom.Meta: true,
	atom.Link: true, atom.Wbr: true, atom.Col: true, atom.Area: true, atom.Base: true, atom.Embed: true,
	atom.Source: true, atom.Track: true, atom.Param: true}

func block(t atom.Atom) bool {
	switch t {
	case atom.P, atom.Div, atom.Blockquote, atom.Ul, atom.Ol, atom.Li, atom.Pre, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Hr, atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Section, atom.Article,
		atom.Header, atom.Footer, atom.Aside, atom.Main, atom.Nav, atom.Figure, atom.Figcaption, atom.Details,
		atom.Summary, atom.Dl, atom.Dt, atom.Dd, atom.Address, atom.Body, atom.Html, atom.Center:
		return true
	}
	return false
}

// read reads the elements of a source within the limits. whole reports whether that is all.
func read(source string) (root *node, whole bool) {
	whole = true
	if len(source) > MaxSource {
		source, whole = source[:MaxSource], false
	}
	source = strings.ToValidUTF8(source, "\uFFFD")
	root = &node{}
	stack := []*node{root}
	over, count := 0, 0
	z := html.NewTokenizer(strings.NewReader(source))
	z.SetMaxBuf(MaxSource + 1)
	add := func(n *node) {
		top := stack[len(stack)-1]
		top.kids = append(top.kids, n)
	}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return root, whole
		}
		if count++; count > maxNodes {
			return root, false
		}
		switch t := z.Token(); kind {
		case html.TextToken:
			add(&node{data: strings.ReplaceAll(t.Data, "\x00", "\uFFFD")})
		case html.StartTagToken, html.SelfClosingTagToken:
			switch {
			case dropped[t.DataAtom] && kind == html.StartTagToken:
				if !skip(z, t.DataAtom, &count) {
					return root, false
				}
			case void[t.DataAtom]:
				add(element(t))
			case kind == html.SelfClosingTagToken && t.DataAtom == 0: // an element of XML
			case len(stack) > MaxDepth:
				over++
			default:
				stack = open(stack, t.DataAtom)
				n := element(t)
				add(n)
				stack = append(stack, n)
			}
		case html.EndTagToken:
			if void[t.DataAtom] {
				if t.DataAtom == atom.Br {
					add(&node{tag: atom.Br})
				}
				continue
			}
			if over > 0 {
				over--
				continue
			}
			for i := len(stack) - 1; i > 0; i-- {
				if stack[i].tag == t.DataAtom {
					stack = stack[:i]
					break
				}
			}
		case html.CommentToken, html.DoctypeToken, html.ErrorToken:
		}
	}
}

// skip passes an element with all that is in it. It reports whether the element ends.
func skip(z *html.Tokenizer, tag atom.Atom, count *int) bool {
	for open := 1; open > 0; {
		kind := z.Next()
		if *count++; kind == html.ErrorToken || *count > maxNodes {
			return false
		}
		if kind != html.StartTagToken && kind != html.EndTagToken {
			continue
		}
		if name, _ := z.TagName(); atom.Lookup(name) == tag {
			if kind == html.StartTagToken {
				open++
			} else {
				open--
			}
		}
	}
	return true
}

// open closes the elements that a new element ends, as readers of HTML do.
func open(stack []*node, tag atom.Atom) []*node {
	top := stack[len(stack)-1]
	switch {
	case block(tag) && top.tag == atom.P, tag == atom.Li && top.tag == atom.Li,
		tag == atom.A && top.tag == atom.A, tag == atom.Tr && top.tag == atom.Tr:
		return stack[:len(stack)-1]
	case (tag == atom.Td || tag == atom.Th) && (top.tag == atom.Td || top.tag == atom.Th),
		(tag == atom.Dt || tag == atom.Dd) && (top.tag == atom.Dt || top.tag == atom.Dd):
		return stack[:len(stack)-1]
	}
	return stack
}

func element(t html.Token) *node {
	n := &node{tag: t.DataAtom, start: 1}
	if n.tag == 0 {
		n.tag = atom.Span // an unknown element is its text
	}
	for _, a := range t.Attr {
		switch a.Key {
		case "href", "src":
			n.href = a.Val
		case "alt":
			n.alt = strings.ReplaceAll(a.Val, "\x00", "")
		case "class":
			n.class = a.Val
		case "rel":
			n.rel = a.Val
		}
	}
	return n
}

// address returns the form of an address in Markdown: http or https, in ASCII, without characters that end a link.
// Another address is empty.
func address(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxAddress || strings.ContainsFunc(s, unicode.IsControl) {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return ""
	}
	s = addressEscapes.Replace(u.String())
	if len(s) > maxAddress {
		return ""
	}
	return s
}

// addressEscapes escapes what ends a link, what a backslash escapes, and what makes an entity of a parameter.
var addressEscapes = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "\\", "%5C", " ", "%20", `"`,
	"%22", "`", "%60", ";", "%3B", "*", "%2A", "[", "%5B", "]", "%5D")
