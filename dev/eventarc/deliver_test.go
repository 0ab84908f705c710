package eventarc_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/dev/eventarc"
)

func TestDelivery(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{Triggers: []eventarc.Trigger{
		on("created", "OnTag", "tags/{id}"),
		on("updated", "OnTag", "tags/{id}"),
		on("deleted", "OnTag", "tags/{id}"),
		on("written", "OnNote", "users/{uid}/notifications/{id}"),
	}})
	for _, path := range []string{"tags/go", "tags/火花", `tags/100% "a b" é`, "users/u/notifications/n"} {
		doc := s.client.Doc(path)
		ctx := testContext(t)
		for _, n := range []int{1, 2} {
			_, err := doc.Set(ctx, map[string]any{"n": n})
			must(t, err)
		}
		_, err := doc.Delete(ctx)
		must(t, err)
	}
	s.set(t, "users/u", map[string]any{"n": 1}) // no trigger
	s.waitIdle(t)

	type got struct {
		Function, Type, Old, New string
	}
	byPath := map[string][]got{}
	for _, d := range s.functions.all() {
		e := d.event
		want := map[string]any{
			"project": s.project, "database": "(default)", "namespace": "(default)",
			"location": "us-central1", "document": d.document(),
		}
		if diff := cmp.Diff(want, e.Extensions()); diff != "" {
			t.Errorf("extensions (-want +got):\n%s", diff)
		}
		if want := "//firestore.googleapis.com/projects/" + s.project + "/databases/(default)"; e.Source() != want {
			t.Errorf("source = %q, want %q", e.Source(), want)
		}
		if want := "documents/" + d.document(); e.Subject() != want {
			t.Errorf("subject = %q, want %q", e.Subject(), want)
		}
		if e.DataContentType() != "application/protobuf" || !strings.HasSuffix(e.DataSchema(),
			"/cloud/firestore/v1/data.proto") {
			t.Errorf("content type, schema = %q, %q", e.DataContentType(), e.DataSchema())
		}
		if age := time.Since(e.Time()); age < 0 || age > 5*time.Minute {
			t.Errorf("time = %v, %v ago", e.Time(), age)
		}
		for _, doc := range []*firestoredata.Document{d.change.Value, d.change.OldValue} {
			if want := "projects/" + s.project + "/databases/(default)/documents/" + d.document(); doc != nil &&
				doc.Name != want {
				t.Errorf("name = %q, want %q", doc.Name, want)
			}
		}
		byPath[d.document()] = append(byPath[d.document()], got{
			d.function, e.Type()[strings.LastIndexByte(e.Type(), '.')+1:], value(d.change.OldValue), value(d.change.Value)})
	}
	for _, g := range byPath {
		slices.SortFunc(g, func(a, b got) int { return strings.Compare(a.Old+a.New, b.Old+b.New) })
	}
	tag := []got{{"OnTag", "created", "-", "1"}, {"OnTag", "updated", "1", "2"}, {"OnTag", "deleted", "2", "-"}}
	want := map[string][]got{
		"tags/go":           tag,
		"tags/火花":           tag,
		`tags/100% "a b" é`: tag,
		"users/u/notifications/n": {{"OnNote", "written", "-", "1"}, {"OnNote", "written", "1", "2"},
			{"OnNote", "written", "2", "-"}},
	}
	if diff := cmp.Diff(want, byPath); diff != "" {
		t.Errorf("deliveries (-want +got):\n%s", diff)
	}
}

func value(d *firestoredata.Document) string {
	if d == nil {
		return "-"
	}
	return fmt.Sprint(d.Fields["n"].GetIntegerValue())
}

func TestFunctionsOnOneChangeSeeOneID(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{Triggers: []eventarc.Trigger{
		on("created", "A", "likes/{id}"), on("written", "A", "likes/{id}"), on("created", "B", "likes/{id}"),
		on("deleted", "B", "likes/{id}"),
	}})
	ctx := testContext(t)
	for range 3 { // the same document, created and deleted again
		s.set(t, "likes/x", map[string]any{"n": 1})
		_, err := s.client.Doc("likes/x").Delete(ctx)
		must(t, err)
	}
	s.set(t, "likes/y", map[string]any{"n": 1})
	s.waitIdle(t)
	byID := map[string]int{}
	for _, d := range s.functions.all() {
		byID[d.event.ID()]++
	}
	sizes := map[int]int{}
	for _, n := range byID {
		sizes[n]++
	}
	// A creation is seen by three triggers and a deletion by two.
	if diff := cmp.Diff(map[int]int{3: 4, 2: 3}, sizes); diff != "" {
		t.Errorf("number of ids, by deliveries of the id (-want +got):\n%s", diff)
	}
}

