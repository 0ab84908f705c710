package api_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

const (
	appCB = "https://app.example/cb?keep=1"
	// the example of RFC 7636
	pkceVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	pkceChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// form is the type of a body of names and values.
const form = "application/x-www-form-urlencoded"

// oauthApp is an app as it was registered.
type oauthApp struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Website      *string  `json:"website"`
	Scopes       []string `json:"scopes"`
	RedirectURIs []string `json:"redirect_uris"`
	RedirectURI  string   `json:"redirect_uri"`
	VapidKey     string   `json:"vapid_key"`
	ClientID     string   `json:"client_id"`
	Secret       string   `json:"client_secret"`
	Expires      *int     `json:"client_secret_expires_at"`
}

// oauthFailure is a failure as RFC 6749 says.
type oauthFailure struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// oauthToken is a token as an app gets it.
type oauthToken struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	Scope       string `json:"scope"`
	CreatedAt   int64  `json:"created_at"`
}

// register registers an app with scopes.
func (e *env) register(t *testing.T, scopes string, more ...string) (app oauthApp) {
	t.Helper()
	body := map[string]any{"client_name": "App", "redirect_uris": []string{appCB, "app://cb", model.OutOfBand},
		"scopes": scopes, "website": "https://app.example"}
	for i := 0; i < len(more); i += 2 {
		body[more[i]] = more[i+1]
	}
	e.do(t, "POST", "/api/v1/apps", "", body).want(t, http.StatusOK, &app)
	return app
}

// asks is the request of an app to a user.
func (a oauthApp) asks(scope string, more ...string) map[string]any {
	r := map[string]any{"responseType": "code", "clientId": a.ClientID, "redirectUri": appCB, "scope": scope,
		"state": "a b&c=/?é"}
	for i := 0; i < len(more); i += 2 {
		r[more[i]] = more[i+1]
	}
	return r
}

// letIn is a user's consent. It returns the code.
func (e *env) letIn(t *testing.T, who person, request map[string]any) string {
	t.Helper()
	var out api.Authorization
	e.do(t, "POST", "/v1/authorizations", who.token, request).want(t, http.StatusCreated, &out)
	to, err := url.Parse(out.Redirect)
	if err != nil || !strings.HasPrefix(out.Redirect, appCB+"&") || to.Query().Get("state") != request["state"] {
		t.Errorf("the user is sent to %q", out.Redirect)
	}
	return to.Query().Get("code")
}

// exchange exchanges a code by a form.
func (e *env) exchange(t *testing.T, app oauthApp, code string, more ...string) reply {
	t.Helper()
	values := url.Values{"grant_type": {"authorization_code"}, "client_id": {app.ClientID}, "client_secret": {app.Secret},
		"redirect_uri": {appCB}, "code": {code}}
	for i := 0; i < len(more); i += 2 {
		if values.Set(more[i], more[i+1]); more[i+1] == "" {
			values.Del(more[i])
		}
	}
	return e.do(t, "POST", "/oauth/token", "", values.Encode(), "Content-Type", form)
}

// appToken is a token of a new app for a user.
func (e *env) appToken(t *testing.T, who person, scopes string) string {
	t.Helper()
	app := e.register(t, scopes)
	var token oauthToken
	e.exchange(t, app, e.letIn(t, who, app.asks(scopes))).want(t, http.StatusOK, &token)
	return token.AccessToken
}

// failure checks a failure of OAuth.
func (r reply) failure(t *testing.T, what string, status int, code string) {
	t.Helper()
	var f oauthFailure
	if err := json.Unmarshal(r.body, &f); err != nil || r.status != status || f.Error != code || f.Description == "" {
		t.Errorf("%s: %d %s, want %d %s", what, r.status, r.body, status, code)
	}
	if r.header.Get("Cache-Control") != "no-store" || r.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%s: the headers are %v", what, r.header)
	}
}

