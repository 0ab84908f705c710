package api_test

import (
	"bufio"
	"encoding/base64"
	"net"
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
	e.do(t, "PUT", path+"/spare", first, browser("spare")).want(t, http.StatusNoContent, nil)
	have(first, "spare")
	for _, token := range []string{first, second} {
		e.do(t, "POST", "/api/v1/push/subscription", token, map[string]any{"subscription": map[string]any{
			"endpoint": "https://push.example.com/" + model.OAuthHash(token), "standard": true,
			"keys": map[string]any{"p256dh": public, "auth": strings.Repeat("A", 22)}}}).want(t, http.StatusOK, nil)
	}
	one, two := model.AppDeviceID(model.OAuthHash(first)), model.AppDeviceID(model.OAuthHash(second))
	have(ann.token, "laptop", one, two) // the app of the first token has one device
	have(first, one)
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

// A session that has ended registers no device, which would outlive it, also at a process that still takes its tokens.
func TestNoPushAfterSessions(t *testing.T) {
	t.Parallel()
	_, public, err := vapid.Generate()
	testenv.Must(t, err)
	e := newEnv(t, func(o *api.Options) { o.Push = api.Push{VAPIDPublicKey: public} })
	other, _ := e.another(t)
	ann := e.join(t, "ann")
	token := e.appToken(t, ann, "read push")
	for _, one := range []string{ann.token, token} {
		other.do(t, "GET", "/v1/users/me", one, nil).want(t, http.StatusOK, nil)
	}
	nextSecond(t)
	e.do(t, "DELETE", "/v1/users/me/sign-ins", ann.token, nil).want(t, http.StatusNoContent, nil)
	browser := map[string]any{"endpoint": "https://push.example.com/a",
		"keys": map[string]any{"p256dh": public, "auth": strings.Repeat("A", 22)}}
	for _, one := range []string{ann.token, token} {
		other.do(t, "GET", "/v1/users/me", one, nil).want(t, http.StatusOK, nil) // it has not asked
		other.do(t, "PUT", "/v1/users/me/pushSubscriptions/late", one, browser).
			problem(t, http.StatusUnauthorized, "revoked_token")
		other.do(t, "POST", "/api/v1/push/subscription", one, map[string]any{"subscription": browser}).
			want(t, http.StatusUnauthorized, nil)
	}
	if devices, err := e.db.Devices.Of(t.Context(), ann.id); err != nil || len(devices) > 0 {
		t.Errorf("there are the devices %v: %v", devices, err)
	}
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

// What is no token where it is, or is two at once, lets nobody in, and costs no more than a refusal.
func TestTokensElsewhere(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, ben := e.join(t, "ann"), e.join(t, "ben")
	app := e.register(t, "read write")
	var token oauthToken
	r := e.exchange(t, app, e.letIn(t, ann, app.asks("read")), "scope", "read write").want(t, http.StatusOK, &token)
	if token.Scope != "read" || strings.Contains(string(r.body), "refresh") {
		t.Errorf("a token for the consent to read is %s", r.body)
	}
	e.exchange(t, app, "", "grant_type", "refresh_token", "refresh_token", token.AccessToken).
		failure(t, "a refresh token", 400, "unsupported_grant_type")
	e.do(t, "POST", "/v1/tweets", token.AccessToken, map[string]any{"content": "x"}).
		problem(t, http.StatusForbidden, "scope_required")

	for _, path := range []string{"/api/v1/accounts/verify_credentials", "/api/v1/timelines/home", "/oauth/userinfo",
		"/api/v1/apps/verify_credentials", "/v1/users/me"} {
		for _, name := range []string{"access_token", "bearer_token", "token"} {
			e.do(t, "GET", path+"?"+name+"="+token.AccessToken, "", nil).want(t, http.StatusUnauthorized, nil)
		}
		e.do(t, "GET", path, "", nil, "Sec-WebSocket-Protocol", token.AccessToken).want(t, http.StatusUnauthorized, nil)
		e.do(t, "GET", path, "", nil, "Cookie", "access_token="+token.AccessToken).want(t, http.StatusUnauthorized, nil)
	}
	e.do(t, "POST", "/api/v1/statuses", "", "status=x&access_token="+ann.token, "Content-Type", form).
		want(t, http.StatusUnauthorized, nil)

	for _, bad := range []string{token.AccessToken + "%00", token.AccessToken + "\t", token.AccessToken + ",x",
		token.AccessToken + " " + token.AccessToken, "\"" + token.AccessToken + "\"", token.AccessToken + "=",
		strings.Repeat("hibana_at_", 6000), "hibana_at_" + strings.Repeat("A", 60_000), "../../oauthTokens/x"} {
		r := e.do(t, "GET", "/api/v1/timelines/home", "", nil, "Authorization", "Bearer "+bad)
		trimmed := strings.TrimSpace(bad) == token.AccessToken
		if trimmed != (r.status == http.StatusOK) || r.status >= 500 || !trimmed && r.cost(t).Reads > 0 {
			t.Errorf("%.80q: %d %.200s for %+v", bad, r.status, r.body, r.cost(t))
		}
	}
	twice := func(method, path, body, first, second string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, e.url+path, strings.NewReader(body))
		testenv.Must(t, err)
		r.Header["Authorization"] = []string{first, second}
		r.Header.Set("Content-Type", form)
		resp, err := http.DefaultClient.Do(r)
		testenv.Must(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	for _, second := range []string{"Bearer " + ben.token, "Bearer " + token.AccessToken, "Basic eDp5", ""} {
		for _, path := range []string{"/v1/users/me", "/api/v1/timelines/home"} {
			if got := twice("GET", path, "", "Bearer "+token.AccessToken, second); got != http.StatusUnauthorized {
				t.Errorf("%s with a second header %.12q: %d", path, second, got)
			}
		}
		own := "Basic " + base64.StdEncoding.EncodeToString([]byte(app.ClientID+":"+app.Secret))
		got := twice("POST", "/oauth/token", "grant_type=client_credentials", own, second)
		if got != http.StatusBadRequest {
			t.Errorf("an app with a second header %.12q: %d", second, got)
		}
	}
	// A byte that no header has, and a header that is too long, reach no handler.
	for raw, want := range map[string]string{
		"Bearer " + token.AccessToken + "\x00":           "400",
		"Bearer \x00" + token.AccessToken:                "400",
		"Bearer " + token.AccessToken + "\n\tx":          "4",
		"Bearer hibana_at_" + strings.Repeat("A", 2<<20): "431",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(e.url, "http://"))
		testenv.Must(t, err)
		testenv.Must(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
		go func() { // the server may close before it has read everything
			_, _ = conn.Write([]byte("GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: " + raw +
				"\r\n\r\n"))
		}()
		line, _ := bufio.NewReader(conn).ReadString('\n')
		if !strings.HasPrefix(line, "HTTP/1.1 "+want) {
			t.Errorf("%.60q: %q", raw, line)
		}
		conn.Close()
	}
}