func TestWriteWithoutChangeMakesNoEvent(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{Triggers: []eventarc.Trigger{on("written", "A", "likes/{id}")}})
	for _, n := range []int{1, 1, 2, 2, 1} {
		s.set(t, "likes/x", map[string]any{"n": n})
	}
	s.waitIdle(t)
	if got := len(s.functions.all()); got != 3 {
		t.Errorf("%d deliveries, want 3", got)
	}
}

func TestConcurrency(t *testing.T) {
	t.Parallel()
	const n = 6
	var running, most atomic.Int32
	full := make(chan struct{})
	s := start(t, eventarc.Options{Concurrency: n, Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	ctx := testContext(t)
	s.functions.handle = func(delivery) int {
		now := running.Add(1)
		defer running.Add(-1)
		raise(&most, now)
		if now == n {
			select {
			case <-full:
			default:
				close(full)
			}
		}
		select {
		case <-full: // no delivery ends before n are inside
		case <-ctx.Done():
		}
		return http.StatusOK
	}
	for i := range 3 * n {
		s.set(t, fmt.Sprintf("likes/%d", i), map[string]any{"n": i})
	}
	s.waitIdle(t)
	if most.Load() != n {
		t.Errorf("at most %d deliveries at once, want %d", most.Load(), n)
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{MinBackoff: time.Millisecond,
		Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	var attempts atomic.Int32
	s.functions.handle = func(delivery) int {
		switch attempts.Add(1) {
		case 1:
			return http.StatusInternalServerError
		case 2:
			return http.StatusNotFound
		default:
			return http.StatusNoContent
		}
	}
	s.set(t, "likes/x", map[string]any{"n": 1})
	s.waitIdle(t)
	seen := s.functions.all()
	if len(seen) != 3 || seen[0].event.String() != seen[1].event.String() ||
		seen[0].event.String() != seen[2].event.String() {
		t.Errorf("deliveries = %v, want the same one three times", seen)
	}
	if diff := cmp.Diff(eventarc.Counts{Received: 1, Retried: 2, Delivered: 1},
		s.runner.Stats().ByFunction["A"]); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestFunctionsMoveToAnotherPort(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond,
		Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer dead.Close()
	second := serve(t, s.functions)
	s.runner.SetFunctionsURL("http://" + dead.Addr().String())
	s.set(t, "likes/x", map[string]any{"n": 1})
	attempts := make(chan struct{}, 3)
	go func() { // until the end: an attempt that nobody accepts would wait for its time-out
		for n := 0; ; n++ {
			conn, err := dead.Accept()
			if err != nil {
				return
			}
			conn.Close()
			if n < cap(attempts) {
				attempts <- struct{}{}
			}
		}
	}()
	for range cap(attempts) {
		<-attempts
	}
	s.runner.SetFunctionsURL(second)
	s.waitIdle(t)
	if got := len(s.functions.all()); got != 1 {
		t.Errorf("%d deliveries, want 1", got)
	}
}

// Functions that get the port of others hear nothing of what is still sent to those, be it an event or
// a call of the clock.
func TestFunctionsAtThePortOfOthers(t *testing.T) {
	t.Parallel()
	s := prepare(t, eventarc.Options{})
	url := serve(t, s.functions)
	port := url[:strings.LastIndex(url, "/")]
	other := start(t, eventarc.Options{MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond,
		Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	other.runner.SetFunctionsURL(port)
	other.set(t, "likes/x", map[string]any{"n": 1})
	for ctx := testContext(t); other.runner.Stats().Retried == 0; time.Sleep(time.Millisecond) {
		must(t, ctx.Err())
	}
	resp, err := http.Post(port+"/Tick", "", nil)
	must(t, err)
	resp.Body.Close()
	if seen := s.functions.all(); len(seen) != 0 {
		t.Errorf("deliveries = %v, want none", seen)
	}
}

func TestGiveUp(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{MinBackoff: time.Millisecond, MaxBackoff: 50 * time.Millisecond,
		MaxAge: 2 * time.Second, Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	s.functions.handle = func(delivery) int { return http.StatusInternalServerError }
	s.set(t, "likes/x", map[string]any{"n": 1})
	s.waitIdle(t)
	got := s.runner.Stats()
	if got.Failed != 1 || got.Delivered != 0 || got.Retried == 0 {
		t.Errorf("counts = %+v, want one event tried again, then given up", got.Counts)
	}
}

func TestWaitingForARetryHoldsNoWorker(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{Concurrency: 1, MinBackoff: time.Hour,
		Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	done := make(chan string, 1)
	s.functions.handle = func(d delivery) int {
		if d.document() == "likes/bad" {
			return http.StatusInternalServerError
		}
		done <- d.document()
		return http.StatusOK
	}
	s.set(t, "likes/bad", map[string]any{"n": 1})
	s.set(t, "likes/good", map[string]any{"n": 1})
	select {
	case <-done:
	case <-testContext(t).Done():
		t.Fatal("an event that waits for its retry holds up another one")
	}
}

func TestStopFinishesWhatRuns(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{Concurrency: 1, Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	var once sync.Once
	entered, leave := make(chan struct{}), make(chan struct{})
	s.functions.handle = func(delivery) int {
		once.Do(func() { close(entered) })
		<-leave
		return http.StatusOK
	}
	s.set(t, "likes/1", map[string]any{"n": 1})
	s.set(t, "likes/2", map[string]any{"n": 1})
	<-entered
	stopped := make(chan error)
	go func() { stopped <- s.runner.Stop(testContext(t)) }()
	idle := make(chan error)
	go func() { idle <- s.runner.WaitIdle(testContext(t)) }()
	for s.answer(t) != http.StatusServiceUnavailable { // the runner takes nothing more
		time.Sleep(time.Millisecond)
	}
	select {
	case <-stopped:
		t.Error("Stop returned while a function ran")
	default:
	}
	close(leave)
	must(t, <-stopped)
	if err := <-idle; err == nil {
		t.Error("WaitIdle returned nil from a stopped runner")
	}
	if got := s.runner.Stats(); got.Delivered != 1 {
		t.Errorf("counts = %+v, want one delivered", got.Counts)
	}
}

// answer is the runner's answer to an event.
func (s *stack) answer(t *testing.T) int {
	body, err := proto.Marshal(&firestoredata.DocumentEventData{Value: &firestoredata.Document{Name: "x"}})
	must(t, err)
	w := httptest.NewRecorder()
	s.runner.ServeHTTP(w, httptest.NewRequestWithContext(testContext(t), http.MethodPost,
		"/functions/projects/"+s.project+"/triggers/0", strings.NewReader(base64.StdEncoding.EncodeToString(body))))
	return w.Code
}

func TestStopCutsOffWhatDoesNotFinish(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	entered, leave := make(chan struct{}), make(chan struct{})
	s.functions.handle = func(delivery) int {
		close(entered)
		<-leave
		return http.StatusOK
	}
	defer close(leave)
	s.set(t, "likes/1", map[string]any{"n": 1})
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.runner.Stop(ctx); err == nil {
		t.Error("Stop returned nil, want the context's error")
	}
}

func TestRequestsThatAreNoEvents(t *testing.T) {
	t.Parallel()
	r := eventarc.New(eventarc.Options{Project: "p", Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	tests := []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/functions/projects/p/triggers/1", "", http.StatusNotFound},
		{"POST", "/functions/projects/p/triggers/-1", "", http.StatusNotFound},
		{"POST", "/functions/projects/p/triggers/x", "", http.StatusNotFound},
		{"POST", "/functions/projects/q/triggers/0", "", http.StatusNotFound},
		{"POST", "/functions/projects/p/triggers/0", "not base64!", http.StatusBadRequest},
		{"POST", "/functions/projects/p/triggers/0", "AAAA", http.StatusBadRequest},
		{"POST", "/functions/projects/p/triggers/0", "", http.StatusOK}, // a deletion of nothing, which is no change
		{"GET", "/functions/projects/p/triggers/0", "", http.StatusMethodNotAllowed},
		{"POST", "/", "", http.StatusNotFound},
	}
	for _, test := range tests {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(test.method, test.path, strings.NewReader(test.body)))
		if w.Code != test.want {
			t.Errorf("%s %s %q = %d, want %d", test.method, test.path, test.body, w.Code, test.want)
		}
	}
	if got := r.Stats().Received; got != 0 {
		t.Errorf("%d events received, want 0", got)
	}
}