// An app registers, asks a user, and acts for the user until the user lets it out.
func TestAppSignsIn(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.PublicURL = "https://hibana.example" })
	ann := e.join(t, "ann")
	app := e.register(t, "read write push")
	if app.Name != "App" || *app.Website != "https://app.example" || !slices.Equal(app.Scopes, []string{"read", "write",
		"push"}) || len(app.RedirectURIs) != 3 || app.RedirectURI != strings.Join(app.RedirectURIs, "\n") ||
		app.Expires == nil || *app.Expires != 0 || app.ID != app.ClientID || app.Secret == "" {
		t.Errorf("the app is %+v", app)
	}
	request := app.asks("read write:statuses", "codeChallenge", pkceChallenge, "codeChallengeMethod", "S256")
	var asked api.RequestedAuthorization
	r := e.do(t, "POST", "/v1/authorizations:check", ann.token, request).want(t, http.StatusOK, &asked)
	if asked.Name != "App" || asked.RedirectURI != appCB || asked.Allowed || strings.Join(asked.Scopes, " ") !=
		"read write:statuses" || r.cost(t) != (meter.Counts{Reads: 2}) || asked.Cancel != appCB+
		"&error=access_denied&iss=https%3A%2F%2Fhibana.example%2F&state=a+b%26c%3D%2F%3F%C3%A9" {
		t.Errorf("the page gets %+v, for %+v", asked, r.cost(t))
	}
	var out api.Authorization
	r = e.do(t, "POST", "/v1/authorizations", ann.token, request).want(t, http.StatusCreated, &out)
	to, err := url.Parse(out.Redirect)
	testenv.Must(t, err)
	code := to.Query().Get("code")
	if r.cost(t) != (meter.Counts{Reads: 2, Writes: 1}) || out.Code != "" ||
		to.Query().Get("iss") != "https://hibana.example/" || to.Query().Get("state") != request["state"] ||
		to.Query().Get("keep") != "1" || to.Host != "app.example" {
		t.Errorf("the user is sent to %q, for %+v", out.Redirect, r.cost(t))
	}
	var token oauthToken
	r = e.exchange(t, app, code, "code_verifier", pkceVerifier).want(t, http.StatusOK, &token)
	if token.TokenType != "Bearer" || token.Scope != "read write:statuses" ||
		time.Since(time.Unix(token.CreatedAt, 0)).Abs() > time.Minute || !model.IsAccessToken(token.AccessToken) ||
		r.header.Get("Cache-Control") != "no-store" || r.cost(t) != (meter.Counts{Reads: 3, Writes: 4}) {
		t.Errorf("the token is %+v, for %+v, with %v", token, r.cost(t), r.header)
	}
	var me api.User
	r = e.do(t, "GET", "/v1/users/me", token.AccessToken, nil).want(t, http.StatusOK, &me)
	if me.ID != ann.id || me.Email != nil || strings.Contains(string(r.body), ann.email) {
		t.Errorf("the app's user is %s", r.body)
	}
	first := r.cost(t)
	again := e.do(t, "GET", "/v1/users/me", token.AccessToken, nil).want(t, http.StatusOK, nil).cost(t)
	if first.Reads != again.Reads+1 || first.Writes != 0 {
		t.Errorf("a request costs %+v, and the next one %+v", first, again)
	}
	e.post(t, person{token: token.AccessToken}, map[string]any{"content": "by an app"})
	var list api.AuthorizedApps
	r = e.do(t, "GET", "/v1/authorizations", ann.token, nil).want(t, http.StatusOK, &list)
	if len(list.Items) != 1 || list.Items[0].ID != app.ClientID || list.Items[0].Name != "App" ||
		strings.Join(list.Items[0].Scopes, " ") != "read write:statuses" || time.Since(list.Items[0].Since) > time.Minute ||
		list.Items[0].Website != "https://app.example" || r.cost(t) != (meter.Counts{Reads: 1}) {
		t.Errorf("the apps are %+v, for %+v", list, r.cost(t))
	}
	r = e.do(t, "DELETE", "/v1/authorizations/"+app.ClientID, ann.token, nil).want(t, http.StatusNoContent, nil)
	if r.cost(t) != (meter.Counts{Reads: 2, Writes: 1, Deletes: 1}) {
		t.Errorf("letting an app out costs %+v", r.cost(t))
	}
	e.do(t, "GET", "/v1/users/me", token.AccessToken, nil).problem(t, http.StatusUnauthorized, "invalid_token")
	for _, id := range []string{app.ClientID, "x", "..%2Fx", string(model.NewClientID())} {
		e.do(t, "DELETE", "/v1/authorizations/"+id, ann.token, nil).problem(t, http.StatusNotFound, "app_not_found")
	}

	r = e.do(t, "GET", "/oauth/authorize?client_id=x&state=a%20b", "", nil).want(t, http.StatusFound, nil)
	if to := r.header.Get("Location"); to != "https://hibana.example/oauth/authorize?client_id=x&state=a%20b" {
		t.Errorf("the page of consent is at %q", to)
	}

	// What apps need besides: a code that is copied, tokens without users, their own end, and who the user is.
	e.do(t, "POST", "/v1/authorizations", ann.token, app.asks("read", "redirectUri", model.OutOfBand)).
		want(t, http.StatusCreated, &out)
	if out.Redirect != "" && out.Code == "" {
		t.Errorf("out of band: %+v", out)
	}
	e.exchange(t, app, out.Code, "redirect_uri", model.OutOfBand).want(t, http.StatusOK, &token)
	var info map[string]string
	e.do(t, "POST", "/oauth/userinfo", token.AccessToken, nil).want(t, http.StatusOK, &info)
	if info["iss"] != "https://hibana.example/" || info["preferred_username"] != "ann" ||
		info["sub"] != "https://hibana.example/users/"+url.PathEscape(string(ann.id)) || len(info) != 6 {
		t.Errorf("the user is %v", info)
	}
	var own oauthApp
	e.do(t, "GET", "/api/v1/apps/verify_credentials", token.AccessToken, nil).want(t, http.StatusOK, &own)
	if own.Name != "App" || own.Secret != "" || own.ClientID != "" {
		t.Errorf("the app sees itself as %+v", own)
	}
	e.do(t, "GET", "/api/v1/apps/verify_credentials", ann.token, nil).want(t, http.StatusUnauthorized, nil)
	e.do(t, "GET", "/api/v1/apps/verify_credentials", "", nil).want(t, http.StatusUnauthorized, nil)
	e.do(t, "POST", "/oauth/revoke", "", map[string]any{"client_id": app.ClientID, "client_secret": app.Secret,
		"token": token.AccessToken}).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/users/me", token.AccessToken, nil).problem(t, http.StatusUnauthorized, "invalid_token")
}

