// Package safely runs functions beside one another so that a panic is an error of the
// function that panicked, and no end of the process.
//
// A recover sees only the panics of its own goroutine. Every goroutine of a service that works
// for a request or an event is therefore started here: tests/deps refuses a bare go
// statement and a bare errgroup.
package safely

import (
	"context"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Panic is the error of a function that panicked. It unwraps to nothing: a programmer's mistake has no
// kind of its own, whatever the value is.
type Panic struct {
	Value any
	Stack []byte // where the function panicked
}

// Error is the text for the log, with the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Do calls f. A panic of f is a [Panic].
func Do(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{v, debug.Stack()}
		}
	}()
	return f()
}

// Go calls f in a goroutine, and then failed if f returns an error or panics. A nil failed ignores
// the error. What others wait for is done in failed or after a [Do] inside of f: a panic leaves f
// in its midst.
func Go(f func() error, failed func(error)) {
	go func() {
		if err := Do(f); err != nil && failed != nil {
			failed(err)
		}
	}()
}

// Group is an [errgroup.Group] whose functions may panic: a panic is an error like any other. It ends
// the context of the group, and Wait returns it if it is the first. The zero Group has no limit, and
// ends no context.
type Group struct {
	group  errgroup.Group
	cancel context.CancelCauseFunc // nil without a context
}

// WithContext returns a group, and a context that ends at the first error of the group, or when Wait
// returns.
func WithContext(ctx context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Group{cancel: cancel}, ctx
}

// SetLimit limits how many functions run at once. It is called before the first Go.
func (g *Group) SetLimit(n int) { g.group.SetLimit(n) }

// Go calls f in a goroutine, as soon as the limit allows it.
func (g *Group) Go(f func() error) {
	g.group.Go(func() error {
		err := Do(f)
		if err != nil && g.cancel != nil {
			g.cancel(err)
		}
		return err
	})
}

// Wait waits for all functions, and returns the first error.
func (g *Group) Wait() error {
	err := g.group.Wait()
	if g.cancel != nil {
		g.cancel(err)
	}
	return err
}
