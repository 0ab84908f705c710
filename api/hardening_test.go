package api_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/store"
)

// Nobody keeps what the API says to a caller. What it says to everybody is kept, and asked
// for again by its ETag.
func TestCaching(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	tweet := "/v1/tweets/" + string(e.post(t, ann, map[string]any{"content": "a spark"}).ID)
	for _, r := range []reply{
		e.do(t, "GET", tweet+"/replies", ann.token, nil),
		e.do(t, "GET", "/v1/users/me", ann.token, nil),
		e.do(t, "PUT", tweet+"/like", ann.token, nil),
		e.do(t, "GET", "/v1/users/nobody", "", nil),
		e.do(t, "GET", tweet, "no token", nil),
		e.do(t, "POST", "/v1/tweets", "", nil),
		e.do(t, "GET", "/health", "", nil),
		e.do(t, "GET", "/nowhere", "", nil),
	} {
		if got := r.header.Get("Cache-Control"); got != "no-store" || r.header.Get("ETag") != "" {
			t.Errorf("%d %s: Cache-Control = %q, ETag = %q", r.status, r.body, got, r.header.Get("ETag"))
		}
	}
	// A tweet has an ETag for If-Match, and still nobody keeps it.
	own := e.do(t, "GET", tweet, ann.token, nil)
	if own.header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(own.header.Get("ETag"), `"0-`) {
		t.Errorf("the author's tweet: %v", own.header)
	}
	for _, path := range []string{tweet, "/v1/users/" + string(ann.id), "/openapi.json", "/docs"} {
		// TestGzip has the others
		first := e.do(t, "GET", path, "", nil, "Accept-Encoding", "identity").want(t, http.StatusOK, nil)
		tag := first.header.Get("ETag")
		length := 34
		if path == tweet {
			length = 36 // with the number of edits
		}
		if first.header.Get("Cache-Control") != "no-cache" || !slices.Contains(first.header.Values("Vary"),
			"Authorization") || len(tag) != length {
			t.Errorf("%s: %v", path, first.header)
		}
		if got := first.header.Get("Content-Length"); got != fmt.Sprint(len(first.body)) {
			t.Errorf("%s: Content-Length = %s of %d bytes", path, got, len(first.body))
		}
		for _, match := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			again := e.do(t, "GET", path, "", nil, "Accept-Encoding", "identity", "If-None-Match", match).
				want(t, http.StatusNotModified, nil)
			if len(again.body) > 0 || again.header.Get("ETag") != tag {
				t.Errorf("%s, If-None-Match %s: %q, %v", path, match, again.body, again.header)
			}
		}
		e.do(t, "GET", path, "", nil, "If-None-Match", `"other"`).want(t, http.StatusOK, nil)
	}
	// A signed-in caller gets the whole answer, whatever it sends.
	e.do(t, "GET", tweet, ann.token, nil, "If-None-Match", "*").want(t, http.StatusOK, nil)
	tag := e.do(t, "GET", tweet, "", nil).header.Get("ETag")
	e.do(t, "DELETE", tweet, ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", tweet, "", nil, "If-None-Match", tag).problem(t, http.StatusGone, "tweet_deleted")
}

