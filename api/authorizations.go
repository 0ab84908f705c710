package api

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// AuthorizationRequest is what an app asks a user for, as RFC 6749 and RFC 7636 name it.
type AuthorizationRequest struct {
	ResponseType        string `json:"responseType" maxLength:"40" doc:"code: there is no other" example:"code"`
	ClientID            string `json:"clientId" maxLength:"100" doc:"The client_id of the app"`
	RedirectURI         string `json:"redirectUri" maxLength:"1000" doc:"One of the redirect URIs that the app registered, byte for byte"`
	Scope               string `json:"scope,omitempty" maxLength:"2000" doc:"The scopes, between spaces; read if absent" example:"read write follow"`
	State               string `json:"state,omitempty" maxLength:"2000" doc:"Returned as it is"`
	CodeChallenge       string `json:"codeChallenge,omitempty" maxLength:"200" doc:"Of PKCE. An app without a secret must send one"`
	CodeChallengeMethod string `json:"codeChallengeMethod,omitempty" maxLength:"40" doc:"S256: there is no other" example:"S256"`
}

// RequestedAuthorization is what a page shows to a user whom an app asks.
type RequestedAuthorization struct {
	Name        string   `json:"name" doc:"What the app calls itself: a claim of whoever registered it"`
	Website     string   `json:"website,omitempty" doc:"A claim, too"`
	RedirectURI string   `json:"redirectUri" doc:"Where the answer goes, which tells more than the name"`
	Scopes      []string `json:"scopes" nullable:"false"`
	Cancel      string   `json:"cancel,omitempty" doc:"The address that tells the app that the user does not agree; absent for an app that cannot be reached"`
	Allowed     bool     `json:"allowed" doc:"True if the user let this app in before"`
}

// Authorization is the answer to an app that a user let in.
type Authorization struct {
	Redirect string `json:"redirect,omitempty" doc:"The address of the app, with code, state and iss"`
	Code     string `json:"code,omitempty" doc:"In the place of an address, for an app that cannot be reached: the user copies it"`
}

// AuthorizedApp is an app that the caller let in.
type AuthorizedApp struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Website    string    `json:"website,omitempty"`
	Scopes     []string  `json:"scopes" nullable:"false" doc:"What it may do"`
	Since      time.Time `json:"since"`
	LastUsedAt time.Time `json:"lastUsedAt" doc:"To a day"`
}

// AuthorizedApps are the apps that the caller let in.
type AuthorizedApps struct {
	Items []AuthorizedApp `json:"items" nullable:"false" doc:"The last used first, at most 100"`
}

