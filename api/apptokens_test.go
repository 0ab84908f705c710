package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/model"
)

// An app gets messages by its own token alone, and none after the end of that token. It neither sees nor changes other
// devices of its user.
func TestPushOfApps(t *testing.T) {
	t.Parallel()
	_, public, err := vapid.Generate()
	testenv.Must(t, err)
	e := newEnv(t, func(o *api.Options) { o.Push = api.Push{VAPIDPublicKey: public, FCM: true} })
	ann := e.join(t, "ann")
	const path = "/v1/users/me/pushSubscriptions"
	browser := func(name string) map[string]any {
		return map[string]any{"endpoint": "https://push.example.com/" + name,
			"keys": map[string]any{"p256dh": public, "auth": strings.Repeat("A", 22)},
			"app":  map[string]any{"alerts": []string{"mention"}}}
	}
	have := func(token string, want ...string) {
		t.Helper()
		var all server.List[api.PushSubscription]
		e.do(t, "GET", path, token, nil).want(t, http.StatusOK, &all)
		got := map[string]bool{}
		for _, d := range all.Items {
			got[d.ID] = true
		}
		for _, id := range want {
			if !got[id] || len(got) != len(want) {
				t.Errorf("there are the devices %v, want %q", got, want)
			}
		}
		if len(want) == 0 && len(got) > 0 {
			t.Errorf("there are the devices %v", got)
		}
	}
	app := e.register(t, "read push")
	signIn := func() string {
		var token oauthToken
		e.exchange(t, app, e.letIn(t, ann, app.asks("read push"))).want(t, http.StatusOK, &token)
		return token.AccessToken
	}
	first, second := signIn(), signIn()
	e.do(t, "PUT", path+"/laptop", ann.token, browser("laptop")).want(t, http.StatusNoContent, nil)
	for _, token := range []string{first, second} {
		e.do(t, "POST", "/api/v1/push/subscription", token, map[string]any{"subscription": map[string]any{
			"endpoint": "https://push.example.com/" + model.OAuthHash(token), "standard": true,
			"keys": map[string]any{"p256dh": public, "auth": strings.Repeat("A", 22)}}}).want(t, http.StatusOK, nil)
	}
	e.do(t, "PUT", path+"/spare", first, browser("spare")).want(t, http.StatusNoContent, nil)
	one, two := model.AppDeviceID(model.OAuthHash(first)), model.AppDeviceID(model.OAuthHash(second))
	have(ann.token, "laptop", "spare", one, two)
	have(first, "spare", one)
	have(second, two)
	for _, id := range []string{"laptop", two} {
		e.do(t, "PUT", path+"/"+id, first, browser("other")).problem(t, http.StatusForbidden, "not_for_apps")
		e.do(t, "PATCH", path+"/"+id, first, map[string]any{"alerts": []string{"poll"}}).
			problem(t, http.StatusForbidden, "not_for_apps")
		e.do(t, "DELETE", path+"/"+id, first, nil).problem(t, http.StatusForbidden, "not_for_apps")
	}
	e.do(t, "POST", "/oauth/revoke", "", map[string]any{"client_id": app.ClientID, "client_secret": app.Secret,
		"token": first}).want(t, http.StatusOK, nil)
	have(ann.token, "laptop", two)
	e.do(t, "DELETE", "/v1/authorizations/"+app.ClientID, ann.token, nil).want(t, http.StatusNoContent, nil)
	have(ann.token, "laptop")
	again := signIn()
	have(again)
	e.do(t, "PUT", path+"/"+one, again, browser("again")).want(t, http.StatusNoContent, nil)
	e.do(t, "DELETE", path+"/"+one, ann.token, nil).want(t, http.StatusNoContent, nil) // the user removes all
	have(ann.token, "laptop")
}

// A request that is refused leaves no trace at the token: its last use is that of a request that was answered.
func TestRefusedIsNoUse(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, ben := e.join(t, "ann"), e.join(t, "ben")
	token, other := e.appToken(t, ann, "read:accounts"), e.appToken(t, ben, "read")
	last := func(token string) time.Time {
		t.Helper()
		var is model.OAuthToken
		snap, err := e.admin.Collection(model.OAuthTokens).Doc(model.OAuthHash(token)).Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&is))
		return is.LastUsedAt
	}
	first, firstOther := last(token), last(other)
	testenv.Must(t, accounts.New(emulators.DefaultProject).Delete(t.Context(), ben.id))
	fresh, ahead := e.another(t)
	ahead.Store(int64(48 * time.Hour))
	refused := func(r reply) {
		t.Helper()
		if c := r.cost(t); r.status < 400 || c.Writes > 0 {
			t.Errorf("a request is answered %d %s, for %+v", r.status, r.body, c)
		}
	}
	refused(fresh.do(t, "GET", "/v1/users/me", other, nil))
	refused(fresh.do(t, "GET", "/v1/users/me/bookmarks", token, nil))
	refused(fresh.do(t, "GET", "/v1/authorizations", token, nil))
	refused(fresh.do(t, "GET", "/api/v1/timelines/home", token, nil))
	if !last(token).Equal(first) || !last(other).Equal(firstOther) {
		t.Error("a refused request was noted as a use")
	}
	r := fresh.do(t, "GET", "/v1/users/me", token, nil).want(t, http.StatusOK, nil)
	if c := r.cost(t); c.Writes != 2 || !last(token).After(first.Add(24*time.Hour)) {
		t.Errorf("a request was noted at %v, for %+v", last(token), c)
	}
}

// One account that floods, by ID tokens or by an app, leaves the budget of its address to the others there.
func TestFloodOfOne(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "requests=8/minute,address-requests=30/minute"))
	ann, ben := e.join(t, "ann"), e.join(t, "ben")
	from := []string{"X-Forwarded-For", "192.0.2.1"}
	app := e.appToken(t, ann, "read")
	for _, token := range []string{ann.token, app} {
		for range 40 {
			e.do(t, "GET", "/v1/instance", token, nil, from...)
		}
		e.do(t, "GET", "/v1/instance", token, nil, from...).limited(t, "requests-minute")
	}
	e.do(t, "GET", "/v1/instance", ben.token, nil, from...).want(t, http.StatusOK, nil)
	// Who tries tokens is a visitor, and the address pays for the reads.
	limited := 0
	for range 40 {
		if e.do(t, "GET", "/v1/instance", model.NewAccessToken(), nil, from...).status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited == 0 {
		t.Error("the address tries as many tokens as it likes")
	}
}
