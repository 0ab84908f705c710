package eventarc_test

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// stack is what a test needs: a project of its own in the emulator, functions
// on a real server, and a runner between them.
type stack struct {
	project   string
	client    *firestore.Client
	functions *functions
	runner    *eventarc.Runner
}

// start builds a stack whose runner is registered and started. The project,
// host and URLs of the options are filled in.
func start(t testing.TB, opts eventarc.Options) *stack {
	t.Helper()
	s := prepare(t, opts)
	ctx, relay := testContext(t), testenv.EventsAddr(t)
	target := httptest.NewServer(s.runner)
	t.Cleanup(target.Close)
	must(t, eventarc.Route(ctx, relay, s.project, target.URL))
	t.Cleanup(func() { _ = eventarc.Unroute(context.Background(), relay, s.project) })
	must(t, s.runner.Register(ctx))
	s.runner.Start(context.WithoutCancel(ctx))
	t.Cleanup(func() { _ = s.runner.Stop(context.Background()) })
	return s
}

// prepare builds a stack whose runner is neither registered nor started.
func prepare(t testing.TB, opts eventarc.Options) *stack {
	t.Helper()
	s := &stack{project: testenv.Project(t)}
	var err error
	s.client, err = firestore.NewClient(context.Background(), s.project)
	must(t, err)
	t.Cleanup(func() { _ = s.client.Close() })
	s.functions = &functions{t: t}
	opts.Project, opts.FirestoreHost, opts.FunctionsURL = s.project, testenv.FirestoreHost(t), serve(t, s.functions)
	s.runner = eventarc.New(opts)
	return s
}

// serve serves functions below a path of their own, and returns their URL. A runner of another test, or
// another process, may still send to functions that had the same port and are gone.
func serve(t testing.TB, functions http.Handler) (url string) {
	t.Helper()
	path := "/" + rand.Text()
	server := httptest.NewServer(http.StripPrefix(path, functions)) // which answers 404 elsewhere
	t.Cleanup(server.Close)
	return server.URL + path
}

// functions is a server that records each delivery, then answers what handle
// says, or 200.
type functions struct {
	t      testing.TB
	handle func(delivery) int

	mu   sync.Mutex
	seen []delivery
}

// delivery is one request as the CloudEvents SDK reads it.
type delivery struct {
	function string
	event    cloudevents.Event
	change   *firestoredata.DocumentEventData
}

func (d delivery) document() string { return d.event.Extensions()["document"].(string) }

func (f *functions) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	event, err := cloudevents.NewEventFromHTTPRequest(req)
	if err == nil {
		err = event.Validate()
	}
	change := new(firestoredata.DocumentEventData)
	if err == nil {
		err = proto.Unmarshal(event.Data(), change)
	}
	if err != nil {
		f.t.Errorf("POST %s: not a CloudEvent: %v", req.URL.Path, err)
		return
	}
	d := delivery{strings.TrimPrefix(req.URL.Path, "/"), *event, change}
	f.mu.Lock()
	f.seen = append(f.seen, d)
	f.mu.Unlock()
	if f.handle != nil {
		w.WriteHeader(f.handle(d))
	}
}

// waitFor returns when there have been n deliveries.
func (f *functions) waitFor(t testing.TB, n int) {
	t.Helper()
	for ctx := testContext(t); len(f.all()) < n; {
		if ctx.Err() != nil {
			t.Fatalf("%d deliveries, want %d", len(f.all()), n)
		}
		time.Sleep(time.Millisecond)
	}
}

// all returns the deliveries so far.
func (f *functions) all() []delivery {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]delivery(nil), f.seen...)
}

// set writes a document.
func (s *stack) set(t testing.TB, path string, fields map[string]any) {
	t.Helper()
	_, err := s.client.Doc(path).Set(testContext(t), fields)
	must(t, err)
}

func (s *stack) waitIdle(t testing.TB) {
	t.Helper()
	must(t, s.runner.WaitIdle(testContext(t)))
}

// testContext ends a test that hangs.
func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func on(kind, name, document string) eventarc.Trigger {
	return eventarc.Trigger{Name: name, EventType: "google.cloud.firestore.document.v1." + kind, Document: document}
}
