// Package far stands in for other servers of the fediverse in tests: a server with documents by path, actors with keys,
// and WebFinger.
package far

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/remoteactor"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/store/federation"
)

// Server is another server.
type Server struct {
	*httptest.Server
	Host string

	mu      sync.Mutex
	docs    map[string]string // by path
	fingers map[string]string // by resource
	asked   map[string]int    // how often, by path
	ages    map[string]string // Cache-Control, by path
	private *rsa.PrivateKey
	public  string
}

// key is one key for all servers of a process: it takes long to make one.
var key = sync.OnceValues(func() (*rsa.PrivateKey, string) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		panic(err)
	}
	return private, string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
})

// New starts a server.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{docs: map[string]string{}, fingers: map[string]string{}, asked: map[string]int{},
		ages: map[string]string{}}
	s.private, s.public = key()
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	testenv.Must(t, err)
	s.Host = u.Host
	return s
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.URL.Path]++
	text, ok := s.docs[r.URL.Path]
	kind := activitypub.ContentType
	switch {
	case r.URL.Path == "/.well-known/webfinger" || r.URL.Path == "/lrdd":
		if _, off := s.docs["/no-webfinger"]; off && r.URL.Path != "/lrdd" {
			break
		}
		text, ok = s.fingers[r.URL.Query().Get("resource")]
		kind = "application/jrd+json"
	case r.URL.Path == "/.well-known/host-meta":
		kind = "application/xrd+xml"
	case r.Header.Get("Signature") == "":
		http.Error(w, "unsigned", http.StatusUnauthorized)
		return
	}
	if to, redirects := strings.CutPrefix(text, "-> "); redirects {
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	if age := s.ages[r.URL.Path]; age != "" {
		w.Header().Set("Cache-Control", age)
	}
	_, _ = w.Write([]byte(text))
}

// Put sets the document of a path, where HOST stands for the address of the server. Text that begins with "-> "
// redirects. It returns the address.
func (s *Server) Put(path, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[path] = strings.ReplaceAll(text, "HOST", s.URL)
	return s.URL + path
}

// Remove removes the document of a path.
func (s *Server) Remove(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.docs, path)
}

// Cache sets the Cache-Control of a path.
func (s *Server) Cache(path, control string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ages[path] = control
}

// Asked is how often a path was asked.
func (s *Server) Asked(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

// Finger sets what WebFinger says of a handle, such as bob@far.example: the handle as the server writes it, and the
// address of the actor.
func (s *Server) Finger(handle, subject, actor string) {
	text, err := json.Marshal(map[string]any{"subject": "acct:" + subject, "links": []any{
		map[string]any{"rel": "http://webfinger.net/rel/profile-page", "type": "text/html", "href": actor},
		map[string]any{"rel": "self", "type": activitypub.ContentType, "href": actor}}})
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fingers["acct:"+handle] = string(text)
}

// Actor puts an actor at /users/ and its name, with WebFinger, and returns its address. Members of more replace those
// that it has; a nil one removes it.
func (s *Server) Actor(name string, more map[string]any) string {
	id := s.URL + "/users/" + name
	s.Finger(name+"@"+s.Host, name+"@"+s.Host, id)
	is := map[string]any{"@context": "https://www.w3.org/ns/activitystreams", "id": id, "type": "Person",
		"preferredUsername": name, "inbox": id + "/inbox", "outbox": id + "/outbox", "followers": id + "/followers",
		"url": s.URL + "/@" + name, "endpoints": map[string]any{"sharedInbox": s.URL + "/inbox"},
		"publicKey": map[string]any{"id": id + "#main-key", "owner": id, "publicKeyPem": s.public}}
	maps.Copy(is, more)
	return s.PutObject("/users/"+name, is)
}

// PutObject is Put of an object; nil members are left out.
func (s *Server) PutObject(path string, is map[string]any) string {
	maps.DeleteFunc(is, func(_ string, v any) bool { return v == nil })
	text, err := json.Marshal(is)
	if err != nil {
		panic(err)
	}
	return s.Put(path, string(text))
}

// Key is the private key of all actors of the server.
func (s *Server) Key() *rsa.PrivateKey { return s.private }

// Options are the options of a store that fetches from servers like this one. origin is that of the installation.
func Options(t testing.TB, origin string) federation.Options {
	t.Helper()
	box, err := sealed.New(t.Context(), sealed.Options{Secret: []byte(strings.Repeat("s", 32))})
	testenv.Must(t, err)
	f := remoteactor.New(outbound.Options{AllowLoopback: true}, origin, func(id string) string {
		return origin + "/actor#key-" + id
	})
	return federation.Options{Box: box, Fetch: f.Fetch, FetchObject: f.Object, Finger: f.Finger, Template: f.Template}
}
