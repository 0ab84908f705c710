package contention_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/contention"
)

// process is a contention with a clock that stands still until the test moves the clock.
type process struct {
	*contention.Tracker
	now time.Time
}

func newProcess() *process {
	p := &process{now: time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)}
	p.Tracker = contention.New(func() time.Time { return p.now })
	return p
}

// move moves a counter n times, each time a while after the time before. It tells how often
// each shard was chosen.
func (p *process) move(counter string, n int, while time.Duration) map[int]int {
	chosen := map[int]int{}
	for range n {
		p.now = p.now.Add(while)
		chosen[p.Shard(counter)]++
	}
	return chosen
}

// A counter is hot from the second move within a second on, until 3 s after it last moved so
// soon.
func TestHotAndCold(t *testing.T) {
	t.Parallel()
	p := newProcess()
	steps := []struct {
		after time.Duration
		hot   bool
	}{
		{0, false}, {time.Second, false}, {999 * time.Millisecond, true}, {time.Second, true}, {2 * time.Second, true},
		{time.Millisecond, true}, {3 * time.Second, true}, {time.Second, false}, {time.Minute, false}, {0, true},
	}
	for i, step := range steps {
		p.now = p.now.Add(step.after)
		if shard := p.Shard("a"); (shard != contention.Cold) != step.hot || shard < contention.Cold ||
			shard >= model.MaxShards {
			t.Errorf("move %d, after %v: shard %d, want hot %v", i, step.after, shard, step.hot)
		}
	}
	if shard := p.Shard("b"); shard != contention.Cold {
		t.Errorf("the first move of another counter: shard %d, want none", shard)
	}
}

// The number of shards follows from the moves of a second. Ten moves a second need the
// fewest shards, however long they go on.
func TestMovesOfASecond(t *testing.T) {
	t.Parallel()
	tests := []struct{ perSecond, shards int }{{2, 8}, {10, 8}, {20, 8}, {40, 16}, {100, 64}, {380, 128}, {5000, 128}}
	for _, test := range tests {
		p := newProcess()
		p.Shard("a")
		chosen := p.move("a", 30*test.perSecond, time.Second/time.Duration(test.perSecond))
		if len(chosen) != test.shards {
			t.Errorf("%d moves a second for half a minute go to %d shards, want %d", test.perSecond, len(chosen), test.shards)
		}
		if got, want := p.Busy("a"), test.shards > model.MinShards; got != want || p.Busy("b") {
			t.Errorf("%d moves a second make a counter busy: %t, want %t; and no other one", test.perSecond, got, want)
		}
	}
}

// A counter that other processes write too is busy until it is cold, though this process moves it seldom.
func TestContend(t *testing.T) {
	t.Parallel()
	p := newProcess()
	p.move("a", 10, 500*time.Millisecond)
	if p.Busy("a") {
		t.Error("two moves a second make a counter busy")
	}
	for _, name := range []string{"a", "new"} {
		p.Contend(name)
		if chosen := p.move(name, 60, 500*time.Millisecond); !p.Busy(name) || chosen[contention.Cold] > 0 {
			t.Errorf("half a minute after others wrote %q it is busy: %t; shards %v", name, p.Busy(name), chosen)
		}
		p.move(name, 1, 4*time.Second)
		if p.Busy(name) {
			t.Errorf("%q is busy when it is cold", name)
		}
	}
}

// The shards take turns. A counter that got cold begins with few shards again.
func TestTurns(t *testing.T) {
	t.Parallel()
	p := newProcess()
	p.move("a", 1000, time.Millisecond)
	chosen := p.move("a", 5*model.MaxShards, time.Millisecond)
	if len(chosen) != model.MaxShards {
		t.Errorf("%d shards, want %d", len(chosen), model.MaxShards)
	}
	for shard, n := range chosen {
		if n != 5 {
			t.Errorf("shard %d is chosen %d times, want 5 times", shard, n)
		}
	}
	p.move("a", 1, time.Minute)
	if chosen := p.move("a", 100, 200*time.Millisecond); len(chosen) != model.MinShards {
		t.Errorf("%d shards after a minute without a move, want %d", len(chosen), model.MinShards)
	}
}

// Processes begin with different shards, so that many processes that are each a little hot
// do not write the same few documents.
func TestProcesses(t *testing.T) {
	t.Parallel()
	const processes = 100
	users := map[int]int{} // of each shard
	for range processes {
		p := newProcess()
		p.Shard("a")
		chosen := p.move("a", 10*model.MinShards, 100*time.Millisecond)
		if len(chosen) != model.MinShards {
			t.Errorf("a process uses the shards %v, want %d", chosen, model.MinShards)
		}
		for shard := range chosen {
			if shard < 0 || shard >= model.MaxShards {
				t.Errorf("shard %d", shard)
			}
			users[shard]++
		}
	}
	// A shard has 6 of 100 users on average; 30 are 10 standard deviations more.
	most := 0
	for _, n := range users {
		most = max(most, n)
	}
	if most > 30 {
		t.Errorf("%d of %d processes use one shard: %v", most, processes, users)
	}
}
