package testenv

import (
	"crypto/rand"
	"crypto/rsa"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// Google replaces the service accounts of Google: it signs ID tokens of service accounts, and its client gets its
// public keys instead of Google's, from a loopback server.
type Google struct {
	keys   *AppCheck // the same form of keys
	server *httptest.Server
	down   atomic.Bool
}

// NewGoogle returns a Google with a key of its own.
func NewGoogle(t testing.TB) *Google {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	Must(t, err)
	g := &Google{keys: &AppCheck{keys: map[string]*rsa.PrivateKey{"google": k}}}
	g.server = httptest.NewServer(g.keys)
	t.Cleanup(g.server.Close)
	return g
}

// Client returns a client whose requests all go to the keys.
func (g *Google) Client() *http.Client { return &http.Client{Transport: g} }

// RoundTrip implements [http.RoundTripper].
func (g *Google) RoundTrip(r *http.Request) (*http.Response, error) {
	r, err := http.NewRequestWithContext(r.Context(), http.MethodGet, g.server.URL, nil)
	if err != nil {
		return nil, err
	}
	if g.down.Load() {
		return nil, http.ErrServerClosed
	}
	return http.DefaultTransport.RoundTrip(r)
}

// Down makes the keys unreachable.
func (g *Google) Down() { g.down.Store(true) }

// Token is an ID token of a service account for an audience, with the changes of change.
func (g *Google) Token(t testing.TB, account, audience string, change func(header, claims map[string]any)) string {
	t.Helper()
	return g.keys.Token(t, "", func(header, claims map[string]any) {
		clear(claims)
		maps.Copy(claims, map[string]any{
			"iss": "https://accounts.google.com", "aud": audience, "azp": "1234", "sub": "1234", "email": account,
			"email_verified": true,
			"iat":            time.Now().Add(-time.Minute).Unix(), "exp": time.Now().Add(time.Hour).Unix(),
		})
		if change != nil {
			change(header, claims)
		}
	})
}
