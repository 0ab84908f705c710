package eventarc_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// After Unregister the emulator sends nothing, not even probes, until the table is
// registered again.
func TestUnregister(t *testing.T) {
	t.Parallel()
	s := prepare(t, eventarc.Options{Triggers: []eventarc.Trigger{on("written", "A", "likes/{id}"),
		on("written", "B", "tags/{id}")}})
	ctx, relay := testContext(t), testenv.EventsAddr(t)
	sent := make(chan string, 100)
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent <- req.Header.Get("ce-document")
		s.runner.ServeHTTP(w, req)
	}))
	defer target.Close()
	must(t, eventarc.Route(ctx, relay, s.project, target.URL))
	defer eventarc.Unroute(context.WithoutCancel(ctx), relay, s.project)
	must(t, s.runner.Register(ctx))
	// Events come in the order of the writes. So no event of an earlier write comes after
	// the event of last/{id}.
	must(t, eventarc.RegisterPattern(s.runner, ctx, "last", "last/{id}"))
	defer eventarc.RegisterPattern(s.runner, context.WithoutCancel(ctx), "last", "eventarcNone/{id}")
	defer s.runner.Unregister(context.WithoutCancel(ctx))

	write := func(id string) (events []string) {
		t.Helper()
		for _, path := range []string{"likes/", "tags/", "eventarcProbes/", "last/"} {
			s.set(t, path+id, map[string]any{"n": 1})
		}
		for {
			select {
			case event := <-sent:
				if events = append(events, event); event == "last/"+id {
					return events
				}
			case <-ctx.Done():
				t.Fatalf("of %s came only %v", id, events)
			}
		}
	}
	all := func(id string) []string {
		return []string{"likes/" + id, "tags/" + id, "eventarcProbes/" + id, "last/" + id}
	}
	if diff := cmp.Diff(all("a"), write("a")); diff != "" {
		t.Errorf("registered: events (-want +got):\n%s", diff)
	}
	must(t, s.runner.Unregister(ctx))
	if diff := cmp.Diff([]string{"last/b"}, write("b")); diff != "" {
		t.Errorf("not registered any more: events (-want +got):\n%s", diff)
	}
	must(t, s.runner.Register(ctx))
	if diff := cmp.Diff(all("c"), write("c")); diff != "" {
		t.Errorf("registered again: events (-want +got):\n%s", diff)
	}
}
