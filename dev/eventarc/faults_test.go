package eventarc_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/eventarc"
)

// faulty writes documents under faults, and returns how often the event of each document
// came.
func faulty(t *testing.T, seed uint64) (deliveries map[string]int, stats eventarc.Stats) {
	s := start(t, eventarc.Options{
		Triggers: []eventarc.Trigger{on("written", "A", "likes/{id}"), on("created", "B", "likes/{id}")},
		Faults:   &eventarc.Faults{Seed: seed, Duplicate: 3, Delay: 5 * time.Millisecond, Drop: 0.3},
	})
	for round := range 2 {
		for i := range 40 {
			s.set(t, fmt.Sprint("likes/", i), map[string]any{"n": round})
		}
	}
	s.waitIdle(t)
	deliveries = map[string]int{}
	for _, d := range s.functions.all() {
		deliveries[fmt.Sprint(d.function, " ", d.document(), " ", value(d.change.Value))]++
	}
	return deliveries, s.runner.Stats()
}

func TestFaultsRepeatFromTheirSeed(t *testing.T) {
	t.Parallel()
	const seed = 7
	t.Logf("seed %d", seed)
	first, stats := faulty(t, seed)
	if len(first) != 120 {
		t.Errorf("%d events were delivered, want all 120", len(first))
	}
	if got, want := stats.Delivered, stats.Received+stats.Duplicated; got != want || stats.Received != 120 {
		t.Errorf("counts = %+v, want delivered = received + duplicated = 120 + …", stats.Counts)
	}
	// Three copies at most, two on average; of 0.3 lost attempts half have
	// run, so a copy runs about 1.2 times.
	if stats.Duplicated < 60 || stats.Duplicated > 180 || stats.Retried < 40 || stats.Retried > 200 {
		t.Errorf("counts = %+v, want about 120 duplicates and 100 losses", stats.Counts)
	}
	second, again := faulty(t, seed)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("deliveries of the same seed differ (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(stats, again); diff != "" {
		t.Errorf("counts of the same seed differ (-first +second):\n%s", diff)
	}
	other, _ := faulty(t, seed+1)
	if cmp.Equal(first, other) {
		t.Error("another seed made the same faults")
	}
}

// lossy creates and updates documents while events of some triggers are lost for good, and
// returns how often each event came.
func lossy(t *testing.T, seed uint64, lose float64) (deliveries map[string]int, stats eventarc.Stats) {
	s := start(t, eventarc.Options{
		Triggers: []eventarc.Trigger{
			on("created", "Drain", "drains/{id}"), on("updated", "Drain", "drains/{id}"),
			on("created", "Log", "drains/{id}"), on("created", "Drain", "likes/{id}"),
		},
		Faults: &eventarc.Faults{
			Seed: seed, Duplicate: 2, Delay: 5 * time.Millisecond, Drop: 0.2, Lose: lose,
			Losable: func(trigger eventarc.Trigger) bool {
				return trigger.Document == "drains/{id}" && strings.HasSuffix(trigger.EventType, ".created")
			},
		},
	})
	for round := range 2 {
		for i := range 40 {
			s.set(t, fmt.Sprint("drains/", i), map[string]any{"n": round})
			s.set(t, fmt.Sprint("likes/", i), map[string]any{"n": round})
		}
	}
	s.waitIdle(t)
	deliveries = map[string]int{}
	for _, d := range s.functions.all() {
		deliveries[fmt.Sprint(d.function, " ", d.document(), " ", value(d.change.OldValue))]++
	}
	return deliveries, s.runner.Stats()
}

// An event that is lost for good never comes. Others come as they do without losses.
func TestEventsAreLostForGood(t *testing.T) {
	t.Parallel()
	const seed = 11
	got, stats := lossy(t, seed, 0.3)
	lost := map[string]int{} // by function
	for i := range 40 {
		for _, f := range []string{"Drain", "Log"} {
			if got[fmt.Sprintf("%s drains/%d -", f, i)] == 0 {
				lost[f]++
			}
		}
		for _, event := range []string{fmt.Sprintf("Drain drains/%d 0", i), fmt.Sprintf("Drain likes/%d -", i)} {
			if got[event] == 0 {
				t.Errorf("%s was lost, which must not be", event)
			}
		}
	}
	if lost["Drain"] < 4 || lost["Drain"] > 24 || lost["Log"] < 4 || lost["Log"] > 24 {
		t.Errorf("lost %v, want about 12 of the 40 creations that each function hears of", lost)
	}
	if stats.Lost != lost["Drain"]+lost["Log"] || stats.Received != 160 || stats.Delivered+stats.Lost != stats.Received+
		stats.Duplicated {
		t.Errorf("counts = %+v, want %v lost, and delivered + lost = received + duplicated = 160 + …", stats.Counts, lost)
	}
	again, _ := lossy(t, seed, 0.3)
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("deliveries of the same seed differ (-first +second):\n%s", diff)
	}
	other, _ := lossy(t, seed+1, 0.3)
	if cmp.Equal(got, other) {
		t.Error("another seed lost the same events")
	}
	all, _ := lossy(t, seed, 0)
	for event := range all {
		if got[event] == 0 {
			delete(all, event)
		}
	}
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("what is not lost comes in another way (-without losses +with losses):\n%s", diff)
	}
}

func TestDelayReorders(t *testing.T) {
	t.Parallel()
	if n := overtaken(t, 200*time.Millisecond); n == 0 {
		t.Error("no event was overtaken")
	}
	if n := overtaken(t, 0); n > 0 {
		t.Errorf("%d events were overtaken without a delay", n)
	}
}

// overtaken counts the events that come after a later one.
func overtaken(t *testing.T, delay time.Duration) (n int) {
	t.Helper()
	s := start(t, eventarc.Options{
		Concurrency: 1, // or they would overtake each other without a delay
		Triggers:    []eventarc.Trigger{on("created", "A", "likes/{id}")},
		Faults:      &eventarc.Faults{Seed: 1, Delay: delay},
	})
	// In one commit, so that all events come within the delay on any machine.
	must(t, s.client.RunTransaction(testContext(t), func(_ context.Context, tx *firestore.Transaction) error {
		for i := range 20 {
			if err := tx.Set(s.client.Doc(fmt.Sprint("likes/", i)), map[string]any{"n": i}); err != nil {
				return err
			}
		}
		return nil
	}))
	s.waitIdle(t)
	var last int64 = -1
	seen := s.functions.all()
	for _, d := range seen {
		at := d.change.Value.Fields["n"].GetIntegerValue()
		if at < last {
			n++
		}
		last = at
	}
	if len(seen) != 20 {
		t.Errorf("%d deliveries, want 20", len(seen))
	}
	return n
}
