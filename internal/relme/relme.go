// Package relme asks web pages whether they link to a profile with rel=me. Pages are hostile: what is read of them is
// bounded, and nothing of them is kept.
package relme

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

const (
	// pageTime limits a request; a function has 8 s for an event. pageBytes is what is read of a page.
	pageTime  = 5 * time.Second
	pageBytes = 1 << 20
	// tokenBytes is the longest tag or text that is read; a page with a longer one ends there.
	tokenBytes = 64 << 10
)

// errNoPage marks an answer that is no page.
var errNoPage = errors.New("no page")

// Asker asks pages. Its methods may be called concurrently.
type Asker struct {
	client *http.Client
	origin string
}

// New returns an asker that asks by a client with some options, and by https alone: who is between the function and a
// page without TLS could redirect to another page. origin begins the addresses of profiles, such as
// https://hibana.example.
func New(o outbound.Options, origin string) *Asker {
	o.Redirects, o.HTTPSOnly = outbound.MaxRedirects, true
	return &Asker{outbound.Client(o), origin}
}

// Verify reports whether a page links with rel=me to the public page of a profile, or to the profile in the web client.
// An error says that the page could not be read. Only https pages are asked, also after redirects, which must stay on
// the host of the link.
func (a *Asker) Verify(ctx context.Context, address, username string, uid model.UserID) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false, err
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml;q=0.9")
	answer, err := a.client.Do(r)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return false, errNoPage
	}
	// Some sites lead everybody wherever their address says.
	if !sameSite(r.URL, answer.Request.URL) {
		return false, nil
	}
	// Many sites repeat in other types what anybody sends.
	if t, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err != nil ||
		t != "text/html" && t != "application/xhtml+xml" {
		return false, nil
	}
	data, _, err := outbound.Read(answer.Body, pageBytes)
	if err != nil && len(data) == 0 {
		return false, err
	}
	return linksTo(bytes.NewReader(data), answer.Request.URL, a.origin+"/@"+username,
		a.origin+"/users/"+url.PathEscape(string(uid))), nil
}

// linksTo reports whether a page at an address links with rel=me to one of some addresses.
func linksTo(page io.Reader, at *url.URL, wanted ...string) bool {
	z := html.NewTokenizer(page)
	z.SetMaxBuf(tokenBytes)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if t.DataAtom != atom.A && t.DataAtom != atom.Link {
				continue
			}
			rel, href := "", ""
			for _, is := range t.Attr {
				switch is.Key {
				case "rel":
					rel = is.Val
				case "href":
					href = is.Val
				}
			}
			if isMe(rel) && same(at, href, wanted) {
				return true
			}
		default:
		}
	}
}

// sameSite reports whether two addresses are of one host, with or without www.
func sameSite(a, b *url.URL) bool { return siteOf(a) == siteOf(b) }

func siteOf(u *url.URL) string {
	return strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(u.Host), ":443"), "www.")
}

func isMe(rel string) bool {
	for word := range strings.FieldsSeq(rel) {
		if strings.EqualFold(word, "me") {
			return true
		}
	}
	return false
}

// same reports whether a link leads to one of some addresses. The name of a host and the form of a username know no
// case, and a slash at the end makes no difference.
func same(at *url.URL, href string, wanted []string) bool {
	u, err := at.Parse(strings.TrimSpace(href))
	if err != nil || u.RawQuery != "" || u.User != nil {
		return false
	}
	u.Fragment, u.RawFragment = "", ""
	is := strings.TrimSuffix(u.String(), "/")
	for _, want := range wanted {
		if is == want || strings.Contains(want, "/@") && strings.EqualFold(is, want) {
			return true
		}
	}
	return false
}