// authorizations adds the operations by which users let apps in and out. No app may call them.
func (s *service) authorizations() {
	s.consentPage()
	free := map[string]any{server.ForFrozen: true, server.WithoutConsent: true}
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/authorizations", OperationID: "listApps", Tags: []string{"apps"},
		Summary: "List the apps that the caller let in",
	}, func(ctx context.Context, _ *nothing) (*struct{ Body AuthorizedApps }, error) {
		g, err := s.OAuth.Grants(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body AuthorizedApps }{AuthorizedApps{Items: []AuthorizedApp{}}}
		for _, id := range slices.Sorted(maps.Keys(g.Apps)) {
			is := g.Apps[id]
			out.Body.Items = append(out.Body.Items, AuthorizedApp{ID: id, Name: is.Name, Website: is.Website,
				Scopes: is.Scopes, Since: is.Since, LastUsedAt: is.LastUsedAt})
		}
		slices.SortStableFunc(out.Body.Items, func(a, b AuthorizedApp) int { return b.LastUsedAt.Compare(a.LastUsedAt) })
		return out, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/authorizations:check", OperationID: "getAuthorizationRequest",
		Tags: []string{"apps"}, DefaultStatus: http.StatusOK,
		Summary:     "Check what an app asks for, without an answer",
		Description: "For the page that asks the user. The request is one with a body, because addresses are in logs.",
		Errors:      []int{http.StatusNotFound}, Metadata: free,
	}, func(ctx context.Context, in *struct{ Body AuthorizationRequest }) (*struct{ Body RequestedAuthorization }, error) {
		app, code, err := s.requestOf(ctx, &in.Body)
		if err != nil {
			return nil, err
		}
		g, err := s.OAuth.Grants(ctx, code.UserID)
		if err != nil {
			return nil, err
		}
		_, allowed := g.Apps[string(app.ID)]
		out := RequestedAuthorization{Name: app.Name, Website: app.Website, RedirectURI: code.RedirectURI,
			Scopes: code.Scopes, Allowed: allowed}
		if code.RedirectURI != model.OutOfBand {
			out.Cancel = s.redirect(ctx, code.RedirectURI, in.Body.State, "error", "access_denied")
		}
		return &struct{ Body RequestedAuthorization }{out}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/authorizations", OperationID: "authorizeApp", Tags: []string{"apps"},
		DefaultStatus: http.StatusCreated, Summary: "Let an app in",
		Description: "The caller agrees that an app acts in the caller's name, within scopes. The app exchanges the code " +
			"for an access token within 10 minutes, at POST /oauth/token. No app may call this.",
		Errors: []int{http.StatusNotFound, http.StatusConflict}, Metadata: map[string]any{server.VerifiedNow: true},
	}, func(ctx context.Context, in *struct{ Body AuthorizationRequest }) (*struct{ Body Authorization }, error) {
		_, code, err := s.requestOf(ctx, &in.Body)
		if err != nil {
			return nil, err
		}
		text, err := s.OAuth.Authorize(ctx, code)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body Authorization }{Authorization{Code: text}}
		if code.RedirectURI != model.OutOfBand {
			out.Body = Authorization{Redirect: s.redirect(ctx, code.RedirectURI, in.Body.State, "code", text)}
		}
		return out, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/authorizations/{id}", OperationID: "removeApp", Tags: []string{"apps"},
		DefaultStatus: http.StatusNoContent, Summary: "Let an app out",
		Description: "All access tokens that the app has for the caller end: in this instance at once, and in others " +
			"within a minute. The app gets no more notifications of the caller.",
		Errors: []int{http.StatusNotFound}, Metadata: free,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"100" doc:"The id of the app"`
	}) (*nothing, error) {
		id, err := model.ParseClientID(in.ID)
		if err != nil {
			return nil, err
		}
		return nil, s.OAuth.Remove(ctx, server.Caller(ctx).UID, id)
	})
}

// requestOf checks what an app asks the caller for, and returns the app, and the code that it would get. All errors are
// for the user's page: nothing is sent to a redirect URI that is not the app's.
//
// Cost: 1 read; nothing for a request that is wrong in itself.
func (s *service) requestOf(ctx context.Context, r *AuthorizationRequest) (app *model.OAuthApp, code model.OAuthCode,
	err error) {
	if r.ResponseType != "code" {
		return nil, code, errs.New(errs.Invalid, "unsupported_response_type", "response_type must be code")
	}
	id, err := model.ParseClientID(r.ClientID)
	if err != nil {
		return nil, code, err
	}
	if app, err = s.OAuth.App(ctx, id); err != nil {
		return nil, code, err
	}
	if !app.Redirects(r.RedirectURI) {
		return nil, code, errs.New(errs.Invalid, "invalid_redirect_uri", "the app did not register this redirect_uri")
	}
	code = model.OAuthCode{UserID: server.Caller(ctx).UID, ClientID: app.ID, RedirectURI: r.RedirectURI}
	if code.Scopes, err = app.ScopesFor(r.Scope); err != nil {
		return nil, code, err
	}
	if code.Challenge, err = model.ParseChallenge(r.CodeChallenge, r.CodeChallengeMethod); err != nil {
		return nil, code, err
	}
	if app.Public() && code.Challenge == "" {
		return nil, code, errs.New(errs.Invalid, "invalid_challenge", "an app without a secret must send a code_challenge")
	}
	return app, code, nil
}

// redirect is the address of an answer to an app. It names the installation, as its metadata does (RFC 9207).
func (s *service) redirect(ctx context.Context, uri, state, name, value string) string {
	values := url.Values{name: {value}, "iss": {cmp.Or(s.PublicURL, server.Origin(ctx)) + "/"}}
	if state != "" {
		values.Set("state", state)
	}
	return model.RedirectTo(uri, values)
}

// consentPage leads apps that ask at the address of the API to the page of the web client, where that is elsewhere.
func (s *service) consentPage() {
	if s.Web.Files != nil || s.PublicURL == "" {
		return
	}
	s.Foreign(server.Foreign{Method: http.MethodGet, Path: "/oauth/authorize", Name: "GET /oauth/authorize",
		Who: server.Anybody, Marks: []string{server.OwnAuthorization}, Fails: func(w http.ResponseWriter, p server.Problem) {
			http.Error(w, p.Detail, p.Status)
		},
		Handle: func(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
			if at, err := url.Parse(s.PublicURL); err != nil || at.Host == r.Host {
				return errs.New(errs.NotFound, "route_not_found", "the web client is not here")
			}
			w.Header().Set("Location", s.PublicURL+"/oauth/authorize?"+r.URL.RawQuery)
			w.WriteHeader(http.StatusFound)
			return nil
		}})
}
