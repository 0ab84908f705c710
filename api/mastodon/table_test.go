package mastodon_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/api/mastodon"
)

// The table says of each method who may call it, and of one that is off why.
func TestTable(t *testing.T) {
	t.Parallel()
	verbs := map[string]bool{"GET": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true}
	path := regexp.MustCompile(`^/(api|oauth|\.well-known|health)(/:?[a-z0-9_.-]+)*$`)
	scopes := regexp.MustCompile(`^(read|write|admin:read|admin:write)(:[a-z_]+)?$|^(profile|push|follow)$`)
	seen := map[string]bool{}
	for _, m := range mastodon.Methods() {
		switch {
		case !verbs[m.Verb] || !path.MatchString(m.Path):
			t.Errorf("%s is no method", m.Name())
		case seen[m.Name()]:
			t.Errorf("%s is there twice", m.Name())
		case !m.Works() && m.Off == "":
			t.Errorf("%s is off, and the table does not say why", m.Name())
		case m.Staff && m.Public:
			t.Errorf("%s is for staff and for everybody", m.Name())
		}
		seen[m.Name()] = true
		for _, scope := range m.Scopes {
			if !scopes.MatchString(scope) {
				t.Errorf("%s has the scope %q", m.Name(), scope)
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("the table has %d methods", len(seen))
	}
}

// garbage is what a parameter of a path may be.
var garbage = []string{"0", "%00", "..%2F..", "%F0%9F%92%A5", strings.Repeat("9", 10_000)}

// bodies are what a client may send, with their media types.
func bodies() [][2]string {
	var many strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&many, "a%d=1&", i)
	}
	const js, form = "application/json", "application/x-www-form-urlencoded"
	return [][2]string{
		{js, `[]`}, {js, `"x"`}, {js, strings.Repeat(`{"a":`, 500) + "1" + strings.Repeat("}", 500)},
		{js, `{"id":{"a":[null]},"ids":-1,"limit":"x","status":[[]],"type":{},"context":{},"data":"x","title":[],"ip":1}`},
		{form, many.String()}, {form, "a[b][c=1&%zz=2"}, {"multipart/form-data; boundary=x", "--x\r\nno header"},
		{"text/plain", "\x00\xff"},
	}
}

// query has parameters of another form than they have.
const query = "?max_id=%00&since_id=x&min_id[]=1&limit=-999999999999&types[][a]=1&id[]=%F0%9F%92%A5&offset=-1&q[]="

// A caller without a token is refused in the words of Mastodon, and nothing that a client sends is an error of the
// server.
func TestGarbage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	type try struct {
		what, media, body string
		by                person
		most              bool // the answer may be no success
	}
	tries := make(chan try)
	var g sync.WaitGroup
	for range 4 {
		g.Go(func() {
			for c := range tries {
				a := w.askAs(t, c.by, c.what, c.media, strings.NewReader(c.body))
				short := fmt.Sprintf("%.100s with %.40q", c.what, c.body)
				switch {
				case a.StatusCode >= http.StatusInternalServerError:
					t.Errorf("%s answered %s: %.200s", short, a.Status, a.text)
				case c.most && a.StatusCode < http.StatusBadRequest:
					t.Errorf("%s answered %s: %.200s", short, a.Status, a.text)
				}
			}
		})
	}
	all := bodies()
	large := strings.Repeat("a", 2<<20)
	for _, m := range mastodon.Methods() {
		if !m.Answers() {
			continue
		}
		by := w.people["ann"]
		if m.Staff {
			by = w.people["ruth"]
		}
		signedOut(t, w, m)
		for i, id := range garbage {
			path := m.Verb + " " + named.ReplaceAllString(m.Path, id)
			if i > 0 && !strings.Contains(m.Path, ":") {
				break
			}
			tries <- try{what: path + query, by: by, most: false}
		}
		if m.Verb == http.MethodGet {
			continue
		}
		path := m.Verb + " " + named.ReplaceAllString(m.Path, "0")
		for _, b := range all {
			tries <- try{what: path, media: b[0], body: b[1], by: by}
		}
		tries <- try{what: path, media: "application/json", body: `{"status":"` + large + `"}`, by: by, most: m.Most == 0}
	}
	close(tries)
	g.Wait()
}

var named = regexp.MustCompile(`:[a-z_]+`)

// signedOut asks without a token.
func signedOut(t *testing.T, w *world, m mastodon.Method) {
	t.Helper()
	if m.Public {
		return
	}
	var refused struct{ Error string }
	path := named.ReplaceAllString(m.Path, url.PathEscape(w.ids["post"]))
	w.askAs(t, person{}, m.Verb+" "+path, "", nil).want(t, http.StatusUnauthorized, &refused)
	same(t, m.Name(), refused.Error, "The access token is invalid")
}
