// Package contention tracks which documents a process writes more often than Firestore accepts.
package contention

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
)

// Firestore accepts about one write of a document a second. A counter that changes twice within hotInterval is hot, and
// stays hot for hotFor, so that only roll-ups write the document meanwhile.
const (
	hotInterval             = time.Second
	hotFor                  = 3 * time.Second
	writesPerShard          = 3      // a second, at most
	contentionRememberedFor = 50_000 // counters
)

// Tracker watches how often each counter moves through this process. Other processes may
// think differently of the same counter. Then no move is lost, because a roll-up adds what
// stands in the shards to what stands in the document.
//
// The notifications of a user are tracked like a counter: notification events are collected while the user is hot.
type Tracker struct {
	// Slow is how long a commit takes that probably waits for other writers of its documents; 1 s unless a caller sets
	// another time before the first use.
	Slow time.Duration

	now   func() time.Time
	first int // shard of this process, so that not all processes begin with the same shards

	mu       sync.Mutex
	counters lru.Cache[string, *warmth]
}

// warmth is the state of one counter.
type warmth struct {
	last     time.Time // when the counter last changed
	hotUntil time.Time
	second   time.Time // when the count of moves began
	moves    int       // since second
	shards   int       // in use; 0 while the counter is cold
	turn     int       // of the shards
}

// New returns a tracker without any counter.
func New(now func() time.Time) *Tracker {
	return &Tracker{Slow: time.Second, now: now, first: rand.IntN(model.MaxShards),
		counters: lru.New[string, *warmth](contentionRememberedFor)}
}

// Cold stands for the document itself instead of a shard.
const Cold = -1

// Shard records a change of a counter, and returns the shard to increment. It is one of those that follow the first
// shard of the process, and shard 0 follows the last shard. The shards take turns, so that all are written equally
// often. Shard returns [Cold] if the counter is cold.
func (h *Tracker) Shard(counter string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	w, ok := h.counters.Get(counter)
	if !ok {
		h.counters.Add(counter, &warmth{last: now, second: now, turn: rand.IntN(model.MaxShards)})
		return Cold
	}
	if now.Sub(w.second) >= time.Second {
		w.second, w.moves = now, 0
	}
	w.moves++
	if now.Sub(w.last) < hotInterval {
		w.hotUntil = now.Add(hotFor)
	}
	w.last = now
	if now.After(w.hotUntil) {
		w.shards = 0
		return Cold
	}
	w.shards = max(w.shards, model.MinShards)
	for w.moves > writesPerShard*w.shards && w.shards < model.MaxShards {
		w.shards *= 2
	}
	w.turn++
	return (h.first + w.turn%w.shards) % model.MaxShards
}

// Contend makes a counter busy until it is cold again: other processes write its document as well. Each of them may
// write it seldom, and all together too often.
func (h *Tracker) Contend(counter string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	w, ok := h.counters.Get(counter)
	if !ok {
		w = &warmth{last: now, second: now, turn: rand.IntN(model.MaxShards)}
		h.counters.Add(counter, w)
	}
	w.hotUntil, w.shards = now.Add(hotFor), max(w.shards, 2*model.MinShards)
}

// Busy reports whether a counter moves more often than [model.MinShards] shards take, or is contended, see
// [Tracker.Contend]. Busy records no change.
func (h *Tracker) Busy(counter string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	w, ok := h.counters.Get(counter)
	return ok && w.shards > model.MinShards
}
