// Package groupcommit joins callers of one process that want the same document changed
// into one commit.
package groupcommit

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Group joins callers that want the same document changed, because a document takes about
// one write a second. Each caller hands in an item for a key and waits. A run takes the
// items that came for its key, changes the document once for all of them, and answers
// each caller. Runs of one key follow one another and begin at least a pause apart. So a
// caller alone is served at once, and in a crowd the second caller waits for the others.
//
// An item is served by a run that began after the item was handed in. So a caller may
// rely on order: what the caller wrote before Do is there when the run reads. Other
// processes have groups of their own, so a run may not rely on being the only one.
type Group[K comparable, V, R any] struct {
	// Weigh is what an item weighs; nil weighs every item 1. It is set before the first Do.
	Weigh func(V) int

	every time.Duration // from the beginning of a run to the beginning of the next
	most  int           // what the items of a run weigh together; 0 is no limit

	run func(ctx context.Context, key K, items []V) ([]R, error)

	mu   sync.Mutex
	last map[K]*round[V, R] // the newest round of each key; a quiet key has none
}

// round is one run and its callers.
type round[V, R any] struct {
	items   []V
	weight  int
	begun   bool          // then no caller can join any more
	done    chan struct{} // closed when results and err are set
	results []R           // one for each item
	err     error
	over    chan struct{} // closed when the next round may begin
}

const (
	// RunSize is how many items change one document in one commit.
	RunSize = 100

	// RunTimeout is how long a run may take. After that its callers get an error of the
	// kind errs.Unavailable, and may try again.
	RunTimeout = 30 * time.Second
)

// New returns a group whose runs of one key begin at least every apart, each with items
// that weigh at most most together; 0 is no limit. run returns one result for each item.
// Runs of different keys go side by side.
func New[K comparable, V, R any](every time.Duration, most int, run func(context.Context, K, []V) ([]R, error)) *Group[K, V, R] {
	return &Group[K, V, R]{every: every, most: most, run: run, last: map[K]*round[V, R]{}}
}

// Do hands in an item and returns the item's result. If ctx ends first, Do returns at once
// with the context's error, and the item is served nonetheless.
//
// If a run of several items fails, each caller runs its own item once more, alone and
// without a pause. So an item that can never succeed fails no other item. But if the run fails because the
// database is unavailable, no item is at fault: then all callers get the error.
func (g *Group[K, V, R]) Do(ctx context.Context, key K, item V) (result R, err error) {
	r, i := g.join(ctx, key, item)
	select {
	case <-r.done:
	case <-ctx.Done():
		return result, ctx.Err()
	}
	switch {
	case r.err == nil:
		return r.results[i], nil
	case len(r.items) == 1 || errs.KindOf(r.err) == errs.Unavailable:
		return result, r.err
	}
	alone, err := g.run(ctx, key, []V{item})
	if err != nil {
		return result, err
	}
	return alone[0], nil
}

// join adds an item to the round of its key that has not begun, or opens a round. It
// returns the round and the item's place in the round.
func (g *Group[K, V, R]) join(ctx context.Context, key K, item V) (*round[V, R], int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.last[key]
	weight := 1
	if g.Weigh != nil {
		weight = g.Weigh(item)
	}
	if r == nil || r.begun || g.most > 0 && r.weight+weight > g.most {
		before := r
		r = &round[V, R]{done: make(chan struct{}), over: make(chan struct{})}
		g.last[key] = r
		// The round must not end with the caller that opened it, because others join.
		go g.serve(context.WithoutCancel(ctx), key, r, before)
	}
	r.items, r.weight = append(r.items, item), r.weight+weight
	return r, len(r.items) - 1
}

// serve runs a round when the round before is over.
func (g *Group[K, V, R]) serve(ctx context.Context, key K, r, before *round[V, R]) {
	if before != nil {
		<-before.over
	}
	g.mu.Lock()
	r.begun = true
	g.mu.Unlock()
	begun := time.Now()
	r.results, r.err = g.safely(ctx, key, r.items)
	close(r.done)
	time.Sleep(g.every - time.Since(begun))
	g.mu.Lock()
	if g.last[key] == r {
		delete(g.last, key)
	}
	close(r.over)
	g.mu.Unlock()
}

// safely turns a panic of a run into an error, because a panic in the round's goroutine
// would end the process. A caller that runs its item alone meets the panic itself.
func (g *Group[K, V, R]) safely(ctx context.Context, key K, items []V) (results []R, err error) {
	ctx, cancel := context.WithTimeout(ctx, RunTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return g.run(ctx, key, items)
}
