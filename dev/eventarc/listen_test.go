package eventarc_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/hibana-sns/hibana/dev/eventarc"
)

// listen starts a stack that takes its events from listeners.
func listen(t *testing.T, opts eventarc.Options, existing ...string) *stack {
	t.Helper()
	s := prepare(t, opts)
	for _, path := range existing {
		s.set(t, path, map[string]any{"n": 0})
	}
	ctx, cancel := context.WithCancel(testContext(t))
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- s.runner.RunListen(ctx, s.client, func() { close(ready) }) }()
	select {
	case <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
	s.runner.Start(ctx)
	t.Cleanup(func() {
		_ = s.runner.Stop(context.Background())
		cancel()
		if err := <-ended; err == nil {
			t.Error("RunListen ended with nil, want the context's error")
		}
	})
	return s
}

func TestListen(t *testing.T) {
	t.Parallel()
	s := listen(t, eventarc.Options{Triggers: []eventarc.Trigger{
		on("created", "OnTag", "tags/{id}"),
		on("updated", "OnTag", "tags/{id}"),
		on("deleted", "OnTag", "tags/{id}"),
		on("written", "OnNote", "users/{uid}/notifications/{id}"),
	}}, "tags/old", "users/u/notifications/old")
	ctx := testContext(t)
	s.set(t, "notifications/top", map[string]any{"n": 1}) // same collection id, other pattern
	// Each change waits for the delivery of the one before, so that they stay apart.
	s.set(t, "tags/火花", map[string]any{"n": 1})
	s.functions.waitFor(t, 1)
	s.set(t, "tags/火花", map[string]any{"n": 2})
	s.functions.waitFor(t, 2)
	_, err := s.client.Doc("tags/火花").Delete(ctx)
	must(t, err)
	s.functions.waitFor(t, 3)
	s.set(t, "tags/old", map[string]any{"n": 3})
	s.functions.waitFor(t, 4)
	s.set(t, "users/u/notifications/n", map[string]any{"n": 4})
	s.functions.waitFor(t, 5)
	_, err = s.client.Doc("users/u/notifications/old").Delete(ctx)
	must(t, err)
	s.functions.waitFor(t, 6)
	s.waitIdle(t)

	var got []string
	ids := map[string]bool{}
	for _, d := range s.functions.all() {
		got = append(got, fmt.Sprintf("%s %s %s %s→%s", d.function, d.event.Type(), d.document(), value(d.change.OldValue),
			value(d.change.Value)))
		ids[d.event.ID()] = true
		if want := "//firestore.googleapis.com/projects/" + s.project + "/databases/(default)"; d.event.Source() != want {
			t.Errorf("source = %q, want %q", d.event.Source(), want)
		}
	}
	const kind = "google.cloud.firestore.document.v1."
	want := []string{
		"OnTag " + kind + "created tags/火花 -→1",
		"OnTag " + kind + "updated tags/火花 1→2",
		"OnTag " + kind + "deleted tags/火花 2→-",
		"OnTag " + kind + "updated tags/old 0→3",
		"OnNote " + kind + "written users/u/notifications/n -→4",
		"OnNote " + kind + "written users/u/notifications/old 0→-",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("deliveries (-want +got):\n%s", diff)
	}
	if len(ids) != len(got) {
		t.Errorf("%d ids, want one for each of %d changes", len(ids), len(got))
	}
}

// A listener's event holds what the emulator's own event holds.
func TestListenedEventsEqualEmulatorsEvents(t *testing.T) {
	t.Parallel()
	opts := eventarc.Options{Triggers: []eventarc.Trigger{on("written", "A", "things/{id}")}}
	own := start(t, opts)
	heard := listen(t, opts)
	at := time.Date(2026, 1, 2, 3, 4, 5, 678000, time.UTC)
	for _, s := range []*stack{own, heard} {
		s.set(t, "things/x", map[string]any{
			"null": nil, "bool": true, "int": int64(-1) << 62, "float": 0.1, "string": "火花", "bytes": []byte{0, 255},
			"time": at, "geo": &latlng.LatLng{Latitude: 35.6, Longitude: 139.7}, "ref": s.client.Doc("things/y"),
			"array": []any{1, "a", map[string]any{"deep": []byte("x")}}, "map": map[string]any{"a.b": 1,
				"none": map[string]any{}}, "empty": []any{},
		})
		s.functions.waitFor(t, 1)
	}
	a, b := own.functions.all(), heard.functions.all()
	if len(a) != 1 || len(b) != 1 {
		t.Fatalf("%d and %d deliveries, want 1 and 1", len(a), len(b))
	}
	b[0].change.Value.Fields["ref"] = a[0].change.Value.Fields["ref"] // holds the project
	if diff := cmp.Diff(a[0].change, b[0].change, protocmp.Transform(),
		protocmp.IgnoreFields(&firestoredata.Document{}, "name", "create_time", "update_time")); diff != "" {
		t.Errorf("event (-emulator +listener):\n%s", diff)
	}
	if got, want := a[0].event.Extensions()["document"], b[0].event.Extensions()["document"]; got != want {
		t.Errorf("document = %v, want %v", got, want)
	}
}

func TestListenRefusesAPatternOfACollection(t *testing.T) {
	t.Parallel()
	s := prepare(t, eventarc.Options{Triggers: []eventarc.Trigger{on("created", "A", "users/{uid}/likes")}})
	err := s.runner.RunListen(testContext(t), s.client, nil)
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("RunListen = %v, want a complaint about the pattern", err)
	}
}

func TestListenSeesABurst(t *testing.T) {
	t.Parallel()
	s := listen(t, eventarc.Options{Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	writer := s.client.BulkWriter(testContext(t))
	for i := range 200 {
		_, err := writer.Set(s.client.Doc(fmt.Sprint("likes/", i)), map[string]any{"n": i})
		must(t, err)
	}
	writer.End()
	s.functions.waitFor(t, 200)
	s.waitIdle(t)
	documents := map[string]bool{}
	for _, d := range s.functions.all() {
		documents[d.document()] = true
	}
	if n := len(s.functions.all()); len(documents) != 200 || n != 200 {
		t.Errorf("%d events of %d documents, want 200 of 200", n, len(documents))
	}
}

// A snapshot has its changes in the order of names, and may have those of several commits. A
// probe among them is seen after all.
func TestProbeComesAfterItsSnapshot(t *testing.T) {
	t.Parallel()
	s := listen(t, eventarc.Options{
		Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")},
		// a slow runner
		Faults: &eventarc.Faults{Lose: 0.1, Losable: func(eventarc.Trigger) bool {
			time.Sleep(time.Millisecond)
			return false
		}},
	})
	update := func(path string) map[string]any {
		name := "projects/" + s.project + "/databases/(default)/documents/" + path
		return map[string]any{"update": map[string]any{"name": name,
			"fields": map[string]any{"n": map[string]any{"integerValue": "7"}}}}
	}
	writes := []map[string]any{update("eventarcProbes/7/likes/probe")}
	const likes = 100
	for i := range likes {
		writes = append(writes, update(fmt.Sprint("likes/", i)))
	}
	must(t, eventarc.Await(s.runner, testContext(t), 7, 1, nil, writes...))
	if got := s.runner.Stats().Received; got != likes {
		t.Errorf("%d events received when the probe is seen, want %d", got, likes)
	}
}
