package relme

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/outbound"
)

const origin = "https://hibana.test"

func TestLinksTo(t *testing.T) {
	t.Parallel()
	at, _ := url.Parse("https://a.example/")
	for page, want := range map[string]bool{
		`<a rel="me" href="https://hibana.test/@ann">`:                             true,
		`<a href="https://hibana.test/@ann" rel="noopener Me nofollow">x</a>`:      true,
		`<head><link rel=me href='https://HIBANA.test/@Ann/'></head>`:              true,
		`<a rel="me" href="https://hibana.test/users/uid1#top">`:                   true,
		`<a href="https://hibana.test/@ann">`:                                      false,
		`<a rel="menu" href="https://hibana.test/@ann">`:                           false,
		`<a rel="me" href="https://hibana.test/@anna">`:                            false,
		`<a rel="me" href="https://hibana.test/@ann/3f01">`:                        false,
		`<a rel="me" href="http://hibana.test/@ann">`:                              false,
		`<a rel="me" href="https://x@hibana.test/@ann">`:                           false,
		`<a rel="me" href="https://hibana.test.evil.example/@ann">`:                false,
		`<a rel="me" href="https://hibana.test/users/UID1">`:                       false,
		`<!-- <a rel="me" href="https://hibana.test/@ann"> -->`:                    false,
		`<script>'<a rel="me" href="https://hibana.test/@ann">'</script>`:          false,
		`<base href="https://hibana.test"><a rel="me" href="/@ann">`:               false,
		`<a rel="me">` + strings.Repeat("x", tokenBytes) + `<a rel="me" href="/">`: false,
	} {
		if got := linksTo(strings.NewReader(page), at, origin+"/@ann", origin+"/users/uid1"); got != want {
			t.Errorf("%s links to the profile: %t, want %t", page, got, want)
		}
	}
}

// The www of a site makes no other site.
func TestSameSite(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"https://a.example/", "https://a.example/x"}: true, {"https://A.example/", "https://www.a.example:443/"}: true,
		{"https://www.a.example", "https://a.example"}: true, {"https://a.example", "https://b.example"}: false,
		{"https://a.example", "https://a.example:8443"}: false, {"https://a.example", "https://x.a.example"}: false,
	} {
		from, _ := url.Parse(pair[0])
		to, _ := url.Parse(pair[1])
		if got := sameSite(from, to); got != want {
			t.Errorf("sameSite(%v) = %t, want %t", pair, got, want)
		}
	}
}

// A page is asked within its limits. What is no page is an error, which is not the answer no.
func TestVerify(t *testing.T) {
	t.Parallel()
	const link = `<a rel="me" href="https://hibana.test/@ann">`
	var secure string
	plainAsked := false
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		plainAsked = true
		http.Redirect(w, r, secure+"/yes", http.StatusFound)
	}))
	t.Cleanup(plain.Close)
	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(link))
	}))
	t.Cleanup(other.Close)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/yes":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(link))
		case "/no":
			_, _ = w.Write([]byte("<p>no"))
		case "/text", "/json": // a site that repeats the text of anybody, which is safe in such an answer
			w.Header().Set("Content-Type", map[string]string{"/text": "text/plain; charset=utf-8",
				"/json": "application/json"}[r.URL.Path])
			_, _ = w.Write([]byte(link))
		case "/late":
			_, _ = w.Write([]byte(strings.Repeat("<p>", pageBytes/3+1) + link))
		case "/away":
			http.Redirect(w, r, "/yes", http.StatusFound)
		case "/plain":
			http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
		case "/through":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		case "/open": // a site that leads everybody wherever its address says
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/gone":
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	secure = s.URL
	a := New(outbound.Options{AllowLoopback: true, TLS: s.Client().Transport.(*http.Transport).TLSClientConfig}, origin)
	for path, want := range map[string]struct{ is, failed bool }{"/yes": {true, false}, "/late": {}, "/no": {},
		"/away": {true, false}, "/plain": {false, true}, "/through": {false, true}, "/open": {}, "/gone": {false, true},
		"/text": {}, "/json": {}} {
		is, err := a.Verify(t.Context(), s.URL+path, "ann", "uid1")
		if is != want.is || (err != nil) != want.failed {
			t.Errorf("%s: %t, %v, want %+v", path, is, err, want)
		}
	}
	if plainAsked {
		t.Error("a page without TLS was asked")
	}
	if _, err := New(outbound.Options{}, origin).Verify(t.Context(), s.URL+"/yes", "ann",
		"uid1"); err == nil {
		t.Error("a page of the machine itself was asked")
	}
}
