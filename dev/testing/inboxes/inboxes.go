// Package inboxes stands in for the inboxes of other servers of the fediverse in tests: a server that takes activities,
// checks their signatures as others do, and can fail in several ways.
package inboxes

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/httpsig"
)

// Taken is an activity that an inbox took.
type Taken struct {
	Path  string // of the inbox
	KeyID string // the key that signed it
	*activitypub.Object
	Body string
}

// Server is another server with inboxes at all paths.
type Server struct {
	*httptest.Server
	// Key returns the public key with an address, in PEM.
	Key func(ctx context.Context, id string) (string, error)

	mu     sync.Mutex
	taken  []Taken
	asked  int
	status int
	newer  bool
	hangs  chan struct{}
	wrong  []string
}

// New starts a server.
func New(t testing.TB, key func(ctx context.Context, id string) (string, error)) *Server {
	t.Helper()
	s := &Server{Key: key}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		s.Hang(false)
		s.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, w := range s.wrong {
			t.Error(w)
		}
	})
	return s
}

// Answer sets the status of all answers; 0 is 202 for a good signature.
func (s *Server) Answer(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// Newer makes the server read signatures of RFC 9421 alone.
func (s *Server) Newer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newer = true
}

// Hang makes the server answer nothing, until it is called again.
func (s *Server) Hang(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hangs != nil {
		close(s.hangs)
		s.hangs = nil
	}
	if on {
		s.hangs = make(chan struct{})
	}
}

// Asked is how many requests came.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Take returns what came since the last call, in its order.
func (s *Server) Take() []Taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.taken
	s.taken = nil
	return taken
}

// Has waits until an activity of a type came, takes it, and returns it.
func (s *Server) Has(t testing.TB, kind string) Taken {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		i := slices.IndexFunc(s.taken, func(is Taken) bool { return is.Type == kind })
		if i >= 0 {
			is := s.taken[i]
			s.taken = slices.Delete(s.taken, i, i+1)
			s.mu.Unlock()
			return is
		}
		s.mu.Unlock()
	}
	t.Fatalf("no %s came; there is %v", kind, s.Take())
	return Taken{}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	s.asked++
	status, hangs, newer := s.status, s.hangs, s.newer
	s.mu.Unlock()
	if hangs != nil {
		select {
		case <-hangs:
		case <-r.Context().Done():
		}
		return
	}
	if status != 0 {
		if status/100 == 3 {
			w.Header().Set("Location", s.URL+"/elsewhere")
		}
		w.WriteHeader(status)
		return
	}
	if newer && r.Header.Get("Signature-Input") == "" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	is, err := s.check(r, body, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.wrong = append(s.wrong, fmt.Sprintf("a wrong activity came: %v of %s", err, body))
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	s.taken = append(s.taken, is)
	w.WriteHeader(http.StatusAccepted)
}

func (s *Server) check(r *http.Request, body []byte, err error) (is Taken, _ error) {
	if err != nil {
		return is, err
	}
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != activitypub.ContentType || !json.Valid(body) {
		return is, fmt.Errorf("it is a %s of %q", r.Method, r.Header.Get("Content-Type"))
	}
	m := &httpsig.Message{Method: r.Method, Scheme: "http", Authority: r.Host, Target: r.URL.RequestURI(),
		Header: r.Header, Body: body}
	sig, err := httpsig.Parse(m, time.Now())
	if err != nil {
		return is, err
	}
	o, err := activitypub.Decode(body)
	if err != nil {
		return is, err
	}
	if actor, _, _ := strings.Cut(sig.KeyID, "#"); actor != o.Actor {
		return is, fmt.Errorf("%s signed for %s", sig.KeyID, o.Actor)
	}
	pem, err := s.Key(r.Context(), sig.KeyID)
	if err != nil {
		return is, err
	}
	key, err := httpsig.ParseKey(pem)
	if err != nil {
		return is, err
	}
	return Taken{r.URL.Path, sig.KeyID, o, string(body)}, sig.Verify(key)
}
