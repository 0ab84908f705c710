package safely_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/safely"
)

// mistake is in the stack of its panic.
func mistake() error { panic("a programmer's mistake") }

func check(t *testing.T, err error) {
	t.Helper()
	if p, ok := errors.AsType[*safely.Panic](err); !ok || p.Value != "a programmer's mistake" {
		t.Errorf("error %v, want the panic", err)
	} else if text := err.Error(); !strings.HasPrefix(text, "panic: a programmer's mistake\n") ||
		!strings.Contains(text, "safely_test.mistake") {
		t.Errorf("the text names neither the panic nor where it was: %s", text)
	}
}

func TestDo(t *testing.T) {
	check(t, safely.Do(mistake))
	failure := errors.New("failure")
	if err := safely.Do(func() error { return failure }); !errors.Is(err, failure) {
		t.Errorf("error %v, want %v", err, failure)
	}
	if err := safely.Do(func() error { return nil }); err != nil {
		t.Error(err)
	}
	if err := safely.Do(func() error { panic(context.Canceled) }); errors.Is(err, context.Canceled) {
		t.Errorf("a panic is taken for the end of a context: %v", err)
	}
}

func TestGo(t *testing.T) {
	heard := make(chan error)
	safely.Go(mistake, func(err error) { heard <- err })
	check(t, <-heard)
	over := make(chan struct{})
	safely.Go(func() error { defer close(over); return mistake() }, nil)
	<-over
}

func TestGroup(t *testing.T) {
	g, ctx := safely.WithContext(t.Context())
	g.Go(mistake)
	g.Go(func() error { <-ctx.Done(); return context.Cause(ctx) }) // waits forever if the panic ends no context
	check(t, g.Wait())
	check(t, context.Cause(ctx))

	g, ctx = safely.WithContext(t.Context())
	g.Go(func() error { return ctx.Err() })
	if err := g.Wait(); err != nil || ctx.Err() == nil {
		t.Errorf("error %v, and the context ends with %v", err, ctx.Err())
	}

	var alone safely.Group
	alone.SetLimit(1)
	n := 0
	for range 3 {
		alone.Go(func() error { n++; return nil }) // one at a time, or the race detector reports it
		alone.Go(mistake)
	}
	if check(t, alone.Wait()); n != 3 {
		t.Errorf("%d functions ran, want 3", n)
	}
}
