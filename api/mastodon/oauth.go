package mastodon

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Apps keeps apps and their tokens: store/oauth.
type Apps interface {
	CreateApp(ctx context.Context, app model.OAuthApp, public bool) (_ *model.OAuthApp, secret string, err error)
	App(ctx context.Context, id model.ClientID) (*model.OAuthApp, error)
	Exchange(ctx context.Context, app *model.OAuthApp, code, redirectURI, verifier string) (string, *model.OAuthToken,
		error)
	Issue(ctx context.Context, id model.ClientID, scopes []string) (string, *model.OAuthToken, error)
	Revoke(ctx context.Context, app model.ClientID, token string) error
}

// maxOAuthBody is the limit of the body of a request of OAuth in bytes: the longest is that of an app with all redirect
// URIs, escaped.
const maxOAuthBody = 48 << 10

// oauthMethods are apps, and the part of OAuth 2 that is for apps. The page that asks a user is one of the web client.
func oauthMethods() []Method {
	return []Method{
		post("/api/v1/apps", "", createApp).public().forApps(fail).
			note("token_endpoint_auth_method none makes an app without a secret, which must use PKCE"),
		get("/api/v1/apps/verify_credentials", "", verifyApp).public(),
		post("/oauth/token", "", token).public().forApps(failOAuth),
		post("/oauth/revoke", "", revoke).public().forApps(failOAuth),
		get("/oauth/userinfo", "profile read:accounts", userInfo),
		post("/oauth/userinfo", "profile read:accounts", userInfo).reads(),
		get("/.well-known/oauth-authorization-server", "", serverMetadata).public(),
	}
}

// forApps makes a method one in which an app shows who it is by itself, and whose failures have a form.
func (m Method) forApps(fails func(http.ResponseWriter, server.Problem)) Method {
	m.Marks, m.Most, m.fails = append(m.Marks, server.OwnAuthorization), maxOAuthBody, fails
	return m
}

// reads makes a method one that changes nothing, although it is no GET: a frozen user may call it.
func (m Method) reads() Method {
	m.Marks = append(m.Marks, server.ForFrozen)
	return m
}

// Application is the entity of an app, for itself.
type Application struct {
	ID           model.ClientID `json:"id"`
	Name         string         `json:"name"`
	Website      *string        `json:"website"`
	Scopes       []string       `json:"scopes"`
	RedirectURIs []string       `json:"redirect_uris"`
	RedirectURI  string         `json:"redirect_uri"`
	VapidKey     string         `json:"vapid_key"`

	*Credentials
}

// Credentials are the part of an app that is shown once.
type Credentials struct {
	ClientID              model.ClientID `json:"client_id"`
	ClientSecret          string         `json:"client_secret,omitempty"`
	ClientSecretExpiresAt int            `json:"client_secret_expires_at"`
}

// application makes the entity of an app.
func (c *call) application(app *model.OAuthApp) (*Application, error) {
	var push struct {
		PublicKey string `json:"vapidPublicKey"`
	}
	if err := c.get(native("push"), nil, &push); err != nil {
		return nil, err
	}
	a := &Application{ID: app.ID, Name: app.Name, Scopes: app.Scopes, RedirectURIs: app.RedirectURIs,
		RedirectURI: strings.Join(app.RedirectURIs, "\n"), VapidKey: push.PublicKey}
	if app.Website != "" {
		a.Website = &app.Website
	}
	return a, nil
}

// createApp registers an app. Anybody may, so the limits are those of an address.
//
// Cost: 1 write.
func createApp(c *call) (any, error) {
	var redirects []string
	for _, text := range c.params.texts("redirect_uris") {
		redirects = append(redirects, strings.Fields(text)...)
	}
	app, err := model.NewOAuthApp(c.params.text("client_name"), c.params.text("website"), redirects,
		strings.Join(c.params.texts("scopes"), " "))
	if err != nil {
		return nil, err
	}
	made, secret, err := c.api.Apps.CreateApp(c, app, c.params.text("token_endpoint_auth_method") == "none")
	if err != nil {
		return nil, err
	}
	a, err := c.application(made)
	if err != nil {
		return nil, err
	}
	a.Credentials = &Credentials{ClientID: made.ID, ClientSecret: secret}
	return a, nil
}

