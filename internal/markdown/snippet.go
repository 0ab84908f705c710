package markdown

import (
	"sort"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/words"
)

// maxSnippetAddress is the longest address of a link or image in a snippet, and maxSnippetAlt the longest text of an
// image, in characters.
const maxSnippetAddress, maxSnippetAlt = 300, 50

// Snippet returns the beginning of a text with its structure: at most limit displayed characters, and at most bytes in
// the compact form. Markup does not count. An image, a break and an empty element count as one character. If the limit
// falls within an element, only its text is cut, between displayed characters. A link or image with a long address
// becomes its text.
func Snippet(nodes []Node, limit, bytes int) []Node {
	cut := func(limit int) []Node {
		c := cutter{limit}
		return c.cut(nodes)
	}
	all := cut(limit)
	if len(Compact(all)) <= bytes {
		return all
	}
	// More characters never take fewer bytes.
	n := sort.Search(limit, func(n int) bool { return len(Compact(cut(n))) > bytes })
	return cut(max(n-1, 0))
}

// cutter counts the displayed characters that still fit.
type cutter struct{ room int }

func (c *cutter) cut(nodes []Node) (all []Node) {
	for _, n := range nodes {
		if c.room <= 0 {
			break
		}
		if n.Tag == "" {
			all = append(all, Node{Text: c.text(n.Text)})
			continue
		}
		if (n.Tag == Hashtag || n.Tag == Mention) && utf8.RuneCountInString(n.Text) > c.room {
			all = append(all, Node{Text: c.text(n.Text)}) // the cut remainder would be another tag or name
			continue
		}
		long := len(n.Address) > maxSnippetAddress
		within := n.children()
		if len(within) == 0 {
			n.Alt = words.Cut(n.Alt, maxSnippetAlt)
			if long {
				n = Node{Text: c.text(n.Alt)}
			} else {
				c.room--
			}
			all = append(all, n)
			continue
		}
		children := joined(c.cut(within))
		switch n.Text, n.Nodes = "", nil; {
		case long:
			all = append(all, children...)
		case len(children) > 0:
			all = append(all, element(n, children))
		}
	}
	return joined(all)
}

// text returns the beginning of a text that fits.
func (c *cutter) text(s string) string {
	n := utf8.RuneCountInString(s)
	if n <= c.room {
		c.room -= n
		return s
	}
	s, c.room = words.Cut(s, c.room), 0
	return s
}
