// Package heat tells which documents are written more often than they should be.
package heat

import (
	"math/rand/v2"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hibana-sns/hibana/model"
)

// A document takes about one write a second. So a counter that moves more often than
// that is hot, and stays so for a while after, so that only roll-ups write the
// document meanwhile; and each shard gets a few writes a second at most.
const (
	hotInterval       = time.Second
	hotFor            = 3 * time.Second
	writesPerShard    = 3
	heatRememberedFor = 50_000 // counters
)

// Heat watches how often each counter moves through this process. Other processes
// may think differently of the same counter, and nothing is lost: what stands in the
// document and what stands in its shards is added up.
type Heat struct {
	now func() time.Time

	mu       sync.Mutex
	counters *lru.Cache[string, *warmth]
}

type warmth struct {
	last     time.Time // when it moved last
	hotUntil time.Time
	second   time.Time // when the counting of moves began
	moves    int       // since then
	shards   int
	turn     int
}

func New(now func() time.Time) *Heat {
	counters, err := lru.New[string, *warmth](heatRememberedFor)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Heat{now: now, counters: counters}
}

// Cold is no shard: the document itself.
const Cold = -1

// Shard notes that a counter moves, and tells which shard is to be incremented: each in turn,
// so that all are written equally often. It is cold if the counter is.
func (h *Heat) Shard(counter string) int {
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
	return w.turn % w.shards
}