// An app may send forms, multipart forms and JSON, and show who it is in a header.
func TestAppForms(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	const multipart = "--x\r\nContent-Disposition: form-data; name=\"client_name\"\r\n\r\nApp\r\n--x\r\n" +
		"Content-Disposition: form-data; name=\"redirect_uris\"\r\n\r\napp://a\napp://b\r\n--x--\r\n"
	for _, test := range []struct{ media, body string }{
		{form, "client_name=App&redirect_uris=app%3A%2F%2Fa%0Aapp%3A%2F%2Fb"},
		{form, "client_name=App&redirect_uris[]=app://a&redirect_uris[]=app://b&scopes="},
		{"multipart/form-data; boundary=x", multipart},
		{"application/json", `{"client_name":"App","redirect_uris":"app://a\napp://b","website":null}`},
		{"application/json", `{"client_name":"App","redirect_uris":["app://a","app://b"],"scopes":"read"}`},
	} {
		var app oauthApp
		r := e.do(t, "POST", "/api/v1/apps", "", test.body, "Content-Type", test.media, "Origin", "https://elk.zone").
			want(t, http.StatusOK, &app)
		if !slices.Equal(app.RedirectURIs, []string{"app://a", "app://b"}) || !slices.Equal(app.Scopes, []string{"read"}) ||
			app.Website != nil || r.header.Get("Access-Control-Allow-Origin") != "*" ||
			r.header.Get("Access-Control-Allow-Credentials") != "" || r.cost(t) != (meter.Counts{Writes: 1}) {
			t.Errorf("%s: %s, for %+v, with %v", test.body, r.body, r.cost(t), r.header)
		}
		basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(app.ClientID+":"+app.Secret))
		var token oauthToken
		e.do(t, "POST", "/oauth/token", "", `{"grant_type":"client_credentials"}`, "Authorization", basic).
			want(t, http.StatusOK, &token)
		if token.Scope != "read" {
			t.Errorf("the token is %+v", token)
		}
	}
	for body, status := range map[string]int{
		`{"client_name":"App"}`:                                                         http.StatusUnprocessableEntity,
		`{"redirect_uris":"a://"}`:                                                      http.StatusUnprocessableEntity,
		`{"client_name":"App","redirect_uris":"javascript:alert(1)"}`:                   http.StatusUnprocessableEntity,
		`{"client_name":"App","redirect_uris":"a://","scopes":"root"}`:                  http.StatusUnprocessableEntity,
		`{"client_name":"` + strings.Repeat("a", 100_000) + `"}`:                        http.StatusRequestEntityTooLarge,
		`{"client_name":"App","redirect_uris":{"0":"data:,x"}}`:                         http.StatusUnprocessableEntity,
		`{"client_name":"Hi\u202ebana","redirect_uris":"a://"}`:                         http.StatusUnprocessableEntity,
		`{"client_name":"App","redirect_uris":"a://` + strings.Repeat("x", 2000) + `"}`: http.StatusUnprocessableEntity,
		`[]`: http.StatusUnprocessableEntity,
	} {
		if r := e.do(t, "POST", "/api/v1/apps", "", body); r.status != status || !strings.Contains(string(r.body),
			`"error"`) {
			t.Errorf("%.80s: %d %s", body, r.status, r.body)
		}
	}
	var about map[string]any
	r := e.do(t, "GET", "/.well-known/oauth-authorization-server", "", nil).want(t, http.StatusOK, &about)
	if about["issuer"] != e.url+"/" || about["token_endpoint"] != e.url+"/oauth/token" ||
		about["authorization_endpoint"] != e.url+"/oauth/authorize" || r.cost(t) != (meter.Counts{}) {
		t.Errorf("the server says %s", r.body)
	}
}