// A large answer goes out as it comes, without an ETag of ours.
func TestCachingOfLargeAnswers(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	page := string(e.do(t, "GET", "/docs", "", nil).body)
	_, script, _ := strings.Cut(page, `src="`)
	script, _, _ = strings.Cut(script, `"`)
	r := e.do(t, "GET", script, "", nil, "Accept-Encoding", "identity").want(t, http.StatusOK, nil)
	if len(r.body) <= 1<<20 || r.header.Get("Cache-Control") != "max-age=3600" || len(r.header.Get("ETag")) == 34 {
		t.Errorf("%s: %d bytes, %v", script, len(r.body), r.header)
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.CORSOrigins = []string{"https://example.com", "http://localhost:*"} })
	preflight := func(origin string) reply {
		return e.do(t, "OPTIONS", "/v1/tweets", "", nil, "Origin", origin, "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "authorization,idempotency-key")
	}
	for origin, ok := range map[string]bool{
		"https://example.com": true, "http://localhost:5173": true,
		"http://example.com": false, "https://example.com.evil.org": false, "https://evil.org": false, "null": false,
		"http://localhost": false,
	} {
		p := preflight(origin).want(t, http.StatusNoContent, nil)
		r := e.do(t, "GET", "/v1/tags", "", nil, "Origin", origin).want(t, http.StatusOK, nil)
		bad := e.do(t, "GET", "/v1/timeline", "", nil, "Origin", origin)
		bad.problem(t, http.StatusUnauthorized, "unauthenticated")
		for _, h := range []http.Header{p.header, r.header, bad.header} {
			got := h.Get("Access-Control-Allow-Origin")
			if (got == origin) != ok || got != "" && !ok || h.Get("Access-Control-Allow-Credentials") != "" ||
				!strings.Contains(strings.Join(h.Values("Vary"), ","), "Origin") {
				t.Errorf("origin %s: %v", origin, h)
			}
		}
		if !ok {
			continue
		}
		if got := p.header.Get("Access-Control-Allow-Headers"); !strings.Contains(strings.ToLower(got), "authorization") ||
			!strings.Contains(strings.ToLower(got), "idempotency-key") {
			t.Errorf("Access-Control-Allow-Headers = %q", got)
		}
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if got := p.header.Get("Access-Control-Allow-Methods"); !strings.Contains(got, method) {
				t.Errorf("Access-Control-Allow-Methods = %q", got)
			}
		}
		for _, name := range []string{"Location", "Retry-After", "RateLimit", "RateLimit-Policy", "Server-Timing", "ETag"} {
			if got := r.header.Get("Access-Control-Expose-Headers"); !strings.Contains(strings.ToLower(got),
				strings.ToLower(name)) {
				t.Errorf("Access-Control-Expose-Headers = %q, want %s", got, name)
			}
		}
	}
	all := newEnv(t, func(o *api.Options) { o.CORSOrigins = []string{"*"} })
	if got := all.do(t, "GET", "/v1/tags", "", nil, "Origin", "https://evil.org").
		header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("with every origin allowed: %q", got)
	}
}

// Without origins no page may read, and OPTIONS lists the methods of a path.
func TestNoCORS(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	r := e.do(t, "OPTIONS", "/v1/tweets", "", nil, "Origin", "https://example.com", "Access-Control-Request-Method",
		"POST").want(t, http.StatusNoContent, nil)
	for name := range r.header {
		if strings.HasPrefix(name, "Access-Control") {
			t.Errorf("%s = %q", name, r.header.Get(name))
		}
	}
	allow := strings.Split(r.header.Get("Allow"), ", ")
	slices.Sort(allow)
	if want := []string{"GET", "HEAD", "OPTIONS", "POST"}; !slices.Equal(allow, want) || len(r.body) > 0 {
		t.Errorf("Allow = %q, want %q; body %q", allow, want, r.body)
	}
	e.do(t, "OPTIONS", "/nowhere", "", nil).problem(t, http.StatusNotFound, "route_not_found")
	e.do(t, "DELETE", "/v1/tags", "", nil).problem(t, http.StatusMethodNotAllowed, "method_not_allowed")
}

func TestHTTPSOnly(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.HTTPSOnly = true })
	if got := e.do(t, "GET", "/health", "", nil).header.Get("Strict-Transport-Security"); !strings.HasPrefix(got,
		"max-age=31536000") {
		t.Errorf("Strict-Transport-Security = %q", got)
	}
}

func TestServerTimingForAdmins(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.ServerTimingAdmins = true })
	ann := testenv.SignUp(t, "")
	boss := testenv.Token(emulators.DefaultProject, map[string]any{"sub": ann.UID, "admin": true})
	for token, want := range map[string]bool{"": false, ann.IDToken: false, boss: true} {
		r := e.do(t, "GET", "/v1/tags", token, nil).want(t, http.StatusOK, nil)
		if got := r.header.Get("Server-Timing"); (got != "") != want {
			t.Errorf("Server-Timing = %q, want one: %v", got, want)
		}
	}
}

