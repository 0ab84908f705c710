package server_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/model"
)

// An operation within a request has the address and the origin of its client.
func TestWithinKeepsAddress(t *testing.T) {
	t.Parallel()
	s := serving(server.Web{})
	server.Register(s, server.Anybody, huma.Operation{Method: http.MethodGet, Path: "/v1/where", OperationID: "where"},
		func(ctx context.Context, _ *struct{}) (*struct{ Body []string }, error) {
			return &struct{ Body []string }{[]string{server.Address(ctx), server.Origin(ctx)}}, nil
		})
	s.Foreign(server.Foreign{Method: http.MethodGet, Path: "/api/v1/where", Name: "GET /api/v1/where", Who: server.Anybody,
		Handle: func(ctx context.Context, w http.ResponseWriter, _ *http.Request) error {
			a := s.Within(ctx, http.MethodGet, "/v1/where", nil, nil)
			_, err := w.Write(a.Body)
			return err
		}})
	r := httptest.NewRequest(http.MethodGet, "https://hibana.example/api/v1/where", nil)
	r.RemoteAddr = "192.0.2.7:1234"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if got, want := strings.TrimSpace(w.Body.String()), `["192.0.2.7","https://hibana.example"]`; got != want {
		t.Errorf("within the request: %s, want %s", got, want)
	}
}

// named is a verifier to whom a token is a uid.
type named struct{}

func (named) Verify(_ context.Context, token string) (model.Caller, error) {
	return model.Caller{UID: model.UserID(token)}, nil
}

func (named) VerifyNow(ctx context.Context, token string) (model.Caller, error) {
	return named{}.Verify(ctx, token)
}

// A user whose uploads take long leaves places for those of others.
func TestStreamsOfOneUser(t *testing.T) {
	t.Parallel()
	s := server.New(server.Options{Log: slog.New(slog.DiscardHandler), Verifier: named{}}, server.Hooks{
		Status: func(_ context.Context, c model.Caller) (model.Caller, error) { return c, nil }})
	began := make(chan struct{}, 10)
	s.Foreign(server.Foreign{Method: http.MethodPost, Path: "/api/v1/file", Name: "POST /api/v1/file",
		Who:    server.SignedIn,
		Stream: 1 << 20, Handle: func(_ context.Context, _ http.ResponseWriter, r *http.Request) error {
			began <- struct{}{}
			_, err := io.Copy(io.Discard, r.Body)
			return err
		}})
	upload := func(who string, body io.Reader) int {
		r := httptest.NewRequest(http.MethodPost, "/api/v1/file", body)
		r.Header.Set("Authorization", "Bearer "+who)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	ended := make(chan int, 4)
	var files []*io.PipeWriter
	for range 4 { // as many as a process takes
		from, to := io.Pipe()
		files = append(files, to)
		go func() { ended <- upload("ann", from) }()
		select {
		case <-began:
		case <-time.After(200 * time.Millisecond): // it waits for the first ones
		}
	}
	if status := upload("bob", strings.NewReader("a file")); status != http.StatusOK {
		t.Errorf("the upload of another user: %d", status)
	}
	for _, to := range files {
		to.Close()
	}
	for range files {
		if status := <-ended; status != http.StatusOK {
			t.Errorf("a slow upload: %d", status)
		}
	}
}

// A request that waits for something else leaves its place at the gate to others.
func TestOutside(t *testing.T) {
	t.Parallel()
	s := server.New(server.Options{Log: slog.New(slog.DiscardHandler), Limits: server.Limits{
		Gate: limits.NewGate(1, time.Millisecond)}}, server.Hooks{})
	waits, goOn := make(chan struct{}), make(chan struct{})
	for path, handle := range map[string]func(context.Context){
		"/api/v1/slow": func(ctx context.Context) {
			s.Outside(ctx, func() {
				close(waits)
				<-goOn
			})
		},
		"/api/v1/fast": func(context.Context) {},
	} {
		s.Foreign(server.Foreign{Method: http.MethodGet, Path: path, Name: "GET " + path, Who: server.Anybody,
			Handle: func(ctx context.Context, _ http.ResponseWriter, _ *http.Request) error {
				handle(ctx)
				return nil
			}})
	}
	get := func(path string) int {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code
	}
	ended := make(chan int)
	go func() { ended <- get("/api/v1/slow") }()
	<-waits
	for range 3 {
		if status := get("/api/v1/fast"); status != http.StatusOK {
			t.Errorf("beside a request that waits: %d", status)
		}
	}
	close(goOn)
	if status := <-ended; status != http.StatusOK {
		t.Errorf("the request that waited: %d", status)
	}
	for range 3 { // its place was given back once
		if status := get("/api/v1/fast"); status != http.StatusOK {
			t.Errorf("after a request that waited: %d", status)
		}
	}
}

// A route with both limits reads a large body as it comes, and a small one before.
func TestStreamsOfLargeBodies(t *testing.T) {
	t.Parallel()
	s := server.New(server.Options{Log: slog.New(slog.DiscardHandler)}, server.Hooks{})
	s.Foreign(server.Foreign{Method: http.MethodPost, Path: "/api/v1/file", Name: "POST /api/v1/file", Who: server.Anybody,
		Most: 10, Stream: 20, Handle: func(_ context.Context, w http.ResponseWriter, r *http.Request) error {
			_, memory := r.Body.(interface {
				WriteTo(io.Writer) (int64, error)
			})
			text, err := io.ReadAll(r.Body)
			if err == nil {
				fmt.Fprint(w, memory, len(text))
			}
			return err
		}})
	for length, want := range map[int]string{0: "true 0", 10: "true 10", 11: "false 11", 20: "false 20"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/v1/file", strings.NewReader(strings.Repeat("x", length))))
		if w.Body.String() != want {
			t.Errorf("%d bytes: %d %s, want %s", length, w.Code, w.Body, want)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/v1/file", strings.NewReader(strings.Repeat("x", 21))))
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("too many bytes: %d", w.Code)
	}
}