// The page of consent shows an error of a request that is not in order, and sends nobody anywhere.
func TestAuthorizationRefused(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	app, public := e.register(t, "read write:media"), e.register(t, "read", "token_endpoint_auth_method", "none")
	if public.Secret != "" {
		t.Errorf("an app without a secret has %q", public.Secret)
	}
	for _, test := range []struct {
		request map[string]any
		status  int
		code    string
	}{
		{app.asks("read", "responseType", "token"), 400, "unsupported_response_type"},
		{app.asks("read", "clientId", "x"), 404, "app_not_found"},
		{app.asks("read", "clientId", string(model.NewClientID())), 404, "app_not_found"},
		{app.asks("read", "redirectUri", ""), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", "https://evil.example/"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", appCB+"/"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", appCB+"&x"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", "https://app.example/cb"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", "https://app.example/cb/../cb?keep=1"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", "https://app.example.evil.example/cb?keep=1"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", "https://app.example@evil.example/cb?keep=1"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", "https://APP.example/cb?keep=1"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", "https://app.example./cb?keep=1"), 400, "invalid_redirect_uri"},
		{app.asks("read", "redirectUri", appCB+"#x"), 400, "invalid_redirect_uri"},
		{app.asks("write"), 400, "invalid_scope"},
		{app.asks("read write:statuses"), 400, "invalid_scope"},
		{app.asks("read admin:read"), 400, "invalid_scope"},
		{app.asks("root"), 400, "invalid_scope"},
		{app.asks("read", "codeChallenge", pkceChallenge), 400, "invalid_challenge"},
		{app.asks("read", "codeChallenge", pkceVerifier, "codeChallengeMethod", "plain"), 400, "invalid_challenge"},
		{public.asks("read"), 400, "invalid_challenge"},
		{app.asks("read", "state", strings.Repeat("x", 2001)), 400, "invalid_request"},
	} {
		for _, path := range []string{"/v1/authorizations", "/v1/authorizations:check"} {
			r := e.do(t, "POST", path, ann.token, test.request)
			if r.problem(t, test.status, test.code); strings.Contains(string(r.body), "evil") {
				t.Errorf("%v: %s", test.request, r.body)
			}
		}
	}
	e.do(t, "POST", "/v1/authorizations", "", app.asks("read")).problem(t, http.StatusUnauthorized, "unauthenticated")
	e.do(t, "POST", "/v1/authorizations", signUpAnonymously(t), app.asks("read")).
		problem(t, http.StatusForbidden, "anonymous")
	if n := len(e.documents(t)); n == 0 {
		t.Error("there are no documents")
	}
	codes, err := e.admin.Collection(model.OAuthCodes).Documents(t.Context()).GetAll()
	if testenv.Must(t, err); len(codes) > 0 {
		t.Errorf("%d codes were made", len(codes))
	}
}

// A token is for the app whose secret is shown, for a code of that app alone.
func TestTokenRefused(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	app, other := e.register(t, "read"), e.register(t, "read")
	public := e.register(t, "read", "token_endpoint_auth_method", "none")
	code := e.letIn(t, ann, app.asks("read"))
	e.exchange(t, app, code, "client_secret", "").failure(t, "no secret", 401, "invalid_client")
	e.exchange(t, app, code, "client_secret", other.Secret).failure(t, "another's secret", 401, "invalid_client")
	e.exchange(t, app, code, "client_id", "").failure(t, "no app", 401, "invalid_client")
	e.exchange(t, app, code, "client_id", "../users/ann").failure(t, "a path as app", 401, "invalid_client")
	e.exchange(t, other, code).failure(t, "another app", 400, "invalid_grant")
	e.exchange(t, public, code).failure(t, "another app without a secret", 400, "invalid_grant")
	e.exchange(t, app, code, "redirect_uri", "app://cb").failure(t, "another address", 400, "invalid_grant")
	e.exchange(t, app, code, "redirect_uri", "").failure(t, "no address", 400, "invalid_grant")
	e.exchange(t, app, code, "code_verifier", pkceVerifier).failure(t, "a verifier", 400, "invalid_grant")
	e.exchange(t, app, "").failure(t, "no code", 400, "invalid_grant")
	e.exchange(t, app, code, "grant_type", "").failure(t, "no grant_type", 400, "invalid_request")
	e.exchange(t, app, code, "grant_type", "password").failure(t, "a password", 400, "unsupported_grant_type")
	e.exchange(t, app, code, "grant_type", "client_credentials", "scope", "write").failure(t, "more scopes", 400,
		"invalid_scope")
	e.exchange(t, public, code, "grant_type", "client_credentials").failure(t, "a token for an app without a secret", 400,
		"unauthorized_client")
	e.exchange(t, public, code, "client_secret", app.Secret).failure(t, "a secret of another", 401, "invalid_client")
	e.do(t, "POST", "/oauth/token?code="+code+"&client_secret="+app.Secret, "", "grant_type=authorization_code&client_id="+
		app.ClientID, "Content-Type", form).failure(t, "secrets in the address", 400, "invalid_request")
	for _, body := range []string{"{", "[]", `"x"`, strings.Repeat(" ", 60_000)} {
		if r := e.do(t, "POST", "/oauth/token", "", body); r.status < 400 || r.status >= 500 {
			t.Errorf("%.20q: %d %s", body, r.status, r.body)
		}
	}
	basic := func(text string) reply {
		return e.do(t, "POST", "/oauth/token", "", "grant_type=authorization_code&redirect_uri="+url.QueryEscape(appCB)+
			"&code="+code, "Content-Type", form, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(text)))
	}
	r := basic(app.ClientID + ":" + other.Secret)
	if r.failure(t, "another's secret in the header", 401, "invalid_client"); r.header.Get("WWW-Authenticate") == "" {
		t.Errorf("a refused header is answered with %v", r.header)
	}
	basic("%zz:x").failure(t, "a bad escape", 400, "invalid_request")
	var token oauthToken
	if r = basic(app.ClientID+":"+app.Secret).want(t, http.StatusOK, &token); r.header.Get("WWW-Authenticate") != "" {
		t.Errorf("a header that is right is answered with %v", r.header)
	}
	e.do(t, "GET", "/v1/users/me", token.AccessToken, nil).want(t, http.StatusOK, nil)
	revoke := func(app oauthApp, token string) reply {
		return e.do(t, "POST", "/oauth/revoke", "", map[string]any{"client_id": app.ClientID, "client_secret": app.Secret,
			"token": token})
	}
	revoke(other, token.AccessToken).failure(t, "another's token", 403, "unauthorized_client")
	revoke(oauthApp{ClientID: app.ClientID, Secret: "x"}, token.AccessToken).failure(t, "a wrong secret", 401,
		"invalid_client")
	revoke(app, "").failure(t, "no token", 400, "invalid_request")
	revoke(app, "x").want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/users/me", token.AccessToken, nil).want(t, http.StatusOK, nil)
	// The code a second time: one of the two who have it stole it.
	e.exchange(t, app, code).failure(t, "a used code", 400, "invalid_grant")
	e.do(t, "GET", "/v1/users/me", token.AccessToken, nil).problem(t, http.StatusUnauthorized, "invalid_token")

	code = e.letIn(t, ann, public.asks("read", "codeChallenge", pkceChallenge, "codeChallengeMethod", "S256"))
	e.exchange(t, public, code, "client_secret", "").failure(t, "no verifier", 400, "invalid_grant")
	e.exchange(t, public, code, "client_secret", "", "code_verifier", pkceVerifier).want(t, http.StatusOK, &token)
	e.do(t, "GET", "/v1/users/me?access_token="+token.AccessToken, "", nil).
		problem(t, http.StatusUnauthorized, "unauthenticated")
}

