package eventarc_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/local/eventarc"
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

func TestDelayReorders(t *testing.T) {
	t.Parallel()
	s := start(t, eventarc.Options{
		Triggers: []eventarc.Trigger{on("created", "A", "likes/{id}")},
		Faults:   &eventarc.Faults{Seed: 1, Delay: 200 * time.Millisecond},
	})
	for i := range 20 {
		s.set(t, fmt.Sprint("likes/", i), map[string]any{"n": i})
	}
	s.waitIdle(t)
	overtaken := 0
	var last int64 = -1
	seen := s.functions.all()
	for _, d := range seen {
		n := d.change.Value.Fields["n"].GetIntegerValue()
		if n < last {
			overtaken++
		}
		last = n
	}
	if len(seen) != 20 || overtaken == 0 {
		t.Errorf("%d deliveries, %d of them overtaken, want 20 and some", len(seen), overtaken)
	}
}