// verifyApp shows an app what it is, by a token of its own or of a user.
//
// Cost: 1 read.
func verifyApp(c *call) (any, error) {
	id := c.caller().App
	if id == "" {
		return nil, errs.New(errs.Unauthenticated, "invalid_token", "this is for apps, with an access token")
	}
	app, err := c.api.Apps.App(c, id)
	if errs.KindOf(err) == errs.NotFound {
		return nil, errs.New(errs.Unauthenticated, "invalid_token", "the app of this access token is gone")
	}
	if err != nil {
		return nil, err
	}
	return c.application(app)
}

// secretParams are never taken from an address: addresses are in logs and histories.
var secretParams = []string{"client_secret", "code", "code_verifier", "token", "access_token"}

// app is the app that sends a request, which its secret proves, in the header Authorization or in the body. An app
// without a secret has its client_id alone. Anything else is invalid_client.
//
// Cost: 1 read.
func (c *call) app() (*model.OAuthApp, error) {
	query := c.request.URL.Query()
	if i := slices.IndexFunc(secretParams, query.Has); i >= 0 {
		return nil, invalid("%s must be in the body", secretParams[i])
	}
	id, secret := c.params.text("client_id"), c.params.text("client_secret")
	if name, password, ok := c.request.BasicAuth(); ok {
		name, err := url.QueryUnescape(name)
		if err != nil || id != "" && id != name || secret != "" {
			return nil, invalid("an app shows who it is once: in the header Authorization, or in the body")
		}
		if password, err = url.QueryUnescape(password); err != nil {
			return nil, invalid("the header Authorization has a %% that begins no escape")
		}
		id, secret = name, password
		c.header.Set("WWW-Authenticate", `Basic realm="OAuth"`) // of a failure
	}
	parsed, err := model.ParseClientID(id)
	if err != nil {
		return nil, errClient()
	}
	app, err := c.api.Apps.App(c, parsed)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return nil, errClient()
	case err != nil:
		return nil, err
	case app.Public() && secret != "", !app.Public() && !app.HasSecret(secret):
		return nil, errClient()
	}
	c.header.Del("WWW-Authenticate")
	return app, nil
}

func errClient() error {
	return errs.New(errs.Unauthenticated, "invalid_client", "the app is unknown, or its secret is another one")
}

// Token is the entity of an access token.
type Token struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	Scope       string `json:"scope"`
	CreatedAt   int64  `json:"created_at"`
}

// token gives an app a token: for a code of a user, or for itself.
//
// Cost: 1 read, and what the exchange costs.
func token(c *call) (any, error) {
	app, err := c.app()
	if err != nil {
		return nil, err
	}
	var text string
	var t *model.OAuthToken
	switch grant := c.params.text("grant_type"); grant {
	case "authorization_code":
		text, t, err = c.api.Apps.Exchange(c, app, c.params.text("code"), c.params.text("redirect_uri"),
			c.params.text("code_verifier"))
	case "client_credentials":
		if app.Public() {
			return nil, errs.New(errs.Invalid, "unauthorized_client", "an app without a secret has no token for itself")
		}
		var scopes []string
		if scopes, err = app.ScopesFor(c.params.text("scope")); err == nil {
			text, t, err = c.api.Apps.Issue(c, app.ID, scopes)
		}
	case "":
		return nil, invalid("grant_type is missing")
	default:
		return nil, errs.New(errs.Invalid, "unsupported_grant_type", "grant_type must be authorization_code or "+
			"client_credentials")
	}
	if err != nil {
		return nil, err
	}
	return Token{text, "Bearer", strings.Join(t.Scopes, " "), t.LastUsedAt.Unix()}, nil
}

