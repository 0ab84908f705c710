package mastodon_test

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// driven are the methods that a client called in a test.
type driven struct {
	sync.Mutex
	names map[string]bool
}

// request records a request, whose method may be unknown here.
func (d *driven) request(verb, path string) {
	d.Lock()
	defer d.Unlock()
	if d.names == nil {
		d.names = map[string]bool{}
	}
	if m, ok := methodOf(verb, path); ok {
		d.names[m.Name()] = true
	}
}

// RoundTrip sends a request of a client, and records it.
func (d *driven) RoundTrip(r *http.Request) (*http.Response, error) {
	d.request(r.Method, r.URL.EscapedPath())
	return http.DefaultTransport.RoundTrip(r)
}

// methodOf returns the method that answers a path, whatever its query. Of two, a name in the path goes before a
// parameter.
func methodOf(verb, path string) (best mastodon.Method, ok bool) {
	path, _, _ = strings.Cut(path, "?")
	least := len(path)
	for _, m := range mastodon.Methods() {
		if fits := strings.Count(m.Path, ":"); m.Verb == verb && fits < least && matches(m.Path, path) {
			best, least, ok = m, fits, true
		}
	}
	return best, ok
}

// matches reports whether a path has the form of a method's.
func matches(form, path string) bool {
	parts, is := strings.Split(form, "/"), strings.Split(path, "/")
	return slices.EqualFunc(parts, is, func(part, is string) bool {
		return part == is || strings.HasPrefix(part, ":") && is != ""
	})
}

// compare holds what a client called against a file below testdata; -update writes it.
func (d *driven) compare(t *testing.T, file string) {
	t.Helper()
	text := strings.Join(slices.Sorted(maps.Keys(d.names)), "\n") + "\n"
	if *update {
		testenv.Must(t, os.WriteFile("testdata/"+file, []byte(text), 0o644))
	}
	want, err := os.ReadFile("testdata/" + file)
	testenv.Must(t, err)
	same(t, "the methods of testdata/"+file, text, string(want))
}

// lacks fails the test unless the client called all methods that are here, but for some. Of these the test says why.
func (d *driven) lacks(t *testing.T, why map[string]string) {
	t.Helper()
	all := map[string]bool{}
	for _, m := range mastodon.Methods() {
		_, lacks := why[m.Name()]
		all[m.Name()] = true
		switch {
		case lacks && d.names[m.Name()]:
			t.Errorf("%s was called, though the test says why not", m.Name())
		case lacks && !m.Works():
			t.Errorf("%s is not here: nobody has to call it", m.Name())
		case m.Works() && !lacks && !d.names[m.Name()]:
			t.Errorf("%s was not called, and the test does not say why", m.Name())
		}
	}
	for name := range why {
		if !all[name] {
			t.Errorf("%s is no method", name)
		}
	}
}

// drivenBy are the methods in a file below testdata.
func drivenBy(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	testenv.Must(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
