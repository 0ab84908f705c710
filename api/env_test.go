package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/agents"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/remoteactor"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/federation"
	"github.com/hibana-sns/hibana/store/tweets"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// env is an API over HTTP with a project of its own in the Firestore emulator and
// the users of the Auth emulator.
type env struct {
	inbox   *inbox.Inbox // what functions have; nil without federation
	url     string
	db      *store.Store
	admin   *firestore.Client
	project string
	log     *lines
	options api.Options
	now     func() time.Time // the store's clock
	offset  time.Duration    // added to it
	about   *huma.OpenAPI
}

func newEnv(t *testing.T, change ...func(*api.Options)) *env {
	t.Helper()
	return newEnvAt(t, "", change...)
}

// newEnvAt is an API whose media have addresses that begin with mediaURL.
func newEnvAt(t *testing.T, mediaURL string, change ...func(*api.Options)) *env {
	t.Helper()
	testenv.AuthHost(t)
	project := testenv.Project(t)
	uploads, files := storagetest.Buckets(t, project)
	e := &env{log: newLines(), now: time.Now, project: project}
	var err error
	e.db, err = store.Open(t.Context(), project, "", store.Options{
		Emulator:      testenv.FirestoreHost(t),
		Patience:      time.Minute, // the machine may be busy
		UploadsBucket: uploads, MediaBucket: files, MediaURL: mediaURL,
		ExportBucket: t.TempDir(), ExportLinks: "http://exports.test",
		Now:        func() time.Time { return e.now().Add(e.offset) },
		Meter:      strict.Meter(t, meter.Options{}),
		Federation: federated(t),
		Gists:      tweets.GistOptions{By: agents.Local{}, Model: "m", Tokens: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.db.Close() })
	e.admin = testenv.Client(t, project)
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	if err != nil {
		t.Fatal(err)
	}
	auth := accounts.New(emulators.DefaultProject)
	o := api.Options{Stores: wiring.API(e.db), Accounts: auth, Push: api.Push{FCM: true}, Options: server.Options{
		Verifier: verifier, Log: gcplog.New(e.log, slog.LevelInfo),
		PageTokenKey: []byte("a key of thirty-two bytes or more"),
	}}
	for _, f := range change {
		f(&o)
	}
	if o.Federation.On && o.Federation.Inbox == nil {
		o.Federation.Inbox = inbox.New(inbox.Options{Store: e.db, Site: fediverse.Site{URL: publicURL},
			Now: func() time.Time { return e.now().Add(e.offset) }})
		e.inbox = o.Federation.Inbox
	}
	handler := api.New(o)
	served := httptest.NewServer(handler)
	t.Cleanup(served.Close)
	e.url, e.options, e.about = served.URL, o, described(handler)
	return e
}

// federated lets a store make keys of users, and know actors of servers on this machine.
func federated(t *testing.T) federation.Options {
	t.Helper()
	box, err := sealed.New(t.Context(), sealed.Options{Secret: []byte("a secret of thirty-two bytes or more")})
	if err != nil {
		t.Fatal(err)
	}
	f := remoteactor.New(outbound.Options{AllowLoopback: true}, publicURL,
		func(id string) string { return api.OwnKey(publicURL, id) })
	return federation.Options{Box: box, Fetch: f.Fetch, FetchObject: f.Object, Finger: f.Finger, Template: f.Template}
}

// described returns what the handler of an API says of itself.
func described(h http.Handler) *huma.OpenAPI {
	return h.(interface{ OpenAPI() *huma.OpenAPI }).OpenAPI()
}

// withStore makes the API use a store with options, on a project of its own.
func withStore(t *testing.T, o store.Options) func(*api.Options) {
	t.Helper()
	return func(options *api.Options) {
		o.Emulator, o.Patience, o.Meter = testenv.FirestoreHost(t), time.Minute, strict.Meter(t, o.Meter)
		db, err := store.Open(t.Context(), testenv.Project(t), "", o)
		testenv.Must(t, err)
		t.Cleanup(func() { db.Close() })
		options.Stores = wiring.API(db)
	}
}

// reply is an answer that was read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request. A body that is a string goes out as it is, anything else but
// nil as JSON. Headers are names and values; an empty token is no token.
func (e *env) do(t *testing.T, method, path, token string, body any, headers ...string) reply {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, e.url+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	if reader != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	r := send(t, req)
	e.described(t, req, r)
	return r
}

// described checks that the OpenAPI document describes an answer.
func (e *env) described(t *testing.T, req *http.Request, r reply) {
	t.Helper()
	op := operationOf(e.about, req.Method, req.URL.Path)
	if op == nil || req.Method == http.MethodHead || r.status == http.StatusNotModified {
		return
	}
	what := fmt.Sprintf("%s %s answers %d", op.Method, op.Path, r.status)
	response := op.Responses[strconv.Itoa(r.status)]
	if response == nil {
		t.Errorf("%s, which is not described: %s", what, r.body)
		return
	}
	if _, name, shared := strings.Cut(response.Ref, "#/components/responses/"); shared {
		response = e.about.Components.Responses[name]
	}
	for name := range response.Headers {
		if _, ok := r.header[http.CanonicalHeaderKey(name)]; !ok && name == "Location" {
			t.Errorf("%s without %s", what, name)
		}
	}
	media, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	body := response.Content[media]
	if body == nil {
		if len(response.Content) > 0 || len(r.body) > 0 {
			t.Errorf("%s with %q, which is not described: %s", what, media, r.body)
		}
		return
	}
	if body.Schema.Format == "binary" {
		return
	}
	var v any
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Errorf("%s with no JSON: %v", what, err)
		return
	}
	var found huma.ValidateResult
	huma.Validate(e.about.Components.Schemas, body.Schema, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, v, &found)
	for _, err := range found.Errors {
		t.Errorf("%s with what its schema does not allow: %v", what, err)
	}
}

