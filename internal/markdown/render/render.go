// Package render converts Markdown to HTML that is safe to embed in a page, for any input.
//
// The HTML has text elements, addresses of the web and of the service, and no scripts, styles, forms and frames. The
// renderer writes nothing else, and a sanitizer checks its whole output.
package render

import (
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/microcosm-cc/bluemonday"

	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/words"
)

// HTML returns the HTML of nodes. Links to the web tell the browser to send no referrer, and search engines not to
// follow. Hashtags link to /tags/{tag}, and mentions to /users/{uid}.
func HTML(nodes []markdown.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		write(&b, n)
	}
	return policy.Sanitize(b.String())
}

// policy lists the allowed HTML.
var policy = func() *bluemonday.Policy {
	word := regexp.MustCompile(`^[a-z]+$`)
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong",
		"del", "br", "hr", "a", "img", "table", "tr", "th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("data-size").Matching(word).OnElements("pre", "img")
	p.AllowAttrs("data-language").Matching(regexp.MustCompile(`^[A-Za-z0-9+#._-]{1,20}$`)).OnElements("pre")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^` + rel + `$`)).OnElements("a")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(?:hashtag|mention)$`)).OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https")
	return p
}()

const rel = "nofollow ugc noopener noreferrer"

// write writes a node.
func write(b *strings.Builder, n markdown.Node) {
	tag, attributes := n.Tag, [][2]string{}
	add := func(name, value string) {
		if value != "" {
			attributes = append(attributes, [2]string{name, value})
		}
	}
	switch tag {
	case "":
		b.WriteString(lines(n.Text))
		return
	case markdown.Hashtag:
		tag = "a"
		key, _ := words.Tag(n.Text)
		add("href", "/tags/"+url.PathEscape(key))
		add("class", "hashtag")
	case markdown.Mention:
		if n.User == "" { // not the name of a user
			b.WriteString(html.EscapeString(n.Text))
			return
		}
		tag = "a"
		add("href", "/users/"+url.PathEscape(n.User))
		add("class", "mention")
	case "a":
		add("href", n.Address)
		if !strings.HasPrefix(n.Address, "/") {
			add("rel", rel)
		}
	case "img":
		add("src", n.Address)
		attributes = append(attributes, [2]string{"alt", n.Alt})
		add("data-size", n.Size)
	case "pre":
		add("data-language", n.Language)
		add("data-size", n.Size)
	case "ol":
		if n.Start != 0 {
			add("start", strconv.Itoa(max(n.Start, 0)))
		}
	}
	b.WriteString("<" + tag)
	for _, a := range attributes {
		b.WriteString(" " + a[0] + `="` + html.EscapeString(a[1]) + `"`)
	}
	b.WriteByte('>')
	if tag == "br" || tag == "hr" || tag == "img" {
		return
	}
	switch tag {
	case "pre":
		b.WriteString("<code>" + html.EscapeString(n.Text))
	default:
		b.WriteString(lines(n.Text))
	}
	for _, child := range n.Nodes {
		write(b, child)
	}
	if tag == "pre" {
		b.WriteString("</code>")
	}
	b.WriteString("</" + tag + ">")
}

// lines returns the HTML of a text. A line break stays a line break, because people do not type two spaces at the ends
// of lines.
func lines(text string) string { return strings.ReplaceAll(html.EscapeString(text), "\n", "<br>") }
