package mastodon_test

import (
	"net/http"
	"testing"
)

// withApp registers an app, with a token of its own.
func (w *world) withApp(t testing.TB) {
	t.Helper()
	var app struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	w.ask(t, person{}, "POST /api/v1/apps", map[string]any{"client_name": "App", "redirect_uris": "app://",
		"scopes": "read write"}).want(t, http.StatusOK, &app)
	var token struct {
		Text string `json:"access_token"`
	}
	w.ask(t, person{}, "POST /oauth/token", map[string]any{"grant_type": "client_credentials", "client_id": app.ID,
		"client_secret": app.Secret}).want(t, http.StatusOK, &token)
	w.ids["client"], w.ids["secret"], w.ids["apptoken"] = app.ID, app.Secret, token.Text
	w.people["app"] = person{token: token.Text}
}

func oauthSamples() []sample {
	app := func(more map[string]any) map[string]any {
		more["client_id"], more["client_secret"] = "{client}", "{secret}"
		return more
	}
	return []sample{
		{of: "POST /api/v1/apps", body: map[string]any{"client_name": "App", "redirect_uris": []string{"app://"}}},
		{of: "GET /api/v1/apps/verify_credentials", by: "app"},
		{of: "POST /oauth/token", body: app(map[string]any{"grant_type": "client_credentials"})},
		{of: "POST /oauth/revoke", body: app(map[string]any{"token": "{apptoken}"})},
		{of: "GET /oauth/userinfo"},
		{of: "POST /oauth/userinfo"},
		{of: "GET /.well-known/oauth-authorization-server"},
	}
}