// operationOf returns the described operation of a request, or nil. A path that says what it
// means comes before a path with a parameter in that place.
func operationOf(about *huma.OpenAPI, method, path string) (op *huma.Operation) {
	most := -1
	for template, item := range about.Paths {
		found := map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodPatch: item.Patch,
			http.MethodDelete: item.Delete,
		}[method]
		parts, want := strings.Split(path, "/"), strings.Split(template, "/")
		if found == nil || len(parts) != len(want) {
			continue
		}
		same := 0
		for i := range want {
			switch {
			case want[i] == parts[i]:
				same++
			case !strings.HasPrefix(want[i], "{") || parts[i] == "":
				same = -len(want)
			}
		}
		if same > most {
			op, most = found, same
		}
	}
	return op
}

// send sends a request without following redirects.
func send(t *testing.T, req *http.Request) reply {
	t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL.Path, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL.Path, err)
	}
	return reply{resp.StatusCode, resp.Header, text}
}

// want fails the test unless the answer has the status, and decodes the body into to
// unless that is nil.
func (r reply) want(t *testing.T, status int, to any) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("status = %d, want %d; body: %s", r.status, status, r.body)
	}
	if to != nil {
		dec := json.NewDecoder(bytes.NewReader(r.body))
		dec.DisallowUnknownFields()
		if err := dec.Decode(to); err != nil {
			t.Fatalf("decode %s: %v", r.body, err)
		}
	}
	return r
}

// problem fails the test unless the answer is a complete problem document.
func (r reply) problem(t *testing.T, status int, code string) api.Problem {
	t.Helper()
	var p api.Problem
	r.want(t, status, &p)
	if p.Code != code || p.Status != status {
		t.Errorf("problem = %d %s (%s), want %d %s", p.Status, p.Code, p.Detail, status, code)
	}
	if p.Type != "about:blank" || p.Title == "" || p.Detail == "" {
		t.Errorf("problem lacks something: %s", r.body)
	}
	if got := r.header.Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("Content-Type = %q, want application/problem+json", got)
	}
	r.cost(t)
	return p
}

// cost reads Server-Timing.
func (r reply) cost(t *testing.T) (c meter.Counts) {
	t.Helper()
	parts := strings.Split(r.header.Get("Server-Timing"), ", ")
	if len(parts) != 4 || !strings.HasPrefix(parts[3], "total;dur=") {
		t.Fatalf("Server-Timing = %q", r.header.Get("Server-Timing"))
	}
	for i, to := range map[int]*int64{0: &c.Reads, 1: &c.Writes, 2: &c.Deletes} {
		name, value, _ := strings.Cut(parts[i], `;desc="`)
		n, err := strconv.ParseInt(strings.TrimSuffix(value, `"`), 10, 64)
		if err != nil || name != []string{"fs-reads", "fs-writes", "fs-deletes"}[i] {
			t.Fatalf("Server-Timing = %q: %v", r.header.Get("Server-Timing"), err)
		}
		*to = n
	}
	return c
}

// person is somebody with a profile.
type person struct {
	id    model.UserID
	name  string
	email string
	token string
}

// join signs somebody up and makes their profile.
func (e *env) join(t *testing.T, username string) person {
	t.Helper()
	a := testenv.SignUp(t, "")
	p := person{model.UserID(a.UID), username, a.Email, a.IDToken}
	e.do(t, "POST", "/v1/users", p.token, map[string]any{"username": username}).want(t, http.StatusCreated, nil)
	return p
}

// post posts a tweet.
func (e *env) post(t *testing.T, p person, fields map[string]any) api.Tweet {
	t.Helper()
	var tweet api.Tweet
	e.do(t, "POST", "/v1/tweets", p.token, fields).want(t, http.StatusCreated, &tweet)
	return tweet
}

// documents is every document of the project with the time of its last write.
func (e *env) documents(t *testing.T) map[string]time.Time {
	t.Helper()
	all := map[string]time.Time{}
	collections, err := e.admin.Collections(t.Context()).GetAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range collections {
		docs, err := c.Documents(t.Context()).GetAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			all[c.ID+"/"+d.Ref.ID] = d.UpdateTime
		}
	}
	return all
}

// lines keeps the lines of a log, and signals each new one.
type lines struct {
	mu    sync.Mutex
	text  string
	added chan struct{} // closed with the next line
}

func newLines() *lines { return &lines{added: make(chan struct{})} }

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text += string(p)
	close(l.added)
	l.added = make(chan struct{})
	return len(p), nil
}

func (l *lines) read() (text string, added <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text, l.added
}

// logged waits for the line of a request, which is written after its answer.
func (e *env) logged(t *testing.T, route string) map[string]any {
	t.Helper()
	giveUp := time.After(30 * time.Second)
	for {
		text, added := e.log.read()
		for text := range strings.Lines(text) {
			var line map[string]any
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatal(err)
			}
			if line["route"] == route {
				return line
			}
		}
		select {
		case <-added:
		case <-giveUp:
			t.Fatalf("no line of %q in:\n%s", route, text)
		}
	}
}
