package linkcard

import (
	"cmp"
	"io"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
)

// tokenBytes is the longest tag or text that is read; a page with a longer one ends there.
const tokenBytes = 64 << 10

// head is what the head of a page says. The first value of a name counts.
type head struct {
	meta                             map[string]string
	title, language, base            string
	notKept, noSnippet, noPictureOut bool
}

// names are the names of meta elements that count.
var names = map[string]bool{
	"og:title": true, "og:description": true, "og:site_name": true, "og:locale": true, "og:image": true,
	"og:image:url": true, "og:image:secure_url": true, "twitter:title": true, "twitter:description": true,
	"twitter:image": true, "twitter:image:src": true, "description": true, "author": true, "article:author": true,
	"application-name": true,
}

// read reads a page up to its body. An error of the reader ends the page.
func (h *head) read(from io.Reader) {
	h.meta = map[string]string{}
	z := html.NewTokenizer(from)
	z.SetMaxBuf(tokenBytes)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.EndTagToken:
			if name, _ := z.TagName(); atom.Lookup(name) == atom.Head {
				return
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.DataAtom {
			case atom.Body:
				return
			case atom.Html:
				h.language = cmp.Or(h.language, attribute(t, "lang"))
			case atom.Base:
				h.base = cmp.Or(h.base, attribute(t, "href"))
			case atom.Title:
				if h.title == "" && z.Next() == html.TextToken {
					h.title = z.Token().Data
				}
			case atom.Meta:
				h.take(t)
			default:
			}
		default:
		}
	}
}

// take reads a meta element.
func (h *head) take(t html.Token) {
	content := attribute(t, "content")
	for _, key := range []string{"property", "name"} {
		name := strings.ToLower(strings.TrimSpace(attribute(t, key)))
		switch {
		case name == "robots":
			h.robots(content)
		case names[name] && h.meta[name] == "":
			h.meta[name] = content
		}
	}
}

// robots reads what a page allows to machines. An index is not what a card is, so noindex by itself forbids nothing.
func (h *head) robots(rules string) {
	for rule := range strings.SplitSeq(strings.ToLower(rules), ",") {
		switch strings.ReplaceAll(strings.TrimSpace(rule), " ", "") {
		case "noarchive", "nocache", "none":
			h.notKept = true
		case "nosnippet", "max-snippet:0":
			h.noSnippet = true
		case "noimageindex", "max-image-preview:none":
			h.noPictureOut = true
		}
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// page returns the page at an address.
func (h *head) page(at *url.URL) page {
	first := func(limit int, values ...string) string {
		for _, v := range values {
			if v = clean(v, limit); v != "" {
				return v
			}
		}
		return ""
	}
	m := h.meta
	title := first(model.MaxLinkTitle, m["og:title"], m["twitter:title"], h.title)
	switch {
	case h.notKept:
		return failed(model.LinkNotKept, 0)
	case title == "":
		return failed(model.LinkNoPage, 0)
	}
	p := page{LinkPage: model.LinkPage{Title: title,
		SiteName: first(model.MaxLinkName, m["og:site_name"], m["application-name"]),
		Language: language(h.language, m["og:locale"])}}
	if author := m["article:author"]; !strings.Contains(author, "://") {
		p.Author = first(model.MaxLinkName, m["author"], author)
	} else {
		p.Author = first(model.MaxLinkName, m["author"])
	}
	if !h.noSnippet {
		p.Description = first(model.MaxLinkDescription, m["og:description"], m["twitter:description"], m["description"])
	}
	if base, err := at.Parse(strings.TrimSpace(h.base)); err == nil {
		at = base
	}
	picture := cmp.Or(m["og:image:secure_url"], m["og:image"], m["og:image:url"], m["twitter:image"],
		m["twitter:image:src"])
	if picture = strings.TrimSpace(picture); picture != "" && len(picture) <= 2_048 && !h.noPictureOut {
		if u, err := at.Parse(picture); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
			p.picture = u
		}
	}
	return p
}

var tag = regexp.MustCompile(`^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,2}$`)

// language returns the first language tag among values.
func language(values ...string) string {
	for _, v := range values {
		if v = strings.TrimSpace(v); tag.MatchString(v) {
			return strings.ReplaceAll(v, "_", "-")
		}
	}
	return ""
}

// clean returns a text of a page in one line, within a number of characters. Control characters and those that turn the
// direction of what follows are left out.
func clean(s string, limit int) string {
	s = strings.ToValidUTF8(s, "")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == '\u200c' || r == '\u200d': // they join letters of some scripts, and emoji
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Noncharacter_Code_Point):
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(norm.NFC.String(s)), " ")
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }) {
		return ""
	}
	return strings.TrimSpace(words.Cut(s, limit))
}
