// Package groupcommit joins callers of one process that change the same document into one commit.
package groupcommit

import (
	"context"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/internal/safely"
)

// Group joins callers that change the same document, because Firestore accepts about one write of a document a second.
// Each caller submits an item for a key and waits. A run takes the items that came for its key, changes the document
// once for all of them, and answers each caller. Runs of one key follow one another and begin at least a pause apart.
// So a single caller is served at once, and in a crowd the second caller waits for the others.
//
// If a run of several items fails, the group runs each half of the items by itself, one half after the other, down to
// single items. So an item that can never succeed fails no other item, and no two runs of a key are concurrent. But if
// the run fails because the database is unavailable or overloaded, no item is at fault: then all callers get the error.
//
// An item is served by a run that began after the item was submitted. So a caller may rely on order: its writes before
// Do are there when the run reads. Other processes have groups of their own, so a run may not rely on being the only
// one.
type Group[K comparable, V, R any] struct {
	// Weigh returns the weight of an item; nil weighs every item 1. It is set before the first Do.
	Weigh func(V) int
	// Aside says that an admitted event gives up its place while it waits, see [gate.Await]. It is set before the first
	// Do.
	Aside bool
	every time.Duration // from the beginning of a run to the beginning of the next
	most  int           // the largest weight of a run's items together; 0 is no limit
	crowd bool          // see NewCrowds

	run func(ctx context.Context, key K, items []V) ([]R, error)

	mu   sync.Mutex
	last map[K]*round[V, R] // the newest round of each key; a quiet key has none
}

// Queue is a [Group] to its callers. Packages hold a Queue and not a Group: Go compiles the methods of a generic struct
// again in every package that imports a package with a field of that type, and those of an interface nowhere else.
type Queue[K comparable, V, R any] interface {
	Do(ctx context.Context, key K, item V) (R, error)
}

// round is one run and its callers.
type round[V, R any] struct {
	items   []V
	left    []bool // callers who left before the run began; nil if none did
	weight  int
	begun   bool          // then no caller can join or leave any more
	done    chan struct{} // closed when results and errs are set
	results []R           // one for each item
	errs    []error       // one for each item
	over    chan struct{} // closed when the next round may begin
}

const (
	// RunSize is how many items change one document in one commit.
	RunSize = 100

	// RunTimeout bounds a run. After that its callers get an error of the kind errs.Unavailable, and may try again. A run
	// that begins when its callers' time is nearly over makes them that much later.
	RunTimeout = 5 * time.Second
)

// New returns a group whose runs of one key begin at least every apart. The items of a run weigh at most most together;
// 0 is no limit. run returns one result for each item. Runs of different keys are concurrent.
func New[K comparable, V, R any](every time.Duration, most int, run func(context.Context, K, []V) ([]R,
	error)) *Group[K, V, R] {
	return &Group[K, V, R]{every: every, most: most, run: run, last: map[K]*round[V, R]{}}
}

// longestWait is how long the items of a crowd wait at most for a run that does not begin late.
const longestWait = 2 * time.Second

// NewCrowds returns a group for callers that have another way. The first run of a quiet key waits for more items,
// because the process has just written the document. One run of a key waits at most: if that is full, Do returns the
// zero result at once. Runs begin at least every apart, or 2 s apart if every is longer. An admitted event gives up its
// place while it waits. A caller that then goes another way calls [gate.Return] first.
func NewCrowds[K comparable, V, R any](every time.Duration, most int, run func(context.Context, K, []V) ([]R,
	error)) *Group[K, V, R] {
	g := New(min(every, longestWait), most, run)
	g.crowd, g.Aside = true, true
	return g
}

// Do submits an item and returns the item's result. If ctx ends before the item's run begins, Do withdraws the item and
// returns the context's error. Once the run has begun, Do waits for its end. So no run goes on when all its callers
// have answered: a process that may be frozen after an answer holds no transaction open.
func (g *Group[K, V, R]) Do(ctx context.Context, key K, item V) (result R, err error) {
	r, i := g.join(ctx, key, item)
	if r == nil {
		return result, nil
	}
	if err := g.await(ctx, r.done); err != nil {
		if g.leave(r, i) {
			return result, err
		}
		<-r.done
	}
	if r.errs[i] != nil {
		return result, r.errs[i]
	}
	return r.results[i], nil
}

