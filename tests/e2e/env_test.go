package e2e

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// env is the whole of Hibana on a project of its own.
type env struct {
	stack *stack.Stack
	url   string // of the API
}

// newEnv starts the whole, with a cache that keeps nothing, so that what is read
// after idle is what is so.
func newEnv(t testing.TB) *env {
	t.Helper()
	return serve(t, stacktest.Run(t, stack.Options{Store: store.Options{
		CacheTTL: time.Nanosecond, WriteEvery: 10 * time.Millisecond, FlushAfter: 10 * time.Millisecond,
	}}))
}

// serve starts the API on the database of a stack, with changed options.
func serve(t testing.TB, s *stack.Stack, change ...func(*api.Options)) *env {
	t.Helper()
	testenv.AuthHost(t)
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	if err != nil {
		t.Fatal(err)
	}
	o := api.Options{
		Stores: wiring.API(s.Store), Accounts: accounts.New(emulators.DefaultProject),
		Options: server.Options{
			Verifier: verifier, Log: slog.New(slog.DiscardHandler), PageTokenKey: []byte("thirty-two bytes for page tokens"),
		},
	}
	for _, f := range change {
		f(&o)
	}
	served := httptest.NewServer(api.New(o))
	t.Cleanup(served.Close)
	return &env{stack: s, url: served.URL}
}

// idle waits until every event has been handled, with all that followed from it.
func (e *env) idle(t testing.TB) {
	t.Helper()
	stacktest.Idle(t, e.stack)
}

// signUp makes an account at the Auth emulator, without a profile.
func signUp(t testing.TB) person {
	t.Helper()
	a := testenv.SignUp(t, "")
	return person{id: a.UID, token: a.IDToken}
}

// join signs somebody up and makes their profile.
func (e *env) join(t testing.TB, username string) person {
	t.Helper()
	p := signUp(t)
	p.name = username
	e.do(t, p, "POST /v1/users", map[string]any{"username": username, "nickname": strings.ToUpper(username)}).
		want(t, http.StatusCreated, nil)
	return p
}

// visit signs somebody in at the Auth emulator who has no account.
func visit(t testing.TB) person {
	t.Helper()
	resp, err := http.Post("http://"+testenv.AuthHost(t)+"/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
		"application/json", strings.NewReader(`{"returnSecureToken":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var made struct{ LocalID, IDToken string }
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || made.IDToken == "" {
		t.Fatalf("anonymous sign-up answered %s, %v", resp.Status, err)
	}
	return person{id: made.LocalID, token: made.IDToken}
}

// same fails the test unless both are the same.
func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
