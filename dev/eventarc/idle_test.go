package eventarc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/eventarc"
)

// Functions write documents, whose events run functions that write documents. WaitIdle
// waits for the end of the chain, every time.
func TestWaitIdleSeesWhatFollows(t *testing.T) {
	t.Parallel()
	t.Run("events", func(t *testing.T) {
		t.Parallel()
		seesWhatFollows(t, func(t *testing.T, o eventarc.Options) *stack { return start(t, o) })
	})
	t.Run("listeners", func(t *testing.T) {
		t.Parallel()
		seesWhatFollows(t, func(t *testing.T, o eventarc.Options) *stack { return listen(t, o) })
	})
}

func seesWhatFollows(t *testing.T, start func(*testing.T, eventarc.Options) *stack) {
	next := map[string]string{"One": "two", "Two": "three", "Three": "four"}
	s := start(t, eventarc.Options{
		Triggers: []eventarc.Trigger{on("created", "One", "one/{id}"), on("created", "Two", "two/{id}"),
			on("created", "Three", "three/{id}")},
	})
	ctx := testContext(t)
	s.functions.handle = func(d delivery) int {
		_, id, _ := strings.Cut(d.document(), "/")
		time.Sleep(rand.N(10 * time.Millisecond)) // work, of uneven length
		if _, err := s.client.Doc(next[d.function]+"/"+id).Set(ctx, map[string]any{"n": 1}); err != nil {
			t.Error(err)
		}
		return http.StatusOK
	}
	const rounds = 20
	want := 0
	for round := range rounds {
		// With one document at a time the queue runs empty between the steps.
		for i := range 1 + round%4 {
			s.set(t, fmt.Sprintf("one/%d-%d", round, i), map[string]any{"n": 1})
			want++
		}
		s.waitIdle(t)
		last, err := s.client.Collection("four").Documents(ctx).GetAll()
		must(t, err)
		if len(last) != want {
			t.Fatalf("round %d: idle with %d documents at the end of the chain, want %d", round, len(last), want)
		}
	}
	if got := len(s.functions.all()); got != 3*want {
		t.Errorf("%d deliveries, want %d: probes reach no function", got, 3*want)
	}
	left, err := s.client.CollectionGroup("two").Documents(ctx).GetAll()
	must(t, err)
	if len(left) != want {
		t.Errorf("a query of a collection group finds %d documents, want %d: no probe", len(left), want)
	}
}

// Another process waits as WaitIdle does.
func TestAwaitIdle(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	server := httptest.NewServer(s.runner)
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")

	entered, leave := make(chan struct{}), make(chan struct{})
	s.functions.handle = func(delivery) int {
		close(entered)
		<-leave
		return http.StatusOK
	}
	s.set(t, "likes/x", map[string]any{"n": 1})
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := eventarc.AwaitIdle(ctx, host); err == nil {
		t.Error("AwaitIdle returned nil while a function runs")
	}
	close(leave)
	if err := eventarc.AwaitIdle(testContext(t), host); err != nil {
		t.Error(err)
	}

	if err := s.runner.Stop(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if err := eventarc.AwaitIdle(testContext(t), host); err == nil {
		t.Error("AwaitIdle returned nil of a runner that stopped")
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	if err := eventarc.AwaitIdle(testContext(t), strings.TrimPrefix(other.URL, "http://")); err == nil {
		t.Error("AwaitIdle returned nil of another server")
	}
}

func TestWaitIdleEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{MinBackoff: time.Hour, Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")}})
	failed := make(chan struct{})
	s.functions.handle = func(delivery) int {
		close(failed)
		return http.StatusInternalServerError
	}
	s.set(t, "likes/x", map[string]any{"n": 1})
	<-failed
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.runner.WaitIdle(ctx); err == nil {
		t.Error("WaitIdle returned nil while an event waits for its retry")
	}
}

// WaitIdle relies on this: the events of every write that was acknowledged before a probe
// is written arrive before the probe's event, while other clients and projects go on
// writing.
func TestEventsLeaveInOrder(t *testing.T) {
	t.Parallel()
	leaveInOrder(t, func(t *testing.T, o eventarc.Options) *stack { return start(t, o) })
}

// WaitIdle relies on the same of each listener.
func TestListenersHearInOrder(t *testing.T) {
	t.Parallel()
	leaveInOrder(t, func(t *testing.T, o eventarc.Options) *stack { return listen(t, o) })
}

func leaveInOrder(t *testing.T, start func(*testing.T, eventarc.Options) *stack) {
	const projects, clients, rounds, writes = 3, 8, 3, 15
	g, ctx := errgroup.WithContext(testContext(t))
	for range projects {
		var triggers []eventarc.Trigger
		for c := range clients {
			triggers = append(triggers, on("created", fmt.Sprint("F", c), fmt.Sprint("c", c, "/{id}")))
		}
		s := start(t, eventarc.Options{Triggers: triggers})
		for c := range clients {
			g.Go(func() error {
				for round := 1; round <= rounds; round++ {
					for i := range writes {
						if _, err := s.client.Doc(fmt.Sprintf("c%d/%d-%d", c, round, i)).Set(ctx, map[string]any{"n": i}); err != nil {
							return err
						}
					}
					for range 2 { // as WaitIdle: a commit may be answered a little before its event is in order
						begun := time.Now()
						if err := eventarc.Probe(s.runner, ctx); err != nil {
							return err
						}
						time.Sleep(max(eventarc.BetweenProbes, 3*time.Since(begun)))
					}
					if got, want := s.runner.Stats().ByFunction[fmt.Sprint("F", c)].Received, round*writes; got != want {
						return fmt.Errorf("client %d: %d events received before the probe, want %d", c, got, want)
					}
				}
				return nil
			})
		}
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

func BenchmarkWaitIdle(b *testing.B) {
	s := start(b, eventarc.Options{})
	for b.Loop() {
		if err := s.runner.WaitIdle(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChain measures writes of 16 clients, through the emulator and the
// relay, until their functions have answered; with one function on each write
// and with five.
func BenchmarkChain(b *testing.B) {
	for _, functions := range []int{1, 5} {
		b.Run(fmt.Sprint("functions=", functions), func(b *testing.B) {
			var triggers []eventarc.Trigger
			for i := range functions {
				triggers = append(triggers, on("created", fmt.Sprint("F", i), "likes/{id}"))
			}
			s := start(b, eventarc.Options{Triggers: triggers})
			writes := 0
			for b.Loop() {
				g, ctx := errgroup.WithContext(b.Context())
				g.SetLimit(16)
				for range 1000 {
					path := fmt.Sprint("likes/", writes)
					writes++
					g.Go(func() error {
						_, err := s.client.Doc(path).Set(ctx, map[string]any{"n": 1})
						return err
					})
				}
				must(b, g.Wait())
				must(b, s.runner.WaitIdle(b.Context()))
			}
			b.ReportMetric(float64(writes)/b.Elapsed().Seconds(), "writes/s")
			b.ReportMetric(float64(s.runner.Stats().Delivered)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}

// BenchmarkOneEvent measures one write until its function has answered.
func BenchmarkOneEvent(b *testing.B) {
	s := start(b, eventarc.Options{Triggers: []eventarc.Trigger{on("written", "A", "likes/{id}")}})
	answered := make(chan struct{})
	s.functions.handle = func(delivery) int {
		answered <- struct{}{}
		return http.StatusOK
	}
	n := 0
	for b.Loop() {
		n++
		_, err := s.client.Doc("likes/x").Set(b.Context(), map[string]any{"n": n})
		must(b, err)
		<-answered
	}
}