// The log has nothing about persons, also where a request fails for a reason of ours. The
// lines of one caller have the same pseudonym.
func TestLogOfFailures(t *testing.T) {
	t.Parallel()
	const key = "another key of thirty-two bytes!"
	e := newEnv(t, func(o *api.Options) {
		down := httptest.NewServer(nil)
		db, err := store.Open(t.Context(), "demo-down", "", store.Options{Emulator: strings.TrimPrefix(down.URL, "http://")})
		down.Close()
		testenv.Must(t, err)
		t.Cleanup(func() { db.Close() })
		moderation := o.Moderation // a process that does not know the account statuses answers nobody
		_, err = moderation.Recent(t.Context(), "anybody")
		testenv.Must(t, err)
		o.Stores, o.Timeout, o.PageTokenKey = wiring.API(db), 3*time.Second, []byte(key)
		o.Moderation = moderation
	})
	a := testenv.SignUp(t, "")
	requests := []struct {
		method, path string
		body         any
	}{
		{"POST", "/v1/users", map[string]any{"username": "secretname", "nickname": "Secretnick",
			"introduction": "secretintro"}},
		{"POST", "/v1/tweets", map[string]any{"content": "secrettext", "summary": "secretsummary",
			"tags": []string{"secrettag"}}},
		{"PATCH", "/v1/users/me", map[string]any{"username": "secretname"}},
		{"GET", "/v1/usernames/secretname", nil},
		{"GET", "/v1/tags/secrettag", nil},
		{"GET", "/v1/tags/secrettag/tweets", nil},
		{"GET", "/v1/timeline", nil},
	}
	for _, r := range requests {
		got := e.do(t, r.method, r.path, a.IDToken, r.body, "X-Forwarded-For", "203.0.113.77", "User-Agent", "secretagent",
			"Idempotency-Key", "secretkey")
		got.problem(t, http.StatusServiceUnavailable, "unavailable")
	}
	line := e.logged(t, "/v1/timeline")
	if user, _ := line["user"].(string); len(user) != 16 {
		t.Errorf("user = %v, want a pseudonym", line["user"])
	}
	log, _ := e.log.read()
	if got := strings.Count(log, fmt.Sprintf(`"user":"%v"`, line["user"])); got != len(requests) {
		t.Errorf("%d lines have the pseudonym, want %d", got, len(requests))
	}
	if got := strings.Count(log, `"error":`); got != len(requests) {
		t.Errorf("%d lines have a cause, want %d", got, len(requests))
	}
	for _, secret := range []string{"secret", a.IDToken, a.Email, a.UID, "203.0.113.77", "127.0.0.1", key} {
		if strings.Contains(strings.ToLower(log), strings.ToLower(secret)) {
			t.Errorf("the log holds %q:\n%s", secret, log)
		}
	}
}

