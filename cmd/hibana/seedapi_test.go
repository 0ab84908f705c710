package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// An administrator reads the file again when the token has expired, and sends a request again while the API is at
// fault; a refused request is sent once. The App Check token goes with each.
func TestAdministratorSends(t *testing.T) {
	t.Parallel()
	file, calls := filepath.Join(t.TempDir(), "token"), []string{}
	put := func(token string) { testenv.Must(t, os.WriteFile(file, []byte(token+"\n"), 0o600)) }
	put("old")
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls = append(calls, r.URL.Path+" "+r.Header.Get("Authorization")+" "+r.Header.Get("X-Firebase-AppCheck"))
		switch {
		case r.Header.Get("Authorization") == "Bearer old":
			put("new")
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/refused":
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"code":"user_exists"}`)
		case len(calls) == 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(served.Close)
	a := &administrator{client: &client{api: served.URL, appCheck: "app"}, renew: tokenFrom(file),
		pace: rate.NewLimiter(rate.Inf, 1)}
	testenv.Must(t, a.write(t.Context(), http.MethodPost, "/done", nil))
	if err := a.write(t.Context(), http.MethodPost, "/refused", nil); err == nil {
		t.Error("a refused request succeeds")
	}
	want := []string{"/done Bearer old app", "/done Bearer new app", "/done Bearer new app", "/refused Bearer new app"}
	if !slices.Equal(calls, want) {
		t.Errorf("the requests are %q, want %q", calls, want)
	}
	// A token that is refused twice is refused.
	put("old")
	a.token = ""
	served.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	})
	if err := a.write(t.Context(), http.MethodPost, "/done", nil); err == nil {
		t.Error("a request with a bad token succeeds")
	}
}