// await waits for the end of a round, or returns the error of ctx.
func (g *Group[K, V, R]) await(ctx context.Context, done <-chan struct{}) error {
	if g.Aside {
		return gate.Await(ctx, done)
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join adds an item to the round of its key that has not begun, or opens a round. It returns the round and the item's
// index in the round. The round is nil if that of a crowd is full.
func (g *Group[K, V, R]) join(ctx context.Context, key K, item V) (*round[V, R], int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.last[key]
	weight := g.weight(item)
	full := r != nil && !r.begun && g.most > 0 && r.weight+weight > g.most
	if full && g.crowd {
		return nil, 0
	}
	if r == nil || r.begun || full {
		before := r
		r = &round[V, R]{done: make(chan struct{}), over: make(chan struct{})}
		g.last[key] = r
		// The round must not end with the caller that opened it, because others join.
		safely.Go(func() error { g.serve(gate.Outside(ctx), key, r, before); return nil }, nil)
	}
	r.items, r.weight = append(r.items, item), r.weight+weight
	return r, len(r.items) - 1
}

func (g *Group[K, V, R]) weight(item V) int {
	if g.Weigh == nil {
		return 1
	}
	return g.Weigh(item)
}

// leave takes an item out of a round, and returns whether it did. It does not if the round has begun.
func (g *Group[K, V, R]) leave(r *round[V, R], i int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.begun {
		return false
	}
	if r.left == nil {
		r.left = make([]bool, i+1)
	}
	for len(r.left) <= i {
		r.left = append(r.left, false)
	}
	r.left[i] = true
	r.weight -= g.weight(r.items[i])
	return true
}

// serve runs a round when the previous round is over.
func (g *Group[K, V, R]) serve(ctx context.Context, key K, r, before *round[V, R]) {
	if before != nil {
		<-before.over
	} else if g.crowd {
		time.Sleep(g.every)
	}
	g.mu.Lock()
	r.begun = true
	g.mu.Unlock()
	var positions []int // of the items whose callers still wait
	for i := range r.items {
		if i >= len(r.left) || !r.left[i] {
			positions = append(positions, i)
		}
	}
	r.results, r.errs = make([]R, len(r.items)), make([]error, len(r.items))
	begun := time.Now()
	if len(positions) > 0 {
		ctx, cancel := context.WithTimeout(ctx, RunTimeout)
		g.solve(ctx, key, r, positions)
		cancel()
	}
	close(r.done)
	if len(positions) > 0 {
		time.Sleep(g.every - time.Since(begun))
	}
	g.mu.Lock()
	if g.last[key] == r {
		delete(g.last, key)
	}
	close(r.over)
	g.mu.Unlock()
}

// solve runs the items at some indexes of a round. If the run fails because of its items, solve runs each half of the
// items by itself.
func (g *Group[K, V, R]) solve(ctx context.Context, key K, r *round[V, R], positions []int) {
	items := make([]V, len(positions))
	for i, position := range positions {
		items[i] = r.items[position]
	}
	var results []R
	err := safely.Do(func() (err error) {
		if results, err = g.run(ctx, key, items); err == nil && len(results) != len(items) {
			panic("a run returns one result for each item")
		}
		return err
	})
	if err != nil && len(positions) > 1 && !unavailable(err) {
		g.solve(ctx, key, r, positions[:len(positions)/2])
		g.solve(ctx, key, r, positions[len(positions)/2:])
		return
	}
	for i, position := range positions {
		if r.errs[position] = err; err == nil {
			r.results[position] = results[i]
		}
	}
}

// unavailable reports whether a run failed for no fault of its items: the database is unavailable or overloaded.
func unavailable(err error) bool {
	kind := errs.KindOf(err)
	return kind == errs.Unavailable || kind == errs.Exhausted
}
