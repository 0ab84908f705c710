package api_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/httpsig"
)

// reader is another server that signs what it reads. Its actor may change its key.
type reader struct {
	*httptest.Server
	mu      sync.Mutex
	private *rsa.PrivateKey
	asked   int
	answer  func(actor map[string]any)
}

func newReader(t *testing.T) *reader {
	t.Helper()
	s := &reader{}
	s.change(t)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked++
		if _, err := httpsig.Parse(&httpsig.Message{Method: "GET", Scheme: "http", Authority: r.Host, Target: r.RequestURI,
			Header: r.Header}, time.Now()); err != nil {
			http.Error(w, "sign", http.StatusUnauthorized)
			return
		}
		der, _ := x509.MarshalPKIXPublicKey(&s.private.PublicKey)
		id := "http://" + r.Host + r.URL.Path
		actor := map[string]any{"id": id, "type": "Application", "inbox": id + "/inbox", "publicKey": map[string]any{
			"id": id + "#k", "owner": id, "publicKeyPem": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY",
				Bytes: der}))}}
		if s.answer != nil {
			s.answer(actor)
		}
		w.Header().Set("Content-Type", activitypub.ContentType)
		_ = json.NewEncoder(w).Encode(actor)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *reader) change(t *testing.T) {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	testenv.Must(t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.private = private
}

// get reads a path of this server with a signature. change changes the request after it was signed.
func (s *reader) get(t *testing.T, e *env, path, keyID string, f httpsig.Form, change func(*http.Request)) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.url+path, nil)
	testenv.Must(t, err)
	r.Header.Set("Accept", activitypub.ContentType)
	m := httpsig.Of(r, nil)
	m.Scheme, m.Authority = "https", "hibana.test" // the address that the reader knows; a proxy changes the host
	testenv.Must(t, httpsig.Sign(m, httpsig.Key{ID: keyID, Private: s.private}, f, time.Now()))
	if change != nil {
		change(r)
	}
	return send(t, r)
}

// With signed fetch, servers that do not sign read nothing; a signature is of its actor's key, for this server and this
// request, and a changed key is heard of.
func TestSignedFetch(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withFederation, func(o *api.Options) { o.Federation.SignedFetch = true })
	ann := e.join(t, "ann")
	post := e.posted(t, ann, map[string]any{"content": "hello"})
	path := "/posts/" + string(post.ID)
	far, evil := newReader(t), newReader(t)
	key := far.URL + "/actor#k"
	refused := func(what string, r reply) {
		t.Helper()
		if r.status != http.StatusUnauthorized || !strings.Contains(string(r.body), "signature_required") {
			t.Errorf("%s: %d %s", what, r.status, r.body)
		}
		r.lacks(t, what, "hello")
	}
	for _, p := range []string{path, path + "/likes", "/users/" + string(ann.id), "/users/" + string(ann.id) + "/outbox",
		"/users/nobody"} {
		refused("no signature for "+p, e.do(t, "GET", p, "", nil, "Accept", activitypub.ContentType))
	}
	e.do(t, "GET", "/actor", "", nil, "Accept", activitypub.ContentType).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/.well-known/webfinger?resource=acct:ann@hibana.test", "", nil).want(t, http.StatusOK, nil)
	for _, f := range []httpsig.Form{httpsig.Draft, httpsig.RFC9421} {
		r := far.get(t, e, path, key, f, nil).want(t, http.StatusOK, nil)
		r.has(t, "the post", "hello")
		if r.header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("a signed answer may be cached: %v", r.header)
		}
	}
	if far.asked != 1 {
		t.Errorf("the actor was fetched %d times", far.asked)
	}
	far.get(t, e, "/posts/"+strings.Repeat("0", 18), key, httpsig.Draft, nil).want(t, http.StatusNotFound, nil)
	hidden := e.posted(t, ann, map[string]any{"content": "hello", "visibility": "followers"})
	far.get(t, e, "/posts/"+string(hidden.ID), key, httpsig.Draft, nil).want(t, http.StatusNotFound, nil)

	refused("another path", far.get(t, e, "/users/nobody", key, httpsig.Draft,
		func(r *http.Request) { r.URL.Path = path }))
	refused("another server", func() reply {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.url+path, nil)
		testenv.Must(t, err)
		r.Header.Set("Accept", activitypub.ContentType)
		m := httpsig.Of(r, nil) // its host is not that of this server's addresses
		testenv.Must(t, httpsig.Sign(m, httpsig.Key{ID: key, Private: far.private}, httpsig.Draft, time.Now()))
		return send(t, r)
	}())
	refused("an old signature", func() reply {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.url+path, nil)
		testenv.Must(t, err)
		r.Header.Set("Accept", activitypub.ContentType)
		m := httpsig.Of(r, nil)
		m.Authority = "hibana.test"
		testenv.Must(t, httpsig.Sign(m, httpsig.Key{ID: key, Private: far.private}, httpsig.Draft,
			time.Now().Add(-2*time.Hour)))
		return send(t, r)
	}())
	refused("a key of another", evil.get(t, e, path, key, httpsig.Draft, nil))
	refused("another key of the actor", far.get(t, e, path, far.URL+"/actor#other", httpsig.Draft, nil))
	refused("this server's own key", far.get(t, e, path, publicURL+"/actor#k", httpsig.Draft, nil))
	refused("no address", far.get(t, e, path, "far", httpsig.Draft, nil))
	evil.answer = func(actor map[string]any) { // evil claims the key of far
		actor["publicKey"].(map[string]any)["owner"] = far.URL + "/actor"
	}
	refused("a foreign owner", evil.get(t, e, path, evil.URL+"/a#k", httpsig.Draft, nil))
	evil.answer = func(actor map[string]any) { actor["id"] = far.URL + "/actor" }
	refused("a foreign id", evil.get(t, e, path, evil.URL+"/b#k", httpsig.Draft, nil))
	far.get(t, e, path, key, httpsig.Draft, nil).want(t, http.StatusOK, nil) // nothing of it poisoned the known key

	before := far.asked
	e.offset += 6 * time.Minute
	far.change(t)
	far.get(t, e, path, key, httpsig.Draft, nil).want(t, http.StatusOK, nil)
	for range 5 {
		refused("again a wrong key", evil.get(t, e, path, key, httpsig.Draft, nil))
	}
	if far.asked != before+1 {
		t.Errorf("the changed actor was fetched %d times", far.asked-before)
	}
}
