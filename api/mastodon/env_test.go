package mastodon_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// env is the whole of Hibana on a project of its own, with functions.
type env struct {
	stack   *stack.Stack
	url     string
	project string
	options api.Options
}

// person is a user, and a client of theirs.
type person struct {
	*client.Client
	id, name, token string
}

// newEnv starts everything, with a cache that keeps nothing, so that what is read after idle is what is so.
func newEnv(t testing.TB, change ...func(*api.Options)) *env {
	t.Helper()
	testenv.AuthHost(t)
	project := testenv.Project(t)
	uploads, files := storagetest.Buckets(t, project)
	s := stacktest.Run(t, stack.Options{Project: project, Storage: storagetest.Host(t), Uploads: uploads,
		Store: store.Options{
			UploadsBucket: uploads, MediaBucket: files,
			TimeZone: otherDay(),
			CacheTTL: time.Nanosecond, WriteEvery: 10 * time.Millisecond, FlushAfter: 10 * time.Millisecond,
		}})
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
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
	return &env{s, served.URL, project, o}
}

// otherDay is a time zone that has another day now than UTC.
func otherDay() *time.Location {
	if time.Now().UTC().Hour() < 11 {
		return time.FixedZone("Pago Pago", -11*60*60)
	}
	return time.FixedZone("Kiritimati", 14*60*60)
}

// another is another process of the API, which has caches as in production.
func (e *env) another(t testing.TB, change ...func(*api.Options)) *env {
	t.Helper()
	db, err := store.Open(t.Context(), e.project, "", store.Options{Emulator: testenv.FirestoreHost(t)})
	testenv.Must(t, err)
	t.Cleanup(func() { db.Close() })
	o := e.options
	o.Stores = wiring.API(db)
	for _, f := range change {
		f(&o)
	}
	served := httptest.NewServer(api.New(o))
	t.Cleanup(served.Close)
	return &env{e.stack, served.URL, e.project, o}
}

// idle waits until every event has been handled, with all that followed from it.
func (e *env) idle(t testing.TB) {
	t.Helper()
	stacktest.Idle(t, e.stack)
}

// join signs somebody up, with a profile, and a client that has an ID token.
func (e *env) join(t testing.TB, username string) person {
	t.Helper()
	a := testenv.SignUp(t, "")
	p := person{client.NewClient(&client.Config{Server: e.url, AccessToken: a.IDToken}), a.UID, username, a.IDToken}
	e.ask(t, p, "POST /v1/users", map[string]any{"username": username, "nickname": strings.ToUpper(username)}).
		want(t, http.StatusCreated, nil)
	return p
}

// as returns a person with a role: admin or moderator.
func (p person) as(role string) person {
	p.token = testenv.Token(emulators.DefaultProject, map[string]any{"sub": p.id, role: true})
	p.Client = client.NewClient(&client.Config{Server: p.Config.Server, AccessToken: p.token})
	return p
}

// answer is what a request got.
type answer struct {
	*http.Response
	text []byte
}

// ask sends a request with a body of JSON, or none for nil.
func (e *env) ask(t testing.TB, who person, what string, body any) answer {
	t.Helper()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		testenv.Must(t, err)
		sent = bytes.NewReader(text)
	}
	return e.askAs(t, who, what, "application/json", sent)
}

// askAs sends a request with a body of a type.
func (e *env) askAs(t testing.TB, who person, what, media string, body io.Reader) answer {
	t.Helper()
	method, path, _ := strings.Cut(what, " ")
	r, err := http.NewRequestWithContext(t.Context(), method, e.url+path, body)
	testenv.Must(t, err)
	if body != nil {
		r.Header.Set("Content-Type", media)
	}
	if who.token != "" {
		r.Header.Set("Authorization", "Bearer "+who.token)
	}
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	return read(t, resp)
}

// read reads an answer.
func read(t testing.TB, resp *http.Response) answer {
	t.Helper()
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	testenv.Must(t, err)
	return answer{resp, text}
}

// want fails the test unless the answer has a status, and reads its body.
func (a answer) want(t testing.TB, status int, out any) answer {
	t.Helper()
	if a.StatusCode != status {
		t.Fatalf("%s %s answered %s: %.500s", a.Request.Method, a.Request.URL.Path, a.Status, a.text)
	}
	if out != nil {
		if err := json.Unmarshal(a.text, out); err != nil {
			t.Fatalf("%s %s: %v in %.500s", a.Request.Method, a.Request.URL.Path, err, a.text)
		}
	}
	return a
}

// same fails the test unless both are the same.
func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
