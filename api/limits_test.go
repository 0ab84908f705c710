package api_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/model"
)

// withLimits holds callers to the default limits, changed as a text says. There is one
// trusted proxy in front.
func withLimits(t *testing.T, text string) func(*api.Options) {
	t.Helper()
	all, err := limits.Parse(text)
	testenv.Must(t, err)
	return func(o *api.Options) {
		now := time.Now() // a clock that stands still, so that nothing is full again in a slow test
		o.Limits = server.Limits{Limiter: limits.New(limits.Options{Limits: all, Now: func() time.Time { return now }}),
			TrustedHops: 1}
	}
}

// begun is before the clocks of all limits.
var begun = time.Now()

// limited checks that an answer refuses a request for a limit.
func (r reply) limited(t *testing.T, limit string) {
	t.Helper()
	p := r.problem(t, http.StatusTooManyRequests, "limit_reached")
	if p.Limit != limit || p.FullAt == nil || !p.FullAt.After(begun) || !strings.Contains(p.Detail, limit) {
		t.Errorf("problem = %s, want it to name %s and when it is full", r.body, limit)
	}
	wait := r.header.Get("Retry-After")
	if wait == "" || wait == "0" || !strings.Contains(r.header.Get("RateLimit-Policy"), fmt.Sprintf("%q;q=", limit)) ||
		!strings.Contains(r.header.Get("RateLimit"), fmt.Sprintf("%q;r=0;t=%s", limit, wait)) {
		t.Errorf("Retry-After: %q, RateLimit-Policy: %q, RateLimit: %q", wait, r.header.Get("RateLimit-Policy"),
			r.header.Get("RateLimit"))
	}
	if c := r.cost(t); c.Reads+c.Writes+c.Deletes != 0 {
		t.Errorf("a refused request cost %+v", c)
	}
}

// An account is charged with what its requests are billed, on whatever address.
func TestLimitsOfAccount(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "reads=30/day,posts=2/day"))
	ann, ben := e.join(t, "ann"), e.join(t, "ben")
	left := func() (reads, cost int64) {
		r := e.do(t, "GET", "/v1/users/me", ann.token, nil).want(t, http.StatusOK, nil)
		got := r.header.Get("RateLimit")
		_, after, ok := strings.Cut(got, `"reads-day";r=`)
		if _, err := fmt.Sscanf(after, "%d", &reads); !ok || err != nil || strings.Contains(got, "posts") ||
			strings.Contains(got, "visitor") {
			t.Errorf("RateLimit = %q, want the reads of the day", got)
		}
		return reads, r.cost(t).Reads
	}
	before, _ := left()
	if after, cost := left(); before-after != cost || cost == 0 {
		t.Errorf("a request of %d reads took %d of the budget", cost, before-after)
	}
	post := func(who person, content string) reply {
		return e.do(t, "POST", "/v1/tweets", who.token, map[string]any{"content": content})
	}
	// What is refused for another reason is no post.
	post(ann, "").problem(t, http.StatusBadRequest, "content_required")
	post(ann, "one").want(t, http.StatusCreated, nil)
	if got := post(ann, "two").want(t, http.StatusCreated, nil).
		header.Get("RateLimit"); !strings.Contains(got, `"posts-day";r=0;t=`) {
		t.Errorf("RateLimit = %q, want no post left", got)
	}
	post(ann, "three").limited(t, "posts-day")
	post(ben, "one").want(t, http.StatusCreated, nil)
	for i := 0; ; i++ {
		r := e.do(t, "GET", "/v1/users/me", ann.token, nil, "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
		if r.status == http.StatusTooManyRequests {
			r.limited(t, "reads-day")
			break
		}
		if i > 30 {
			t.Fatal("the budget does not end")
		}
	}
	e.do(t, "GET", "/v1/users/me", ben.token, nil).want(t, http.StatusOK, nil)
	// Administrators have no limits.
	boss := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "admin": true})
	for range 3 {
		if r := e.do(t, "GET", "/v1/users/me", boss, nil).want(t, http.StatusOK, nil); r.header.Get("RateLimit") != "" {
			t.Errorf("RateLimit = %q for an administrator", r.header.Get("RateLimit"))
		}
	}
}

// Shares are no likes, since they change the home timelines of followers. A refused follow
// request is a change of a relationship.
func TestLimitsOfActions(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "shares=2/day,follows=1/day"))
	ann, ben := e.join(t, "ann"), e.join(t, "ben")
	tweet := "/v1/tweets/" + string(e.post(t, ben, map[string]any{"content": "x"}).ID)
	e.do(t, "PUT", tweet+"/share", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", tweet+"/share", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", tweet+"/share", ann.token, nil).limited(t, "shares-day")
	e.do(t, "PUT", tweet+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)
	request := "/v1/users/me/followRequests/" + string(ben.id)
	e.do(t, "DELETE", request, ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", request, ann.token, nil).limited(t, "follows-day")
}

