// Package groupcommit joins callers of one process that want the same document changed.
package groupcommit

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Group joins callers who want the same document changed, because a document takes about
// one write a second. Each caller hands in an item for a key and waits. A run takes the
// items that came for its key, changes the document once for all of them, and answers
// each caller. Runs of one key follow one another and begin at least a pause apart. So a
// caller alone is served at once, and in a crowd the second caller waits for the others.
//
// An item is served by a run that began after the item was handed in. Other processes do
// the same without knowing of this process, so a run may not rely on being the only one.
type Group[K comparable, V, R any] struct {
	// Weigh is what an item weighs; nil weighs every item 1. It is set before the first Do.
	Weigh func(V) int

	every time.Duration // from the beginning of a run to that of the next
	most  int           // items of a run, or what they weigh; 0 is any number

	run func(ctx context.Context, key K, items []V) ([]R, error)

	mu   sync.Mutex
	last map[K]*round[V, R] // the newest of each key; none for one that is quiet
}

// round is one run and those who wait for it.
type round[V, R any] struct {
	items   []V
	weight  int
	begun   bool          // so that nobody can join any more
	done    chan struct{} // closed when the fields below are set
	results []R           // one for each item
	err     error
	over    chan struct{} // closed when the next may begin
}

const (
	RunSize    = 100              // items that change one document in one commit
	RunTimeout = 30 * time.Second // for a run, after which its callers are told to try again
)

func New[K comparable, V, R any](every time.Duration, most int, run func(context.Context, K, []V) ([]R, error)) *Group[K, V, R] {
	return &Group[K, V, R]{every: every, most: most, run: run, last: map[K]*round[V, R]{}}
}

// Do hands in an item and returns what came of it. If a run of several fails, each is
// done alone, so that one which can never succeed fails nobody else; but not while the
// database is unavailable, which is nobody's fault.
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

// join adds an item to the round that has not begun, or opens one, and tells its place.
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
		go g.serve(context.WithoutCancel(ctx), key, r, before) // outlives the first who came, since others wait for it
	}
	r.items, r.weight = append(r.items, item), r.weight+weight
	return r, len(r.items) - 1
}

// serve runs a round when the one before is over.
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

// safely turns a panic into an error, for the callers' own goroutines to meet it again.
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
