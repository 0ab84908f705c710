// Package gate limits the concurrent work of one kind in a process, so that work makes progress when its backend is
// slow.
//
// Work that misses its deadline is wasted, and comes again. If much work arrives at once while the database is slow,
// all of it misses the deadline together, again and again, and none finishes. A [Gate] prevents this in two ways, which
// follow additive increase and multiplicative decrease as in TCP. Late work halves the number of places and doubles the
// deadline of the next work. In the limit one piece of work runs alone with a long deadline. Work that ends early
// restores both step by step.
package gate

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrBusy reports that no place became free in time. The work has done nothing since it last had a place.
var ErrBusy = errors.New("too much of this is under way")

// Stretch is the largest factor by which a deadline grows. The usual deadline of an event is 8 s, and Cloud Run ends a
// request after 60 s.
const Stretch = 6

// shortest is the shortest pause in which work gives up its place.
const shortest = 200 * time.Millisecond

// Gate limits one kind of work. It is safe for concurrent use.
type Gate struct {
	most     int           // largest number of places
	usual    time.Duration // the deadline of work while nothing is slow
	patience time.Duration // how long work waits for a place

	mu       sync.Mutex
	places   int // current number, from 1 to most
	taken    int
	keys     map[string]bool // of the work that has a place
	deadline time.Duration   // current, from usual to Stretch times as long
	cut      time.Time       // when places were last removed
	freed    chan struct{}   // closed when a place becomes free; nil if no work waits
}

// New returns a gate with at most most places, for work with a usual deadline. Work waits a quarter of the deadline for
// a place.
func New(most int, deadline time.Duration) *Gate {
	return &Gate{most: most, usual: deadline, patience: deadline / 4, places: most, deadline: deadline,
		keys: map[string]bool{}}
}

// pass is the state of admitted work.
type pass struct {
	gate  *Gate
	key   string
	since time.Time // when it was admitted

	again chan struct{} // has an element while a part of the work waits for a place again

	mu     sync.Mutex
	has    bool // it has a place; not in a pause, nor after a pause that failed, nor at its end
	parted time.Time
	spent  time.Duration // without a place
}

// part gives up the place of the work, and reports whether the work had one.
func (p *pass) part() (had bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if had, p.has = p.has, false; had {
		p.parted = time.Now()
	}
	return had
}

// regain waits for a place as Enter does, if the work has none. Another part of the work may have got one.
func (p *pass) regain(ctx context.Context) error {
	select {
	case p.again <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.again }()
	p.mu.Lock()
	has := p.has
	p.mu.Unlock()
	if has {
		return nil
	}
	if err := p.gate.take(ctx, p.key); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.has, p.spent = true, p.spent+time.Since(p.parted)
	return nil
}

type passKey struct{}

// Enter waits until the gate has a place and no other work with the key has one. The returned context then carries the
// work's deadline. The work calls leave at its end, and reports whether it failed. If no place becomes free in time,
// Enter returns ErrBusy, or the error of a context that ended.
func (g *Gate) Enter(ctx context.Context, key string) (_ context.Context, leave func(failed bool), err error) {
	if err := g.take(ctx, key); err != nil {
		return nil, nil, err
	}
	p := &pass{gate: g, key: key, since: time.Now(), has: true, again: make(chan struct{}, 1)}
	g.mu.Lock()
	deadline := g.deadline
	g.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, passKey{}, p), deadline)
	return ctx, func(failed bool) {
		late := failed && errors.Is(ctx.Err(), context.DeadlineExceeded)
		cancel()
		if p.part() {
			g.give(key)
		}
		g.learn(p, late, failed, deadline)
	}, nil
}

// take waits for a place.
func (g *Gate) take(ctx context.Context, key string) error {
	var over <-chan time.Time
	for {
		g.mu.Lock()
		if g.taken < g.places && !g.keys[key] {
			g.taken++
			g.keys[key] = true
			g.mu.Unlock()
			return nil
		}
		if g.freed == nil {
			g.freed = make(chan struct{})
		}
		freed := g.freed
		g.mu.Unlock()
		if over == nil {
			over = time.After(g.patience)
		}
		select {
		case <-freed:
		case <-over:
			return ErrBusy
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// give returns a place.
func (g *Gate) give(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.taken--
	delete(g.keys, key)
	g.rebuild()
}

// rebuild wakes all waiting work, so that it checks for a place again. The caller holds the lock.
func (g *Gate) rebuild() {
	if g.freed != nil {
		close(g.freed)
		g.freed = nil
	}
}

// learn removes places, or restores one. Work that was late together removes places only once: work that was admitted
// before the last removal does not show whether it helped.
func (g *Gate) learn(p *pass, late, failed bool, had time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case late:
		if p.since.After(g.cut) {
			g.cut = time.Now()
			g.places = max(1, g.places/2)
			g.deadline = min(Stretch*g.usual, max(g.deadline, 2*had))
		}
	case failed:
	case time.Since(p.since)-p.spent < g.usual/2:
		if g.places < g.most {
			g.places++
			g.rebuild()
		}
		if g.places == g.most {
			g.deadline = g.usual
		}
	}
}

// Pause waits for a duration, or returns the context's error when the context ends first. In a long pause admitted work
// gives up its place to other work. Pause then waits for a place as Enter does, and returns ErrBusy if none becomes
// free.
func Pause(ctx context.Context, d time.Duration) error {
	p, _ := ctx.Value(passKey{}).(*pass)
	if p == nil || d < shortest || !p.part() {
		return wait(ctx, d)
	}
	p.gate.give(p.key)
	if err := wait(ctx, d); err != nil {
		return err
	}
	return p.regain(ctx)
}

// Await waits until done is closed, or returns the context's error when the context ends first. In a long wait admitted
// work gives up its place to other work: it waits for what others do. Work that has more to do then calls [Return].
func Await(ctx context.Context, done <-chan struct{}) error {
	p, _ := ctx.Value(passKey{}).(*pass)
	if p != nil {
		timer := time.NewTimer(shortest)
		defer timer.Stop()
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		}
		if p.part() {
			p.gate.give(p.key)
		}
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Return waits for a place as Enter does, for admitted work that gave its place up in [Await]. It returns ErrBusy if
// none becomes free, and nil at once if the work has a place.
func Return(ctx context.Context) error {
	p, _ := ctx.Value(passKey{}).(*pass)
	if p == nil {
		return nil
	}
	return p.regain(ctx)
}

// Outside returns a context for work that continues after or beside the admitted work. It has no place that a pause
// could give up.
func Outside(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), passKey{}, (*pass)(nil))
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
