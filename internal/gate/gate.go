// Package gate bounds how much of one kind of work is under way in a process, so that work goes on
// when what it needs is slow.
//
// Work that misses its deadline was for nothing, and comes again. If all of it comes at once and
// the database is slow, all of it misses the deadline together, again and again, and none ends. A
// [Gate] makes that impossible in two ways, which follow additive increase and multiplicative
// decrease, as TCP does. Work that was late halves how much may be under way, and doubles the time
// that the next work has. In the end one piece of work is alone, and has long. Work that ends
// early gives back both.
package gate

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrBusy answers that no place became free in time. Nothing of the work was done since it last
// had a place.
var ErrBusy = errors.New("too much of this is under way")

// Stretch is how many times its usual deadline work may have at most. The usual deadline of an event
// is 8 s, and Cloud Run ends a request after 60 s.
const Stretch = 6

// shortest is the shortest pause in which work gives its place to others.
const shortest = 200 * time.Millisecond

// Gate bounds one kind of work. Many goroutines may use it at once.
type Gate struct {
	most     int           // places at most
	usual    time.Duration // the deadline of work while nothing is slow
	patience time.Duration // how long work waits for a place

	mu       sync.Mutex
	places   int // now, from 1 to most
	taken    int
	keys     map[string]bool // of the work that has a place
	deadline time.Duration   // now, from usual to Stretch times as long
	cut      time.Time       // when places were taken away last
	freed    chan struct{}   // closed when a place is free; nil if nobody waits
}

// New returns a gate with a number of places at most, for work that usually ends within a deadline.
// Work waits a quarter of the deadline for a place.
func New(most int, deadline time.Duration) *Gate {
	return &Gate{most: most, usual: deadline, patience: deadline / 4, places: most, deadline: deadline,
		keys: map[string]bool{}}
}

// pass is what work has that was let in.
type pass struct {
	gate  *Gate
	key   string
	since time.Time     // when it was let in
	spent time.Duration // in pauses without a place

	mu  sync.Mutex
	has bool // a place; not in a pause, nor after a pause from which it did not come back, nor at its end
}

// part tells whether the work had a place, which it now has no more.
func (p *pass) part() (had bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	had, p.has = p.has, false
	return had
}

type passKey struct{}

// Enter waits until the gate has a place, and nothing else with the key has one. Then the work has
// its deadline, in the context that Enter returns. The work calls leave at its end, and says whether
// it failed. If it waited in vain, Enter returns ErrBusy, or the error of a context that ended.
func (g *Gate) Enter(ctx context.Context, key string) (_ context.Context, leave func(failed bool), err error) {
	if err := g.take(ctx, key); err != nil {
		return nil, nil, err
	}
	p := &pass{gate: g, key: key, since: time.Now(), has: true}
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

// give gives a place back.
func (g *Gate) give(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.taken--
	delete(g.keys, key)
	g.rebuild()
}

// rebuild lets all look again who wait. The caller has the lock.
func (g *Gate) rebuild() {
	if g.freed != nil {
		close(g.freed)
		g.freed = nil
	}
}

// learn takes places away, or gives one back. Much work that was late together takes them away once:
// what was let in before they were taken away says nothing about how it is since.
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

// Pause waits for a duration, or returns the context's error when the context ends first. In a long
// pause the work that a gate let in has no place: others may have it. Pause then waits for a place, as
// Enter does, and returns ErrBusy if it waited in vain.
func Pause(ctx context.Context, d time.Duration) error {
	p, _ := ctx.Value(passKey{}).(*pass)
	if p == nil || d < shortest || !p.part() {
		return wait(ctx, d)
	}
	begun := time.Now()
	p.gate.give(p.key)
	if err := wait(ctx, d); err != nil {
		return err
	}
	if err := p.gate.take(ctx, p.key); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.has, p.spent = true, p.spent+time.Since(begun)
	return nil
}

// Outside returns a context of what goes on after the work that was let in, or beside it. It has no
// place that a pause could give to others.
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
