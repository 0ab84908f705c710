// Package safely runs functions concurrently and turns a panic into an error of the function that panicked, so that the
// process does not end.
//
// A recover only catches panics of its own goroutine. Package safely therefore starts every goroutine that works for a
// request or an event. tests/deps refuses a bare go statement and a bare errgroup.
package safely

import (
	"context"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Panic is the error of a function that panicked. It unwraps to nothing: a programming mistake has no kind, whatever
// its value is.
type Panic struct {
	Value any
	Stack []byte // where the function panicked
}

// Error returns the text for the log, with the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Do calls f. A panic of f becomes a [Panic].
func Do(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{v, debug.Stack()}
		}
	}()
	return f()
}

// Go calls f in a goroutine, and then failed if f returns an error or panics. A nil failed ignores the error. Put the
// code that others wait for into failed, or after a [Do] inside of f: a panic leaves f halfway.
func Go(f func() error, failed func(error)) {
	go func() {
		if err := Do(f); err != nil && failed != nil {
			failed(err)
		}
	}()
}

// Group is an [errgroup.Group] whose functions may panic. A panic is an error like any other: it ends the context of
// the group, and Wait returns it if it is the first. The zero Group has no limit and ends no context.
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

// SetLimit limits the number of functions that run at once. Call it before the first Go.
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
