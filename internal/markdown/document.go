package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Document is a Markdown text.
type Document struct {
	Nodes []Node

	// Hashtags are the hashtags as typed, without their #, in their order. One may come twice.
	Hashtags []string

	// Names are the usernames that the text mentions, and the handles with a host, as bob@social.example, in lower case,
	// in their order, each once. A name need not belong to a user.
	Names []string

	HasImage bool
}

// Parse reads a Markdown text.
func Parse(source string) *Document {
	r := &reader{source: []byte(source), doc: &Document{}}
	r.doc.Nodes = joined(r.blocks(syntax.Parse(text.NewReader(r.source))))
	return r.doc
}

// reader converts the parser's output into nodes.
type reader struct {
	source []byte
	doc    *Document
	last   rune // the last displayed character of the block; 0 at its beginning

	hashtags int // number of hashtags examined
}

// blocks reads the blocks in a block.
func (r *reader) blocks(parent ast.Node) (all []Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		r.last = 0
		switch n := n.(type) {
		case *ast.TextBlock: // of an item of a tight list
			all = append(all, r.inline(n, 0, false)...)
		case *ast.Heading:
			all = append(all, element(Node{Tag: "h" + string(rune('0'+n.Level))}, r.inline(n, 0, false)))
		case *ast.ThematicBreak:
			all = append(all, Node{Tag: "hr"})
		case *ast.Blockquote:
			all = append(all, element(Node{Tag: "blockquote"}, r.blocks(n)))
		case *ast.List:
			list := Node{Tag: "ul"}
			if n.IsOrdered() {
				list.Tag = "ol"
				if list.Start = n.Start; n.Start == 0 {
					list.Start = -1
				} else if n.Start == 1 {
					list.Start = 0
				}
			}
			all = append(all, element(list, r.blocks(n)))
		case *ast.ListItem:
			all = append(all, element(Node{Tag: "li"}, r.blocks(n)))
		case *ast.CodeBlock:
			all = append(all, Node{Tag: "pre", Text: r.lines(n)})
		case *ast.FencedCodeBlock:
			language, size := codeInfo(n.Language(r.source))
			all = append(all, Node{Tag: "pre", Text: r.lines(n), Language: language, Size: size})
		case *extast.Table:
			all = append(all, Node{Tag: "table", Nodes: r.rows(n)})
		default:
			all = append(all, element(Node{Tag: "p"}, r.inline(n, 0, false)))
		}
	}
	return all
}

// rows reads the rows of a table.
func (r *reader) rows(table ast.Node) (all []Node) {
	for n := table.FirstChild(); n != nil; n = n.NextSibling() {
		tag := "td"
		if n.Kind() == extast.KindTableHeader {
			tag = "th"
		}
		row := Node{Tag: "tr"}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			r.last = 0
			row.Nodes = append(row.Nodes, element(Node{Tag: tag}, r.inline(c, 0, false)))
		}
		all = append(all, row)
	}
	return all
}

// lines returns the text of a code block.
func (r *reader) lines(n ast.Node) string {
	return strings.TrimSuffix(shown(string(n.Lines().Value(r.source))), "\n")
}

var (
	codeInfoForm = regexp.MustCompile(`^([A-Za-z0-9+#._-]{0,20})(?::([a-z]+))?$`)
	sizes        = []string{"xsmall", "small", "medium", "large", "xlarge"}
	imageSize    = regexp.MustCompile(`^\{size=([a-z]+)\}`)
)

// codeInfo reads the language of a fenced code block, which may have a size.
func codeInfo(info []byte) (language, size string) {
	m := codeInfoForm.FindSubmatch(info)
	if m == nil {
		return "", ""
	}
	return string(m[1]), knownSize(string(m[2]))
}

func knownSize(s string) string {
	if slices.Contains(sizes, s) {
		return s
	}
	return ""
}

// inline reads the contents of a paragraph, heading, link or emphasis. depth is the number of surrounding emphases. A
// link contains neither links nor hashtags nor mentions.
func (r *reader) inline(parent ast.Node, depth int, inLink bool) (all []Node) {
	var raw []byte // text that was not read yet
	flush := func() {
		all = append(all, r.words(raw, inLink)...)
		raw = nil
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			raw = append(raw, t.Segment.Value(r.source)...)
			if t.HardLineBreak() {
				flush()
				all = append(all, Node{Tag: "br"})
				r.last = '\n'
			} else if t.SoftLineBreak() {
				raw = append(raw, '\n')
			}
			continue
		}
		flush()
		tag := ""
		switch n := n.(type) {
		case *ast.CodeSpan:
			all = append(all, r.code(n))
			continue
		case *ast.Image:
			image := r.image(n)
			if next, ok := n.NextSibling().(*ast.Text); ok && image.Tag != "" {
				if m := imageSize.FindSubmatch(next.Segment.Value(r.source)); m != nil {
					image.Size = knownSize(string(m[1]))
					next.Segment = next.Segment.WithStart(next.Segment.Start + len(m[0]))
				}
			}
			all = append(all, image)
			continue
		case *ast.AutoLink:
			all = append(all, r.link(n.URL(r.source), []Node{{Text: shown(string(n.Label(r.source)))}}, inLink)...)
			r.last = '/'
			continue
		case *ast.Link:
			all = append(all, r.link(n.Destination, r.inline(n, depth, true), inLink)...)
			continue
		case *ast.Emphasis:
			if tag = "em"; n.Level == 2 {
				tag = "strong"
			}
		case *extast.Strikethrough:
			tag = "del"
		}
		within := r.inline(n, depth+1, inLink)
		if tag == "" || depth >= maxDepth {
			all = append(all, within...)
		} else {
			all = append(all, element(Node{Tag: tag}, within))
		}
	}
	flush()
	return joined(all)
}

// code converts inline code.
func (r *reader) code(n *ast.CodeSpan) Node {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(r.source))
		}
	}
	r.last = '`'
	return Node{Tag: "code", Text: shown(strings.ReplaceAll(b.String(), "\n", " "))}
}

// image converts an image. An image without a valid address becomes its text.
func (r *reader) image(n *ast.Image) Node {
	alt := Text(r.inline(n, maxDepth, true))
	r.last = '!'
	if src := imageAddress(n.Destination); src != "" {
		r.doc.HasImage = true
		return Node{Tag: "img", Address: src, Alt: alt}
	}
	return Node{Text: alt}
}

// link converts a link. A link without a valid address becomes its contents.
func (r *reader) link(to []byte, within []Node, inLink bool) []Node {
	if href := linkAddress(to, Text(within)); href != "" && !inLink {
		return []Node{element(Node{Tag: "a", Address: href}, within)}
	}
	return within
}

// Text returns the displayed text of nodes. Blocks stand on lines of their own, and so do rows of tables.
func Text(nodes []Node) string {
	var b strings.Builder
	write(&b, nodes)
	return b.String()
}

func write(b *strings.Builder, nodes []Node) {
	for _, n := range nodes {
		switch {
		case n.Tag == "br", isBlock(n.Tag) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n"):
			b.WriteByte('\n')
		case isCell(n.Tag) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n"):
			b.WriteByte(' ')
		}
		b.WriteString(n.Text)
		write(b, n.Nodes)
	}
}

// isBlock reports whether an element stands on lines of its own.
func isBlock(tag string) bool {
	switch tag {
	case "", "a", "em", "strong", "del", "code", "img", "br", "td", "th", Hashtag, Mention:
		return false
	}
	return true
}

// isCell reports whether an element is a cell of a table: a space is before its text.
func isCell(tag string) bool { return tag == "td" || tag == "th" }