// revoke ends a token of the app. A token that is none is no error.
//
// Cost: 2 reads; 1 read, 1 write and 1 delete more for a token of a user.
func revoke(c *call) (any, error) {
	app, err := c.app()
	if err != nil {
		return nil, err
	}
	if c.params.text("token") == "" {
		return nil, invalid("token is missing")
	}
	return nil, c.api.Apps.Revoke(c, app.ID, c.params.text("token"))
}

// UserInfo is who a token's user is, in the words of OpenID Connect.
type UserInfo struct {
	Issuer   string `json:"iss"`
	Subject  string `json:"sub"`
	Name     string `json:"name"`
	Username string `json:"preferred_username"`
	Profile  string `json:"profile"`
	Picture  string `json:"picture"`
}

func userInfo(c *call) (any, error) {
	var me nativeUser
	if err := c.get(native("users", "me"), nil, &me); err != nil {
		return nil, err
	}
	a := c.account(&me)
	return UserInfo{Issuer: c.issuer(), Subject: a.URI, Name: a.DisplayName, Username: a.Username, Profile: a.URL,
		Picture: a.Avatar}, nil
}

// issuer names the installation to apps: by the address of its pages, or by the origin at which they reach the API. It
// has a slash at its end, as Mastodon has it.
func (c *call) issuer() string { return cmp.Or(c.api.Site.URL, server.Origin(c)) + "/" }

// ServerMetadata says where and how an app signs a user in (RFC 8414).
type ServerMetadata struct {
	Issuer            string   `json:"issuer"`
	Documentation     string   `json:"service_documentation"`
	Authorization     string   `json:"authorization_endpoint"`
	Token             string   `json:"token_endpoint"`
	Registration      string   `json:"app_registration_endpoint"`
	Revocation        string   `json:"revocation_endpoint"`
	UserInfo          string   `json:"userinfo_endpoint"`
	Scopes            []string `json:"scopes_supported"`
	ResponseTypes     []string `json:"response_types_supported"`
	ResponseModes     []string `json:"response_modes_supported"`
	GrantTypes        []string `json:"grant_types_supported"`
	ClientMethods     []string `json:"token_endpoint_auth_methods_supported"`
	RevocationMethods []string `json:"revocation_endpoint_auth_methods_supported"`
	ChallengeMethods  []string `json:"code_challenge_methods_supported"`
	NamesIssuer       bool     `json:"authorization_response_iss_parameter_supported"`
}

func serverMetadata(c *call) (any, error) {
	at := c.issuer()
	clients := []string{"client_secret_basic", "client_secret_post", "none"}
	return ServerMetadata{
		Issuer: at, Documentation: "https://docs.joinmastodon.org/", Authorization: at + "oauth/authorize",
		Token: at + "oauth/token", Registration: at + "api/v1/apps", Revocation: at + "oauth/revoke",
		UserInfo: at + "oauth/userinfo", Scopes: model.Scopes, ResponseTypes: []string{"code"},
		ResponseModes: []string{"query"}, GrantTypes: []string{"authorization_code", "client_credentials"},
		ClientMethods: clients, RevocationMethods: clients, ChallengeMethods: []string{"S256"},
		NamesIssuer: true,
	}, nil
}

// oauthErrors are the codes of RFC 6749 that problems have as they are.
var oauthErrors = []string{"invalid_client", "invalid_grant", "invalid_scope", "unauthorized_client",
	"unsupported_grant_type"}

// failOAuth writes a failure as RFC 6749 says.
func failOAuth(w http.ResponseWriter, p server.Problem) {
	code := "invalid_request"
	switch {
	case slices.Contains(oauthErrors, p.Code):
		code = p.Code
	case p.Status == http.StatusServiceUnavailable, p.Status == http.StatusTooManyRequests:
		code = "temporarily_unavailable"
	case p.Status >= http.StatusInternalServerError:
		code = "server_error"
	}
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(struct { //nolint:errchkjson // strings
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{code, p.Detail})
}
