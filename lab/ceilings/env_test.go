package ceilings

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/contract"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/agents"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

func TestMain(m *testing.M) {
	if project := os.Getenv(beAPI); project != "" {
		serve(project)
		return
	}
	testenv.Main(m)
}

// env is an API whose caches keep nothing, without functions: the test writes what the
// functions would have written.
type env struct {
	*httptest.Server
	project, uploads, media string

	raw    *firestore.Client
	store  *store.Store
	events atomic.Int64 // that the commits since the last request cause, one for each function
}

func newEnv(t *testing.T) *env {
	t.Helper()
	e := &env{project: testenv.Project(t)}
	e.uploads, e.media = storagetest.Buckets(t, e.project)
	e.open(t)
	return e
}

// again is another process on the same database, whose caches are empty.
func (e *env) again(t *testing.T) *env {
	t.Helper()
	other := &env{project: e.project, uploads: e.uploads, media: e.media}
	other.open(t)
	return other
}

func (e *env) open(t *testing.T) {
	t.Helper()
	testenv.AuthHost(t)
	var err error
	e.store, err = store.Open(t.Context(), e.project, "", store.Options{
		UploadsBucket: e.uploads, MediaBucket: e.media,
		Emulator: testenv.FirestoreHost(t), ExportBucket: t.TempDir(), CacheTTL: time.Nanosecond, Patience: time.Minute,
		Meter: strict.Meter(t, meter.Options{OnCommit: e.count}),
		Gists: tweets.GistOptions{By: agents.Local{}, Model: "m", Tokens: 1},
	})
	testenv.Must(t, err)
	t.Cleanup(func() { e.store.Close() })
	e.raw = testenv.Client(t, e.project)
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
	e.Server = httptest.NewServer(contract.Handler(t, api.New(api.Options{
		Stores: wiring.API(e.store), Push: api.Push{FCM: true, VAPIDPublicKey: aKey()},
		Accounts: accounts.New(emulators.DefaultProject),
		Options: server.Options{
			Verifier: verifier, Log: slog.New(slog.DiscardHandler), PageTokenKey: []byte("thirty-two bytes for page tokens"),
			Timeout: 5 * time.Minute, // the machine may be busy, and the pages are full
		},
	})))
	t.Cleanup(e.Server.Close)
}

// count adds the events of a commit. A write that does not say whether its document exists
// counts as the creation or the update, whichever more functions hear.
func (e *env) count(_ context.Context, req *pb.CommitRequest, _ *pb.CommitResponse) {
	for _, w := range req.Writes {
		_, document, _ := strings.Cut(w.GetUpdate().GetName()+w.GetDelete()+w.GetTransform().GetDocument(), "/documents/")
		heard := map[functions.EventType]int64{}
		for _, f := range functions.Table {
			if ok, _ := path.Match(variable.ReplaceAllString(f.Document, "*"), document); ok {
				for _, on := range f.On {
					heard[on]++
				}
			}
		}
		e.events.Add(heard[functions.Written])
		switch c := w.GetCurrentDocument(); {
		case w.GetDelete() != "":
			e.events.Add(heard[functions.Deleted])
		case c == nil:
			e.events.Add(max(heard[functions.Created], heard[functions.Updated]))
		case c.GetUpdateTime() == nil && !c.GetExists():
			e.events.Add(heard[functions.Created])
		default:
			e.events.Add(heard[functions.Updated])
		}
	}
}

// variable is a variable part of a document's path.
var variable = regexp.MustCompile(`\{[a-z]+\}`)

// bill is what a request was billed, with the events that it caused.
type bill struct{ reads, writes, deletes, events int64 }

// do sends a request, fails the test on another status, and returns its bill.
func (e *env) do(t *testing.T, method, target, token, body string, status int) (b bill, answer []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, e.URL+target, strings.NewReader(body))
	testenv.Must(t, err)
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(body, formStart) {
		req.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	}
	if strings.HasSuffix(target, "/orders") || strings.HasSuffix(target, "/restock") {
		req.Header.Set("Idempotency-Key", "worst") // which these demand
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	e.events.Store(0)
	resp, err := http.DefaultClient.Do(req)
	testenv.Must(t, err)
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	testenv.Must(t, err)
	if resp.StatusCode != status {
		t.Errorf("%s %.80s answered %d, want %d: %.300s", method, target, resp.StatusCode, status, answer)
	}
	cost, err := meter.ParseServerTiming(resp.Header.Get("Server-Timing"))
	testenv.Must(t, err)
	b.reads, b.writes, b.deletes, b.events = cost.Reads, cost.Writes, cost.Deletes, e.events.Load()
	return b, answer
}

// routes lists the operations of the OpenAPI document, as "GET /v1/tags".
func (e *env) routes(t *testing.T) []string {
	t.Helper()
	_, text := e.do(t, "GET", "/openapi.json", "", "", http.StatusOK)
	var doc struct{ Paths map[string]map[string]any }
	testenv.Must(t, json.Unmarshal(text, &doc))
	var all []string
	for p, operations := range doc.Paths {
		for method := range operations {
			all = append(all, strings.ToUpper(method)+" "+p)
		}
	}
	slices.Sort(all)
	return all
}

// put writes documents past the API.
func (e *env) put(t *testing.T, docs map[string]any) {
	t.Helper()
	w := e.raw.BulkWriter(t.Context())
	for p, doc := range docs {
		if _, err := w.Set(e.raw.Doc(p), doc); err != nil {
			t.Fatal(err)
		}
	}
	w.End()
}

// account signs somebody up, with a profile and a home timeline that is kept up.
func (e *env) account(t *testing.T, username string) testenv.Account {
	t.Helper()
	a := testenv.SignUp(t, "")
	_, err := e.store.Users.CreateUser(t.Context(), model.UserID(a.UID), model.NewUser{Username: username})
	testenv.Must(t, err)
	return a
}

// visitor signs somebody in who has no account.
func visitor(t *testing.T) string {
	t.Helper()
	resp, err := http.Post("http://"+testenv.AuthHost(t)+"/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
		"application/json", strings.NewReader(`{"returnSecureToken":true}`))
	testenv.Must(t, err)
	defer resp.Body.Close()
	var made struct{ IDToken string }
	testenv.Must(t, json.NewDecoder(resp.Body).Decode(&made))
	return made.IDToken
}
