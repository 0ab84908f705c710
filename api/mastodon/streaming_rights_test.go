package mastodon_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A connection that is open does not hear of who was muted or blocked meanwhile, nor posts for followers of others.
func TestStreamingRights(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann := e.join(t, "ann")
	people := map[string]person{}
	for _, name := range []string{"muted", "blocked", "blocker", "friend", "stranger"} {
		people[name] = e.join(t, name)
		if name != "stranger" {
			e.ask(t, ann, "PUT /v1/users/"+people[name].id+"/follow", nil).want(t, http.StatusOK, nil)
		}
	}
	e.idle(t)
	own := e.connect(t, ann, "stream=user")
	own.say(t, `{"type":"subscribe","stream":"public"}`)
	own.say(t, `{"type":"subscribe","stream":"hashtag","tag":"spark"}`)
	own.say(t, `{"type":"subscribe","stream":"none"}`)
	own.want(t, event{` there is no stream "none"`, ""})
	all := func(content string) []event {
		id := statusID(e.post(t, people["friend"], content))
		return []event{{"user update", id}, {"public update", id}, {"hashtag spark update", id}}
	}
	own.want(t, all("before #spark")...)

	e.ask(t, ann, "PUT /v1/users/"+people["muted"].id+"/mute", map[string]any{}).want(t, http.StatusNoContent, nil)
	e.ask(t, ann, "PUT /v1/users/"+people["blocked"].id+"/block", nil).want(t, http.StatusNoContent, nil)
	e.ask(t, people["blocker"], "PUT /v1/users/"+ann.id+"/block", nil).want(t, http.StatusNoContent, nil)
	e.idle(t)
	for _, name := range []string{"muted", "blocked", "blocker"} {
		e.post(t, people[name], "by "+name+" #spark @ann")
	}
	e.ask(t, people["stranger"], "POST /v1/tweets", map[string]any{"content": "for friends #spark",
		"visibility": "followers"}).want(t, http.StatusCreated, nil)
	e.idle(t)
	own.want(t, all("after #spark")...)
	if len(own.heard) > 0 {
		t.Errorf("also heard %q", <-own.heard)
	}
}

// registered is an app.
type registered struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

const appAddress = "https://app.example/cb"

// register registers an app that only reads.
func (e *env) register(t *testing.T) (app registered) {
	t.Helper()
	e.ask(t, person{}, "POST /api/v1/apps", map[string]any{"client_name": "App", "redirect_uris": appAddress,
		"scopes": "read"}).want(t, http.StatusOK, &app)
	return app
}

// letIn lets an app in for scopes, and returns its user with its token.
func (e *env) letIn(t *testing.T, app registered, who person, scope string) person {
	t.Helper()
	var answer struct{ Redirect string }
	e.ask(t, who, "POST /v1/authorizations", map[string]any{"responseType": "code", "clientId": app.ID,
		"redirectUri": appAddress, "scope": scope}).want(t, http.StatusCreated, &answer)
	to, err := url.Parse(answer.Redirect)
	testenv.Must(t, err)
	var token struct {
		Text string `json:"access_token"`
	}
	e.ask(t, person{}, "POST /oauth/token", map[string]any{"grant_type": "authorization_code", "client_id": app.ID,
		"client_secret": app.Secret, "redirect_uri": appAddress, "code": to.Query().Get("code")}).
		want(t, http.StatusOK, &token)
	return person{id: who.id, token: token.Text}
}

// An app hears what its scopes let it read, on a stream that has more, too.
func TestStreamingScopes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	app := e.register(t)
	posts, notices := e.letIn(t, app, ann, "read:statuses"), e.letIn(t, app, ann, "read:notifications")
	e.ask(t, notices, "GET /api/v1/streaming/user", nil).want(t, http.StatusForbidden, nil)
	own, whole := e.connect(t, posts, "stream=user"), e.connect(t, ann, "stream=user")
	own.say(t, `{"type":"subscribe","stream":"user:notification"}`)
	own.want(t, event{" the access token does not have the scope read:notifications", ""})
	e.ask(t, bob, "PUT /v1/users/"+ann.id+"/follow", nil).want(t, http.StatusOK, nil)
	if got := <-whole.heard; got.what != "user notification" {
		t.Errorf("the user heard %q, want the follow", got)
	}
	e.idle(t)
	own.want(t, event{"user update", statusID(e.post(t, ann, "own"))}) // and nothing before it
	all, end := e.listen(t, posts, "user", statusID("000000000000000000")+".0")
	defer end()
	for {
		got := <-all
		if got.event != "update" {
			t.Errorf("an app that resumes heard of a %s", got.event)
		}
		if got.event != "notification" {
			break
		}
	}
}

// A connection ends when its token is taken back.
func TestStreamingRevoked(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann := e.join(t, "ann")
	app := e.register(t)
	letIn := func() person { return e.letIn(t, app, ann, "read") }
	first, second := letIn(), letIn()
	gone, stays := e.connect(t, first, "stream=user"), e.connect(t, second, "stream=user")
	e.ask(t, person{}, "POST /oauth/revoke", map[string]any{"client_id": app.ID, "client_secret": app.Secret,
		"token": first.token}).want(t, http.StatusOK, nil)
	same(t, "the end after that of the token", gone.end(t), websocket.StatusPolicyViolation)
	stays.want(t, event{"user update", statusID(e.post(t, ann, "still here"))})
	e.ask(t, ann, "DELETE /v1/authorizations/"+app.ID, nil).want(t, http.StatusNoContent, nil)
	same(t, "the end after that of the app", stays.end(t), websocket.StatusPolicyViolation)
}

// A client that does not read loses its connection, and its place.
func TestStreamingSlow(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) {
		o.Streaming = &mastodon.Streaming{MostOfUser: 1, Queue: 8, Pace: 10 * time.Millisecond, CheckEvery: time.Hour,
			BeatEvery: time.Hour}
	})
	ann := e.join(t, "ann")
	small := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return c, err
	}}
	conn, resp, err := websocket.Dial(t.Context(), e.url+"/api/v1/streaming?stream=user",
		&websocket.DialOptions{HTTPClient: &http.Client{Transport: small},
			HTTPHeader: http.Header{"Authorization": {"Bearer " + ann.token}}})
	testenv.Must(t, err)
	defer conn.CloseNow()
	same(t, "the answer", resp.StatusCode, http.StatusSwitchingProtocols)
	for _, stream := range []string{"public", "public:local"} {
		testenv.Must(t, conn.Write(t.Context(), websocket.MessageText,
			[]byte(`{"type":"subscribe","stream":"`+stream+`"}`)))
	}
	again := func() int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.url+"/api/v1/streaming/user", nil)
		testenv.Must(t, err)
		r.Header.Set("Authorization", "Bearer "+ann.token)
		resp, err := http.DefaultClient.Do(r)
		testenv.Must(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	same(t, "a second connection", again(), http.StatusTooManyRequests)
	long := strings.Repeat("sparks ", 8_000)
	for range 100 {
		e.post(t, ann, long)
		if again() == http.StatusOK {
			return
		}
	}
	t.Error("the client is still connected")
}
