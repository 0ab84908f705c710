package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/limits"
)

// Clients that read files slowly keep no other requests out, and a further file has to wait.
func TestFilesAtOnce(t *testing.T) {
	t.Parallel()
	s := New(Options{Log: slog.New(slog.DiscardHandler), PageTokenKey: []byte(strings.Repeat("k", 32))}, Hooks{})
	s.files = limits.NewGate(1, time.Millisecond)
	opened, let := make(chan struct{}), make(chan struct{})
	f := &File{ContentType: "image/png", CacheControl: "public", Tag: `"a"`, Size: 5, Shared: true,
		Open: func(context.Context, int64, int64) (io.ReadCloser, error) {
			opened <- struct{}{}
			<-let
			return io.NopCloser(strings.NewReader("spark")), nil
		}}
	Register(s, Anybody, huma.Operation{Method: http.MethodGet, Path: "/file", OperationID: "file"},
		func(context.Context, *struct{}) (*huma.StreamResponse, error) { return f.Answer(s), nil })
	get := func(headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/file", nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	first := make(chan *httptest.ResponseRecorder, 1)
	go func() { first <- get() }()
	<-opened
	if w := get(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
		!strings.Contains(w.Body.String(), `"saturated"`) || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a second file: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := get("If-None-Match", `"a"`); w.Code != http.StatusNotModified {
		t.Errorf("a file that the client has: %d", w.Code)
	}
	let <- struct{}{}
	if w := <-first; w.Code != http.StatusOK || w.Body.String() != "spark" || w.Header().Get("Server-Timing") != "" {
		t.Errorf("the first file: %d %v %s", w.Code, w.Header(), w.Body)
	}
	go func() { first <- get() }()
	<-opened
	let <- struct{}{}
	if w := <-first; w.Code != http.StatusOK {
		t.Errorf("after the first ended: %d %s", w.Code, w.Body)
	}
}
