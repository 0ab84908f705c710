package testenv

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"firebase.google.com/go/v4/appcheck"
)

// AppCheck replaces App Check: it signs tokens, and serves its public keys over HTTP. A process has one at a time.
type AppCheck struct {
	mu   sync.Mutex
	keys map[string]*rsa.PrivateKey
	down bool
	hang chan struct{} // answers wait for it
}

// present is the App Check of the test that runs.
var present atomic.Pointer[AppCheck]

// serveKeys sets the key address of the SDK to the current App Check, once: the SDK has the address in a variable, and
// a checker may fetch keys while its test ends.
var serveKeys = sync.OnceFunc(func() {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := present.Load()
		if a == nil {
			http.Error(w, "no App Check", http.StatusServiceUnavailable)
			return
		}
		a.ServeHTTP(w, r)
	}))
	appcheck.JWKSUrl = s.URL // until the process ends
})

// NewAppCheck makes the SDK get its keys from an App Check that has a key of a name.
func NewAppCheck(t testing.TB, kid string) *AppCheck {
	t.Helper()
	a := &AppCheck{}
	a.SetKey(t, kid)
	serveKeys()
	present.Store(a)
	t.Cleanup(func() {
		present.Store(nil)
		a.SetHanging(false)
	})
	return a
}

// SetKey generates a new key that replaces all others.
func (a *AppCheck) SetKey(t testing.TB, kid string) {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	Must(t, err)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keys = map[string]*rsa.PrivateKey{kid: k}
}

// SetDown makes App Check answer 503, or normally again.
func (a *AppCheck) SetDown(down bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.down = down
}

// SetHanging makes App Check stop answering, or answer again.
func (a *AppCheck) SetHanging(hanging bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case hanging && a.hang == nil:
		a.hang = make(chan struct{})
	case !hanging && a.hang != nil:
		close(a.hang)
		a.hang = nil
	}
}

// ServeHTTP answers the public keys.
func (a *AppCheck) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	hang, down := a.hang, a.down
	all := []map[string]string{}
	for id, k := range a.keys {
		all = append(all, map[string]string{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": id,
			"n": base64.RawURLEncoding.EncodeToString(k.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(
				big.NewInt(int64(k.E)).Bytes())})
	}
	a.mu.Unlock()
	if hang != nil {
		<-hang
	}
	if down {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"keys": all})
}

// Token is a token for an app of a project, with the changes of change.
func (a *AppCheck) Token(t testing.TB, project string, change func(header, claims map[string]any)) string {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	for kid, k := range a.keys {
		header := map[string]any{"alg": "RS256", "typ": "JWT", "kid": kid}
		claims := map[string]any{
			"iss": "https://firebaseappcheck.googleapis.com/1234", "aud": []string{"projects/1234", "projects/" + project},
			"sub": "1:1234:web:abc", "iat": time.Now().Add(-time.Minute).Unix(), "exp": time.Now().Add(time.Hour).Unix(),
		}
		if change != nil {
			change(header, claims)
		}
		part := func(v any) string {
			text, err := json.Marshal(v)
			Must(t, err)
			return base64.RawURLEncoding.EncodeToString(text)
		}
		signed := part(header) + "." + part(claims)
		sum := sha256.Sum256([]byte(signed))
		signature, err := rsa.SignPKCS1v15(rand.Reader, k, crypto.SHA256, sum[:])
		Must(t, err)
		return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
	}
	t.Fatal("App Check has no key")
	return ""
}