// asked counts the tokens about which Firebase Auth is asked.
type asked struct {
	server.Verifier
	times atomic.Int64
}

func (a *asked) VerifyNow(ctx context.Context, token string) (model.Caller, error) {
	a.times.Add(1)
	return a.Verifier.VerifyNow(ctx, token)
}

// A refused request asks Firebase Auth nothing, and the address limits a caller who lost a role.
func TestLimitsBeforeAsking(t *testing.T) {
	t.Parallel()
	a := &asked{}
	e := newEnv(t, withLimits(t, "requests=3/minute,visitor-requests=2/minute"), func(o *api.Options) {
		a.Verifier = remember(o.Verifier)
		o.Verifier = a
	})
	ann, boss := testenv.SignUp(t, ""), staff(t, "admin")
	for i := range 6 {
		r := e.do(t, "GET", "/v1/users/me/export", ann.IDToken, nil)
		if i < 3 {
			r.problem(t, http.StatusNotFound, "export_not_found")
		} else {
			r.limited(t, "requests-minute")
		}
		if got, want := a.times.Load(), int64(min(i+1, 3)); got != want {
			t.Errorf("after %d requests Firebase Auth was asked %d times, want %d", i+1, got, want)
		}
	}
	e.do(t, "DELETE", "/v1/users/me", ann.IDToken, nil).limited(t, "requests-minute")
	if got := a.times.Load(); got != 3 {
		t.Errorf("Firebase Auth was asked %d times, want 3", got)
	}
	for range 3 {
		e.do(t, "GET", "/v1/tags", boss.token, nil).want(t, http.StatusOK, nil)
	}
	testenv.Must(t, accounts.New(emulators.DefaultProject).SetRole(t.Context(), boss.id, model.RoleAdministrator, false))
	for range 2 {
		e.do(t, "GET", "/v1/tags", boss.token, nil).problem(t, http.StatusUnauthorized, "revoked_token")
	}
	e.do(t, "GET", "/v1/tags", boss.token, nil).limited(t, "visitor-requests-minute")
}

// Callers without an account share the limits of their address, as the last trusted proxy
// tells it.
func TestLimitsOfAddress(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "visitor-requests=3/minute,address-signups=1/day"),
		func(o *api.Options) { o.CORSOrigins = []string{"*"} })
	ann := testenv.SignUp(t, "")
	anonymous := testenv.Token(emulators.DefaultProject, map[string]any{"sub": ann.UID,
		"firebase": map[string]any{"sign_in_provider": "anonymous"}})
	get := func(path, token, forwarded string) reply {
		return e.do(t, "GET", path, token, nil, "X-Forwarded-For", forwarded)
	}
	get("/v1/tags", "", "192.0.2.1").want(t, http.StatusOK, nil)
	get("/v1/tags", anonymous, "10.1.1.1, 192.0.2.1").want(t, http.StatusOK, nil)
	get("/v1/tags", "no token", "10.2.2.2, 192.0.2.1").problem(t, http.StatusUnauthorized, "invalid_token")
	get("/v1/tags", "", "10.3.3.3, 192.0.2.1").limited(t, "visitor-requests-minute")
	refused := e.do(t, "GET", "/v1/tags", "no token", nil, "X-Forwarded-For", "192.0.2.1", "Origin", "https://example.com")
	refused.limited(t, "visitor-requests-minute")
	if refused.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a page of another origin cannot read the refusal: %v", refused.header)
	}
	get("/v1/tags", anonymous, "192.0.2.1").limited(t, "visitor-requests-minute")
	get("/ready", "", "192.0.2.1").limited(t, "visitor-requests-minute")
	get("/health", "", "192.0.2.1").want(t, http.StatusOK, nil)
	get("/v1/tags", "", "192.0.2.1, 192.0.2.2").want(t, http.StatusOK, nil)
	get("/v1/tags", ann.IDToken, "192.0.2.1").want(t, http.StatusOK, nil)
	for i := range 3 {
		get("/v1/tags", "", fmt.Sprintf("2001:db8:0:1:%d::1", i)).want(t, http.StatusOK, nil)
	}
	get("/v1/tags", "", "2001:db8:0:1:ffff::1").limited(t, "visitor-requests-minute")
	get("/v1/tags", "", "2001:db8:0:2::1").want(t, http.StatusOK, nil)

	// Sign-ups are counted by address, for all people together.
	ben := testenv.SignUp(t, "")
	join := func(token, name, address string) reply {
		return e.do(t, "POST", "/v1/users", token, map[string]any{"username": name}, "X-Forwarded-For", address)
	}
	join(ann.IDToken, "ann", "192.0.2.9").want(t, http.StatusCreated, nil)
	p := join(ben.IDToken, "ben", "192.0.2.9").problem(t, http.StatusTooManyRequests, "limit_reached")
	if p.Limit != "address-signups-day" {
		t.Errorf("refused by %s", p.Limit)
	}
	join(ben.IDToken, "ben", "192.0.2.10").want(t, http.StatusCreated, nil)
}

