package markdown

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Names of elements that do not exist in HTML.
const (
	Hashtag = "hashtag" // its text is the hashtag as typed, with its #
	Mention = "mention" // its text is the mention as typed, with its @
)

// Node is a text or an element of a Markdown text. The tags of the fields are the dictionary
// of keys of the compact form, which the database keeps.
type Node struct {
	Tag      string `json:"T,omitempty"` // name of the HTML element, [Hashtag] or [Mention]; empty for a text
	Text     string `json:"X,omitempty"` // a text, or the only text of an element
	Nodes    []Node `json:"C,omitempty"` // children of an element
	Address  string `json:"H,omitempty"` // of a link or image
	Alt      string `json:"A,omitempty"` // of an image
	Size     string `json:"Z,omitempty"` // of an image or code block: one of xsmall, small, medium, large and xlarge
	Language string `json:"L,omitempty"` // of a code block
	Start    int    `json:"N,omitempty"` // number of the first item of an ordered list, if not 1; minus 1 stands for 0
	User     string `json:"U,omitempty"` // uid of a mentioned user
}

// Compact returns the compact form of nodes: JSON with keys of one letter. It returns "" for no nodes.
func Compact(nodes []Node) string {
	if len(nodes) == 0 {
		return ""
	}
	return string(marshal(nodes))
}

// Expand is the inverse of Compact.
func Expand(compact string) (nodes []Node, err error) {
	if compact == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(compact), &nodes)
	return nodes, err
}

// Element is a [Node] in the form that clients get.
type Element struct {
	Type       string            `json:"type" enum:"element,text"`
	Tag        string            `json:"tag,omitempty" doc:"Name of the HTML element, hashtag or mention"`
	Attributes map[string]string `json:"attributes,omitempty" doc:"Any of href, src, alt, size, language, start and user"`
	Text       string            `json:"text,omitempty" doc:"A text; or all of an element that has one text and nothing else"`
	Children   []Element         `json:"children,omitempty" nullable:"false"`
}

// Elements returns the long form of nodes.
func Elements(nodes []Node) []Element {
	all := make([]Element, len(nodes))
	for i, n := range nodes {
		e := Element{Type: "element", Tag: n.Tag, Text: n.Text}
		if n.Tag == "" {
			e.Type = "text"
		}
		address := "href"
		if n.Tag == "img" {
			address = "src"
		}
		start := ""
		if n.Start != 0 {
			start = strconv.Itoa(max(n.Start, 0))
		}
		for _, a := range [][2]string{{address, n.Address}, {"alt", n.Alt}, {"size", n.Size}, {"language", n.Language},
			{"start", start}, {"user", n.User}} {
			if a[1] != "" {
				if e.Attributes == nil {
					e.Attributes = map[string]string{}
				}
				e.Attributes[a[0]] = a[1]
			}
		}
		if len(n.Nodes) > 0 {
			e.Children = Elements(n.Nodes)
		}
		all[i] = e
	}
	return all
}

// Nodes is the inverse of Elements.
func Nodes(elements []Element) []Node {
	all := make([]Node, len(elements))
	for i, e := range elements {
		a := e.Attributes
		n := Node{Tag: e.Tag, Text: e.Text, Address: a["href"] + a["src"], Alt: a["alt"], Size: a["size"],
			Language: a["language"], User: a["user"]}
		if start, err := strconv.Atoi(a["start"]); err == nil {
			if n.Start = start; start == 0 {
				n.Start = -1
			}
		}
		if len(e.Children) > 0 {
			n.Nodes = Nodes(e.Children)
		}
		all[i] = n
	}
	return all
}

// FirstLink returns the address of the first link to the web in a text, in the order of reading; empty if there is
// none. A link to a page of the service is none.
func FirstLink(nodes []Node) string {
	for _, n := range nodes {
		if n.Tag == "a" && (strings.HasPrefix(n.Address, "https://") || strings.HasPrefix(n.Address, "http://")) {
			return n.Address
		}
		if first := FirstLink(n.Nodes); first != "" {
			return first
		}
	}
	return ""
}

// element creates an element from its children.
func element(n Node, children []Node) Node {
	children = joined(children)
	if len(children) == 1 && children[0].Tag == "" {
		n.Text = children[0].Text
	} else {
		n.Nodes = children
	}
	return n
}

// joined joins adjacent texts and drops empty texts.
func joined(nodes []Node) (all []Node) {
	for i := 0; i < len(nodes); {
		if nodes[i].Tag != "" {
			all = append(all, nodes[i])
			i++
			continue
		}
		var text strings.Builder
		for ; i < len(nodes) && nodes[i].Tag == ""; i++ {
			text.WriteString(nodes[i].Text)
		}
		if text.Len() > 0 {
			all = append(all, Node{Text: text.String()})
		}
	}
	return all
}

// children returns the nodes within an element. A single text is a child too.
func (n Node) children() []Node {
	if n.Tag != "" && n.Text != "" {
		return []Node{{Text: n.Text}}
	}
	return n.Nodes
}

// WithUsers returns nodes in which mentions carry the uids of their users. A mention of an unknown name becomes plain
// text. users maps usernames to uids.
func WithUsers(nodes []Node, users map[string]string) []Node {
	all := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch {
		case n.Tag == Mention:
			if n.User = users[nameOf(n.Text)]; n.User == "" {
				n = Node{Text: n.Text}
			}
		case len(n.Nodes) > 0:
			within := n.Nodes
			n.Nodes = nil
			n = element(n, WithUsers(within, users))
		}
		all = append(all, n)
	}
	return joined(all)
}
