package api_test

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/appcheck"
)

// Requests need the token of an app where tokens are enforced, and the log has them
// where they are not. Nothing that is free of ID tokens needs one.
func TestAppCheck(t *testing.T) {
	const project = "demo-check"
	a := testenv.NewAppCheck(t, "one")
	with := func(enforce bool) func(*api.Options) {
		return func(o *api.Options) {
			o.AppCheck = server.AppCheck{Checker: appcheck.New(t.Context(), project, o.Log), Enforce: enforce}
			o.CORSOrigins = []string{"https://example.com"}
		}
	}
	enforced, monitored := newEnv(t, with(true)), newEnv(t, with(false))
	a.SetDown(true)
	unreachable := newEnv(t, with(true))
	watching := newEnv(t, with(false))
	good := a.Token(t, project, nil)
	ann := testenv.SignUp(t, "")

	const path, header = "/v1/users/nobody", "X-Firebase-AppCheck"
	found := func(e *env, is string, headers ...string) {
		t.Helper()
		e.do(t, "GET", path, "", nil, headers...).problem(t, http.StatusNotFound, "user_not_found")
		e.wantLogged(t, `"app_check":"`+is+`"`)
	}
	refused := func(e *env, status int, code string, headers ...string) reply {
		t.Helper()
		r := e.do(t, "GET", path, "", nil, headers...)
		r.problem(t, status, code)
		if c := r.cost(t); c.Reads > 0 {
			t.Errorf("a request without a good token cost %d reads", c.Reads)
		}
		return r
	}
	found(enforced, "good", header, good)
	found(monitored, "good", header, good)
	r := refused(enforced, http.StatusUnauthorized, "app_check_required")
	if got := r.header.Get("WWW-Authenticate"); strings.Contains(got, "invalid_token") {
		t.Errorf("WWW-Authenticate = %q blames the ID token", got)
	}
	refused(enforced, http.StatusUnauthorized, "invalid_app_check", header, good+"x")
	enforced.do(t, "GET", "/v1/users/me", ann.IDToken, nil).problem(t, http.StatusUnauthorized, "app_check_required")
	enforced.do(t, "GET", "/v1/users/me", ann.IDToken, nil, header, good).problem(t, http.StatusNotFound, "user_not_found")
	enforced.do(t, "GET", "/v1/users/me", "bad", nil, header, good).problem(t, http.StatusUnauthorized, "invalid_token")
	found(monitored, "missing")
	found(monitored, "bad", header, good+"x")

	if r := refused(unreachable, http.StatusServiceUnavailable, "app_check_unavailable", header, good); r.header.Get(
		"Retry-After") == "" {
		t.Error("503 has no Retry-After")
	}
	refused(unreachable, http.StatusUnauthorized, "app_check_required")
	found(watching, "unknown", header, good)

	for _, path := range []string{"/health", "/ready", "/docs", "/openapi.json", "/openapi.yaml"} {
		unreachable.do(t, "GET", path, "", nil).want(t, http.StatusOK, nil)
	}
	preflight := enforced.do(t, "OPTIONS", path, "", nil, "Origin", "https://example.com",
		"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "authorization,x-firebase-appcheck")
	if preflight.status != http.StatusNoContent ||
		!strings.Contains(strings.ToLower(preflight.header.Get("Access-Control-Allow-Headers")), "x-firebase-appcheck") {
		t.Errorf("preflight = %d %v", preflight.status, preflight.header)
	}
}

// wantLogged waits for a text in the log, which is written after the answer.
func (e *env) wantLogged(t *testing.T, want string) {
	t.Helper()
	giveUp := time.After(time.Minute)
	for {
		text, added := e.log.read()
		if strings.Contains(text, want) {
			return
		}
		select {
		case <-added:
		case <-giveUp:
			t.Fatalf("the log has no %s", want)
		}
	}
}

// On the routes of other protocols a client with an ID token needs the token of an app of the project, as anywhere. An
// app of others cannot have one.
func TestAppCheckOfForeign(t *testing.T) {
	const project = "demo-check-foreign"
	a := testenv.NewAppCheck(t, "one")
	e := newEnv(t, func(o *api.Options) {
		o.AppCheck = server.AppCheck{Checker: appcheck.New(t.Context(), project, o.Log), Enforce: true}
		o.Streaming = &mastodon.Streaming{Pace: 10 * time.Millisecond, CheckEvery: 50 * time.Millisecond,
			BeatEvery: 100 * time.Millisecond}
	})
	good := []string{"X-Firebase-AppCheck", a.Token(t, project, nil)}
	ann := testenv.SignUp(t, "").IDToken
	e.do(t, "POST", "/v1/users", ann, map[string]any{"username": "ann"}, good...).want(t, http.StatusCreated, nil)

	app := e.register(t, "read")
	var code struct{ Redirect string }
	e.do(t, "POST", "/v1/authorizations", ann, app.asks("read")).problem(t, http.StatusUnauthorized, "app_check_required")
	e.do(t, "POST", "/v1/authorizations", ann, app.asks("read"), good...).want(t, http.StatusCreated, &code)
	to, err := url.Parse(code.Redirect)
	testenv.Must(t, err)
	var token oauthToken
	e.exchange(t, app, to.Query().Get("code")).want(t, http.StatusOK, &token)

	const home = "/api/v1/timelines/home"
	e.do(t, "GET", home, token.AccessToken, nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/api/v1/timelines/public", "", nil).want(t, http.StatusOK, nil)
	for _, path := range []string{home, "/api/v1/timelines/public", "/oauth/userinfo", "/api/v1/streaming/user",
		"/api/v1/streaming/user?access_token=" + ann} {
		bearer := ann
		if strings.Contains(path, "?") {
			bearer = ""
		}
		if r := e.do(t, "GET", path, bearer, nil); r.status != http.StatusUnauthorized || r.cost(t).Reads > 0 {
			t.Errorf("%s without App Check: %d %s", path, r.status, r.body)
		}
	}
	e.do(t, "GET", home, ann, nil, good...).want(t, http.StatusOK, nil)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.url+"/api/v1/streaming/user", nil)
	testenv.Must(t, err)
	r.Header.Set("Authorization", "Bearer "+ann)
	r.Header.Set(good[0], good[1])
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	defer resp.Body.Close()
	lines, beats := bufio.NewScanner(resp.Body), 0
	for beats < 5 && lines.Scan() { // its turns, with which it checks the session, need none
		if lines.Text() == ":thump" {
			beats++
		}
	}
	if resp.StatusCode != http.StatusOK || beats < 5 {
		t.Errorf("a connection with App Check: %s, %d beats", resp.Status, beats)
	}
}