// Firebase Auth is asked once about a token that was revoked, and each time about others.
func TestRevokedAskedOnce(t *testing.T) {
	t.Parallel()
	a := &asked{}
	e := newEnv(t, func(o *api.Options) {
		a.Verifier = remember(o.Verifier)
		o.Verifier = a
	})
	boss, other := staff(t, "admin"), staff(t, "admin")
	get := func(who person, code string, want int64) {
		t.Helper()
		before := a.times.Load()
		for range 3 {
			if r := e.do(t, "GET", "/v1/tags", who.token, nil); code == "" {
				r.want(t, http.StatusOK, nil)
			} else {
				r.problem(t, http.StatusUnauthorized, code)
			}
		}
		if got := a.times.Load() - before; got != want {
			t.Errorf("of 3 requests Firebase Auth was asked %d times, want %d", got, want)
		}
	}
	get(boss, "", 3)
	testenv.Must(t, accounts.New(emulators.DefaultProject).SetRole(t.Context(), boss.id, model.RoleAdministrator, false))
	get(boss, "revoked_token", 1)
	get(other, "", 3)
	get(boss, "revoked_token", 0)
}

// Every operation in the table exists, and every action has a limit.
func TestActions(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	doc := string(e.do(t, "GET", "/openapi.json", "", nil).body)
	all, err := limits.Parse("")
	testenv.Must(t, err)
	known, used := map[string]bool{}, map[string]bool{limits.Requests: true, limits.Parallel: true, limits.Reads: true,
		limits.Writes: true}
	for _, l := range all {
		known[l.What] = true
	}
	for operation, action := range api.Actions {
		ofMastodon := func(m mastodon.Method) bool { return m.Name() == operation }
		if !slices.ContainsFunc(mastodon.Methods(), ofMastodon) && !strings.Contains(doc, fmt.Sprintf("%q: %q",
			"operationId", operation)) {
			t.Errorf("there is no operation %s", operation)
		}
		if !known[action] {
			t.Errorf("%s is the action %s, which has no limit", operation, action)
		}
		used[action] = true
	}
	for what := range known {
		if !used[what] {
			t.Errorf("there is a limit of %s, and no such action", what)
		}
	}
}

// Reports, exports and account deletions have limits of their own. Asking how far they are has not.
func TestLimitsOfRareActions(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "reports=2/day,exports=1/day,leavings=1/day"))
	ann, ben := e.join(t, "ann"), e.join(t, "ben")
	for range 2 {
		e.do(t, "POST", "/v1/reports", ann.token, map[string]any{"userId": ben.id, "reason": "spam"}).
			want(t, http.StatusNoContent, nil)
	}
	e.do(t, "POST", "/v1/reports", ann.token, map[string]any{"userId": ben.id, "reason": "spam"}).limited(t, "reports-day")
	e.do(t, "POST", "/v1/users/me/export", ann.token, nil).want(t, http.StatusAccepted, nil)
	e.do(t, "POST", "/v1/users/me/export", ann.token, nil).limited(t, "exports-day")
	e.do(t, "GET", "/v1/users/me/export", ann.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "POST", "/v1/users/me/export", ben.token, nil).want(t, http.StatusAccepted, nil)
	e.do(t, "DELETE", "/v1/users/me", ann.token, nil).want(t, http.StatusAccepted, nil)
	e.do(t, "DELETE", "/v1/users/me", ann.token, nil).limited(t, "leavings-day")
}

// A device that marks the home timeline while its user reads takes nothing from the likes of a day.
func TestLimitOfMarkers(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "likes=1/day,markers=2/day"))
	ann := e.join(t, "ann")
	mark := func() reply {
		tweet := e.post(t, ann, map[string]any{"content": "x"})
		return e.do(t, "PATCH", "/v1/users/me/markers", ann.token,
			map[string]any{"home": map[string]any{"lastReadId": tweet.ID}})
	}
	mark().want(t, http.StatusOK, nil)
	mark().want(t, http.StatusOK, nil)
	mark().limited(t, "markers-day")
	e.do(t, "PUT", "/v1/users/me/filters/x", ann.token, filterOf("home", "hide", "x")).want(t, http.StatusOK, nil)
}