// Each operation says what an app needs for it, and no operation is forgotten.
func TestScopes(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	known := map[string]bool{}
	for _, item := range e.about.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil || op.Security == nil { // probes know no callers
				continue
			}
			known[op.OperationID] = true
			needs := api.Scopes[op.OperationID]
			if needs == "" {
				t.Errorf("%s is in no row of api.Scopes", op.OperationID)
			}
			staff := len(op.Security) == 1 && len(op.Security[0]["firebase"]) > 0
			if admin := strings.HasPrefix(needs, "admin:"); needs != server.NotForApps && admin != staff {
				t.Errorf("%s needs %q, and a role: %t", op.OperationID, needs, staff)
			}
			for _, scope := range strings.Fields(needs) {
				if !slices.Contains(model.Scopes, scope) && scope != server.NotForApps && scope != server.AnyScope {
					t.Errorf("%s needs %q, which is no scope", op.OperationID, scope)
				}
				if op.Method != http.MethodGet && strings.HasPrefix(scope, "read") && op.OperationID != "findAccount" {
					t.Errorf("%s %s needs only %s", op.Method, op.Path, scope)
				}
			}
		}
	}
	for id := range api.Scopes {
		if !known[id] {
			t.Errorf("api.Scopes has %s, which is no operation", id)
		}
	}
}

