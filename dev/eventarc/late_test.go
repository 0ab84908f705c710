package eventarc_test

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/eventarc"
)

// slow serves functions whose first runs last until they may leave or are cut off.
type slow struct {
	first int32 // how many runs are slow
	leave chan struct{}

	runs, running, most, cut atomic.Int32
}

// raise makes a number at least n.
func raise(most *atomic.Int32, n int32) {
	for {
		if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
			return
		}
	}
}

func (s *slow) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // the server sees the end of a connection only after the body
	nth, now := s.runs.Add(1), s.running.Add(1)
	defer s.running.Add(-1)
	raise(&s.most, now)
	if nth > s.first {
		return
	}
	select {
	case <-s.leave:
	case <-r.Context().Done():
		s.cut.Add(1)
	}
}

// startSlow starts a stack whose functions are slow.
func startSlow(t *testing.T, first int32, opts eventarc.Options) (*stack, *slow) {
	t.Helper()
	opts.Triggers = []eventarc.Trigger{on("created", "A", "likes/{id}")}
	f := &slow{first: first, leave: make(chan struct{})}
	s := start(t, opts)
	s.runner.SetFunctionsURL(serve(t, f))
	return s, f
}

// An event that is not answered in time is delivered again beside the runs that go on.
// These run to their end, and WaitIdle waits for them.
func TestLateFunctionsOverlap(t *testing.T) {
	t.Parallel()
	s, f := startSlow(t, 2, eventarc.Options{AckDeadline: 200 * time.Millisecond, MinBackoff: time.Millisecond,
		Concurrency: 1})
	s.set(t, "likes/x", map[string]any{"n": 1})
	for ctx := testContext(t); s.runner.Stats().Delivered == 0; time.Sleep(time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("counts = %+v, want the third run to be answered while two go on", s.runner.Stats().Counts)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := s.runner.WaitIdle(ctx); err == nil {
		t.Error("WaitIdle returned nil while two functions run on")
	}
	close(f.leave)
	s.waitIdle(t)
	if f.running.Load() != 0 || f.most.Load() != 3 || f.cut.Load() != 0 {
		t.Errorf("%d functions run, %d did at once, %d were cut off; want 0, 3, 0", f.running.Load(), f.most.Load(),
			f.cut.Load())
	}
	counts := s.runner.Stats().ByFunction["A"]
	// on a slow machine an answer at once may be late, too
	counts.Retried, counts.Overlapped = min(counts.Retried, 2), min(counts.Overlapped, 2)
	if diff := cmp.Diff(eventarc.Counts{Received: 1, Retried: 2, Overlapped: 2, Delivered: 1}, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// Runs that end before the next attempt do not overlap with it, though they were late.
func TestLateFunctionsThatEnd(t *testing.T) {
	t.Parallel()
	s, f := startSlow(t, 1, eventarc.Options{AckDeadline: 50 * time.Millisecond, MinBackoff: 2 * time.Second})
	s.set(t, "likes/x", map[string]any{"n": 1})
	for s.runner.Stats().ByFunction["A"].Retried == 0 { // the function is late
		time.Sleep(time.Millisecond)
	}
	close(f.leave) // before the next delivery: half of the backoff is certain
	s.waitIdle(t)
	counts := s.runner.Stats().ByFunction["A"]
	counts.Retried = min(counts.Retried, 1) // on a slow machine even an answer at once may come after 50 ms
	if diff := cmp.Diff(eventarc.Counts{Received: 1, Retried: 1, Delivered: 1}, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// A runner that stops waits for no function that is late already.
func TestStopCutsOffLateFunctions(t *testing.T) {
	t.Parallel()
	s, f := startSlow(t, 1, eventarc.Options{AckDeadline: 50 * time.Millisecond, MinBackoff: time.Millisecond})
	s.set(t, "likes/x", map[string]any{"n": 1})
	for ctx := testContext(t); s.runner.Stats().Delivered == 0; time.Sleep(time.Millisecond) {
		must(t, ctx.Err())
	}
	must(t, s.runner.Stop(testContext(t)))
	for ctx := testContext(t); f.cut.Load() == 0; time.Sleep(time.Millisecond) { // the server hears of it a little later
		if ctx.Err() != nil {
			t.Fatal("the function runs on")
		}
	}
}