// slow answers a token when the test lets it.
type slow struct {
	server.Verifier
	asked, let chan struct{}
}

func (s slow) Verify(ctx context.Context, token string) (model.Caller, error) {
	s.asked <- struct{}{}
	<-s.let
	return s.Verifier.Verify(ctx, token)
}

// A process that has too much to do turns requests away before they begin. What has begun
// ends. Browsers may read why, also in a page of another origin.
func TestSaturated(t *testing.T) {
	t.Parallel()
	s := slow{asked: make(chan struct{}), let: make(chan struct{})}
	e := newEnv(t, func(o *api.Options) {
		s.Verifier = o.Verifier
		o.Verifier, o.Limits.Gate, o.CORSOrigins = s, limits.NewGate(1, 50*time.Millisecond), []string{"https://example.com"}
	})
	let := sync.OnceFunc(func() { close(s.let) })
	defer let()
	ann := testenv.SignUp(t, "")
	began := make(chan reply, 1)
	go func() {
		began <- e.do(t, "POST", "/v1/users", ann.IDToken, map[string]any{"username": "ann"})
	}()
	<-s.asked
	for _, path := range []string{"/v1/tags", "/v1/nowhere"} {
		r := e.do(t, "GET", path, "", nil, "Origin", "https://example.com")
		r.problem(t, http.StatusServiceUnavailable, "saturated")
		if r.header.Get("Retry-After") != "1" || r.header.Get("Access-Control-Allow-Origin") != "https://example.com" {
			t.Errorf("a page of another origin is answered %v", r.header)
		}
	}
	ask := e.do(t, "OPTIONS", "/v1/tags", "", nil, "Origin", "https://example.com", "Access-Control-Request-Method",
		"GET").want(t, http.StatusNoContent, nil)
	if ask.header.Get("Access-Control-Allow-Origin") != "https://example.com" {
		t.Errorf("its preflight is answered %v", ask.header)
	}
	e.do(t, "GET", "/health", "", nil).want(t, http.StatusOK, nil)
	let()
	if r := <-began; r.status != http.StatusCreated {
		t.Errorf("what had begun answered %d %s", r.status, r.body)
	}
	e.do(t, "GET", "/v1/tags", "", nil).want(t, http.StatusOK, nil)
}

// A user renames a few times at once, and then has to wait. Administrators need not.
func TestCoolDown(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) {
		o.CoolDown = model.CoolDown{Rename: time.Hour, Username: 7 * 24 * time.Hour}
	})
	ann, admin := e.join(t, "ann"), e.join(t, "carol")
	admin.token = testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(admin.id), "admin": true})
	rename := func(who person, field, value string) reply {
		return e.do(t, "PATCH", "/v1/users/me", who.token, map[string]any{field: value})
	}
	for i := range model.UsernameBurst {
		rename(ann, "username", fmt.Sprint("annie_", i)).want(t, http.StatusOK, nil)
	}
	wait := func(r reply, limit string, about time.Duration) {
		t.Helper()
		p := r.problem(t, http.StatusTooManyRequests, "limit_reached")
		if p.Limit != limit || p.NextAt == nil || p.FullAt == nil || p.FullAt.Before(*p.NextAt) ||
			!strings.Contains(p.Detail, "The next change is possible at 20") {
			t.Fatalf("problem = %s, want it to name %s and when the next change is possible", r.body, limit)
		}
		after, err := strconv.Atoi(r.header.Get("Retry-After"))
		if d := time.Duration(after) * time.Second; err != nil || d > about || d < about-time.Hour {
			t.Errorf("Retry-After: %q, want about %v", r.header.Get("Retry-After"), about)
		}
	}
	wait(rename(ann, "username", "annie_9"), "usernames", 7*24*time.Hour)
	rename(ann, "nickname", "Ann").want(t, http.StatusOK, nil)
	wait(rename(ann, "avatar", "https://example.com/a.png"), "renames", time.Hour)
	rename(ann, "introduction", "I am Ann").want(t, http.StatusOK, nil)
	rename(ann, "nickname", "Ann").want(t, http.StatusOK, nil) // is no change
	for i := range 2 * model.RenameBurst {
		rename(admin, "nickname", fmt.Sprint("admin ", i)).want(t, http.StatusOK, nil)
	}
}