// A client that does not wait for its answer is no failure of the service.
func TestLogOfClientThatLeaves(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	e := newEnv(t, func(o *api.Options) {
		down, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and says nothing
		testenv.Must(t, err)
		go func() {
			conn, err := down.Accept()
			if err != nil {
				return
			}
			cancel() // the request is being handled
			<-t.Context().Done()
			conn.Close()
		}()
		t.Cleanup(func() { down.Close() })
		db, err := store.Open(t.Context(), "demo-down", "", store.Options{Emulator: down.Addr().String()})
		testenv.Must(t, err)
		t.Cleanup(func() { db.Close() })
		o.Stores, o.Timeout = wiring.API(db), time.Minute
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.url+"/v1/usernames/somebody", nil)
	testenv.Must(t, err)
	if _, err := http.DefaultClient.Do(req); err == nil {
		t.Fatal("it was answered")
	}
	line := e.logged(t, "/v1/usernames/:username")
	if line["severity"] != "INFO" || line["error"] == nil {
		t.Errorf("the log has %v, want severity INFO and a cause", line)
	}
}

// The policy of the page of /docs lets the browser load and run all that the page has, and
// nothing of another host.
func TestDocsPolicy(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	r := e.do(t, "GET", "/docs", "", nil).want(t, http.StatusOK, nil)
	policy := map[string][]string{}
	for directive := range strings.SplitSeq(r.header.Get("Content-Security-Policy"), ";") {
		words := strings.Fields(directive)
		policy[words[0]] = words[1:]
		for _, source := range words[1:] {
			if !slices.Contains([]string{"'self'", "'none'", "'unsafe-inline'", "data:"}, source) || source == "data:" &&
				words[0] != "img-src" {
				t.Errorf("%s allows %s", words[0], source)
			}
		}
	}
	allows := func(directive, source string) bool {
		sources, ok := policy[directive]
		if !ok {
			sources = policy["default-src"]
		}
		return slices.Contains(sources, source)
	}
	tags := regexp.MustCompile(`(?s)<(script|style|link|img|iframe|object|embed|base|form|meta)\b([^>]*)>([^<]*)`).
		FindAllStringSubmatch(string(r.body), -1)
	attribute := func(attributes, name string) string {
		if m := regexp.MustCompile(name + `\s*=\s*"([^"]*)"`).FindStringSubmatch(attributes); m != nil {
			return m[1]
		}
		return ""
	}
	seen := map[string]int{}
	for _, tag := range tags {
		name, attributes, text := tag[1], tag[2], strings.TrimSpace(tag[3])
		source := attribute(attributes, "src") + attribute(attributes, "href")
		directive := map[string]string{"script": "script-src", "style": "style-src", "img": "img-src",
			"link": "style-src"}[name]
		if name == "link" && strings.Contains(attribute(attributes, "rel"), "icon") {
			directive = "img-src"
		}
		switch {
		case name == "meta" && attribute(attributes, "http-equiv") == "":
			continue
		case directive == "":
			t.Errorf("the page has <%s%s>, of which this test knows nothing", name, attributes)
		case source == "" && (text == "" || !allows(directive, "'unsafe-inline'")):
			t.Errorf("the policy forbids the %s within the page", name)
		case source != "" && (!strings.HasPrefix(source, "/") || strings.HasPrefix(source, "//") ||
			!allows(directive, "'self'")):
			t.Errorf("the policy forbids the %s %s", name, source)
		case source != "":
			e.do(t, "GET", source, "", nil).want(t, http.StatusOK, nil)
		}
		seen[directive]++
	}
	if seen["script-src"] < 2 || seen["style-src"] < 2 || !allows("connect-src", "'self'") {
		t.Errorf("the page has %v, want scripts and styles, and to load /openapi.json", seen)
	}
	for _, closed := range []string{"base-uri", "form-action", "frame-ancestors"} {
		if !slices.Equal(policy[closed], []string{"'none'"}) {
			t.Errorf("%s is %v, want 'none'", closed, policy[closed])
		}
	}
}

// The service calls no address that a client names, wherever the client names it.
func TestNoRequestForgery(t *testing.T) {
	t.Parallel()
	var called atomic.Int64
	target := httptest.NewUnstartedServer(http.NotFoundHandler())
	target.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			called.Add(1)
		}
	}
	target.StartTLS()
	t.Cleanup(target.Close)
	address := target.URL + "/latest/meta-data"
	e := newEnv(t)
	stranger := testenv.SignUp(t, "")
	headers := []string{"Referer", address, "Origin", target.URL, "X-Forwarded-Host", target.Listener.Addr().String(),
		"Forwarded", "host=" + target.Listener.Addr().String()}
	e.do(t, "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "forger", "avatar": address,
		"introduction": "![x](" + address + ")"}, headers...).want(t, http.StatusCreated, nil)
	e.do(t, "PATCH", "/v1/users/me", stranger.IDToken, map[string]any{"avatar": address + "?again",
		"introduction": address, "aiPersonality": address}, headers...).want(t, http.StatusOK, nil)
	made := e.do(t, "POST", "/v1/tweets", stranger.IDToken, map[string]any{"content": "![x](" + address + ")",
		"summary": address}, headers...).want(t, http.StatusCreated, nil).header.Get("Location")
	for _, path := range []string{"/v1/users/me", made, "/v1/timeline", "/v1/tweets", "/docs?url=" + address,
		"/docs?configUrl=" + address} {
		e.do(t, "GET", path, stranger.IDToken, nil, headers...).want(t, http.StatusOK, nil)
	}
	if n := called.Load(); n > 0 {
		t.Errorf("the service called an address that a client named, %d times", n)
	}
	// The address can be called.
	if r, err := target.Client().Get(address); err != nil || called.Load() != 1 {
		t.Errorf("%v, %v, %d calls", r, err, called.Load())
	}
}