// An app does what its scopes let it do, never what is for no app, and nothing for which its user has no role. A token
// without a user is no more than a visitor.
func TestAppsMayNot(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	tweet := e.post(t, ann, map[string]any{"content": "x"})
	all := e.appToken(t, ann, "read write follow push profile admin:read admin:write")
	for _, what := range []string{"DELETE /v1/users/me", "POST /v1/users/me/export", "GET /v1/users/me/export",
		"GET /v1/users/me/sign-ins", "DELETE /v1/users/me/sign-ins", "PUT /v1/users/me/terms", "PUT /v1/aliases",
		"POST /v1/move", "GET /v1/authorizations", "POST /v1/authorizations", "POST /v1/orders", "GET /v1/cart",
		"POST /v1/users", "PUT /v1/users/me/agent", "DELETE /v1/authorizations/" + string(model.NewClientID())} {
		method, path, _ := strings.Cut(what, " ")
		e.do(t, method, path, all, map[string]any{}).problem(t, http.StatusForbidden, "not_for_apps")
	}
	e.do(t, "GET", "/v1/admin/reports", all, nil).problem(t, http.StatusForbidden, "not_moderator")
	e.do(t, "GET", "/v1/users", all, nil).problem(t, http.StatusForbidden, "not_admin")

	some := e.appToken(t, ann, "profile read:statuses write:favourites")
	for what, code := range map[string]string{
		"GET /v1/tweets/" + string(tweet.ID): "", "PUT /v1/tweets/" + string(tweet.ID) + "/like": "", "GET /v1/users/me": "",
		"GET /v1/instance": "", "GET /v1/timeline": "",
		"GET /v1/users/" + string(ann.id): "scope_required", "POST /v1/tweets": "scope_required",
		"DELETE /v1/tweets/" + string(tweet.ID): "scope_required", "PATCH /v1/users/me": "scope_required",
		"GET /v1/users/me/bookmarks": "scope_required", "GET /v1/search/tweets?q=x": "scope_required",
	} {
		method, path, _ := strings.Cut(what, " ")
		if r := e.do(t, method, path, some, nil); code != "" {
			r.problem(t, http.StatusForbidden, code)
		} else if r.status >= 300 {
			t.Errorf("%s: %d %s", what, r.status, r.body)
		}
	}
	e.do(t, "GET", "/api/v1/timelines/home", some, nil).want(t, http.StatusOK, nil)
	r := e.do(t, "GET", "/api/v1/timelines/home", e.appToken(t, ann, "push"), nil)
	if r.status != http.StatusForbidden || !strings.Contains(string(r.body), "read:statuses") {
		t.Errorf("an app without read:statuses reads: %d %s", r.status, r.body)
	}

	app := e.register(t, "read write")
	var own oauthToken
	e.exchange(t, app, "", "grant_type", "client_credentials", "scope", "read write").want(t, http.StatusOK, &own)
	r = e.do(t, "GET", "/v1/tweets/"+string(tweet.ID), own.AccessToken, nil).want(t, http.StatusOK, nil)
	if r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("an answer to an app has %v", r.header)
	}
	e.do(t, "GET", "/v1/users/me", own.AccessToken, nil).problem(t, http.StatusUnauthorized, "unauthenticated")
	e.do(t, "POST", "/v1/tweets", own.AccessToken, map[string]any{"content": "x"}).
		problem(t, http.StatusUnauthorized, "unauthenticated")
	e.do(t, "GET", "/api/v1/apps/verify_credentials", own.AccessToken, nil).want(t, http.StatusOK, nil)
	for _, bad := range []string{model.NewAccessToken(), all + "x", strings.ToUpper(all), "hibana_at_", app.Secret} {
		e.do(t, "GET", "/v1/instance", bad, nil).problem(t, http.StatusUnauthorized, "invalid_token")
	}
}

// The limits of an address come before the read of a token, and an address registers so many apps.
func TestLimitsOfApps(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "address-requests=6/minute,address-apps=2/day"))
	from := []string{"X-Forwarded-For", "192.0.2.1"}
	body := map[string]any{"client_name": "App", "redirect_uris": "a://"}
	for range 2 {
		e.do(t, "POST", "/api/v1/apps", "", body, from...).want(t, http.StatusOK, nil)
	}
	if r := e.do(t, "POST", "/api/v1/apps", "", body, from...); r.status != http.StatusTooManyRequests {
		t.Errorf("a third app: %d %s", r.status, r.body)
	}
	e.do(t, "POST", "/api/v1/apps", "", body, "X-Forwarded-For", "192.0.2.2").want(t, http.StatusOK, nil)
	refused := 0
	for range 6 {
		r := e.do(t, "GET", "/v1/instance", model.NewAccessToken(), nil, from...)
		if r.status == http.StatusTooManyRequests {
			if refused++; r.cost(t).Reads != 0 {
				t.Errorf("a refused token costs %+v", r.cost(t))
			}
		}
	}
	if refused < 2 {
		t.Errorf("%d of 6 bad tokens were refused for the limit", refused)
	}
}
