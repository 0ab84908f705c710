package gate_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hibana-sns/hibana/internal/gate"
)

const deadline = 8 * time.Second

// enter lets work in.
func enter(t *testing.T, g *gate.Gate, key string) (context.Context, func(failed bool)) {
	t.Helper()
	ctx, leave, err := g.Enter(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return ctx, leave
}

// room counts how much more the gate lets in, and what deadline it gives.
func room(t *testing.T, g *gate.Gate) (n int, deadline time.Duration) {
	t.Helper()
	var entered []func(bool)
	defer func() {
		for _, leave := range entered {
			leave(true)
		}
	}()
	for ; ; n++ {
		ctx, leave, err := g.Enter(t.Context(), fmt.Sprint("room", n))
		if errors.Is(err, gate.ErrBusy) {
			return n, deadline
		}
		at, _ := ctx.Deadline()
		if n == 0 {
			deadline = time.Until(at)
		}
		entered = append(entered, leave)
	}
}

func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(2, deadline)
		_, leave := enter(t, g, "a")
		begun := time.Now()
		if _, _, err := g.Enter(t.Context(), "a"); !errors.Is(err, gate.ErrBusy) || time.Since(begun) != deadline/4 {
			t.Errorf("the same key again: %v after %v", err, time.Since(begun))
		}
		_, leaveB := enter(t, g, "b")
		if _, _, err := g.Enter(t.Context(), "c"); !errors.Is(err, gate.ErrBusy) {
			t.Errorf("more than two: %v", err)
		}
		time.AfterFunc(time.Second, func() { leave(false) })
		_, leaveC := enter(t, g, "c")
		leaveB(false)
		leaveC(false)
		ended, end := context.WithCancel(t.Context())
		end()
		_, hold := enter(t, g, "a")
		if _, _, err := g.Enter(ended, "a"); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller who went: %v", err)
		}
		hold(false)
	})
}

// Work that was late together takes half of the places away, once, and gives what comes next twice as
// long. Work that ends early gives them back.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(8, deadline)
		late := func() {
			t.Helper()
			time.Sleep(time.Millisecond)
			n := 0
			var leaves []func(bool)
			var last context.Context
			for ; ; n++ {
				ctx, leave, err := g.Enter(t.Context(), fmt.Sprint(n))
				if err != nil {
					break
				}
				last, leaves = ctx, append(leaves, leave)
			}
			<-last.Done()
			for _, leave := range leaves {
				leave(true)
			}
		}
		for _, want := range []struct {
			places   int
			deadline time.Duration
		}{{8, deadline}, {4, 2 * deadline}, {2, 4 * deadline}, {1, gate.Stretch * deadline}, {1, gate.Stretch * deadline}} {
			if n, given := room(t, g); n != want.places || given != want.deadline {
				t.Errorf("%d places for %v, want %d for %v", n, given, want.places, want.deadline)
			}
			late()
		}
		for want := 2; want <= 8; want++ {
			_, leave := enter(t, g, "early")
			leave(false)
			if n, _ := room(t, g); n != want {
				t.Errorf("%d places, want %d", n, want)
			}
		}
		if _, given := room(t, g); given != deadline {
			t.Errorf("the deadline is %v in the end, want %v", given, deadline)
		}
	})
}

// Work that waits for what others do gives up its place. Work that has more to do waits for a place again.
func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(1, deadline)
		for _, wait := range []time.Duration{100 * time.Millisecond, time.Second, 2 * deadline} {
			done := make(chan struct{})
			time.AfterFunc(wait, func() { close(done) })
			ctx, leave := enter(t, g, "a")
			var others int
			time.AfterFunc(min(wait, deadline)*9/10, func() { others, _ = room(t, g) })
			begun := time.Now()
			if err := gate.Await(ctx, done); (err != nil) != (wait > deadline) || time.Since(begun) != min(wait, deadline) {
				t.Errorf("a wait of %v took %v: %v", wait, time.Since(begun), err)
			}
			time.Sleep(deadline)
			synctest.Wait()
			if want := map[bool]int{true: 1}[wait > time.Second/2]; others != want {
				t.Errorf("%d places during a wait of %v, want %d", others, wait, want)
			}
			leave(wait > deadline)
			if n, _ := room(t, g); n != 1 {
				t.Errorf("%d places after a wait of %v, want 1", n, wait)
			}
		}
		done := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(done) })
		if err := gate.Await(t.Context(), done); err != nil {
			t.Errorf("a wait outside of work: %v", err)
		}
	})
}

// The parts of one piece of work return together, and share one place. A part in a pause does not keep them out.
func TestReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(1, deadline)
		ctx, leave := enter(t, g, "a")
		if err := cmp.Or(gate.Return(ctx), gate.Return(t.Context())); err != nil {
			t.Errorf("work that has a place, or that is not admitted, returns: %v", err)
		}
		done := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(done) })
		var others func(bool)
		time.AfterFunc(500*time.Millisecond, func() {
			_, others = enter(t, g, "b")
			time.Sleep(time.Second)
			others(false)
		})
		begun := time.Now()
		var parts sync.WaitGroup
		for range 2 {
			parts.Go(func() {
				if err := cmp.Or(gate.Await(ctx, done), gate.Return(ctx)); err != nil ||
					time.Since(begun) != 1500*time.Millisecond {
					t.Errorf("a part returns after %v: %v", time.Since(begun), err)
				}
			})
		}
		parts.Go(func() {
			if err := gate.Pause(ctx, 1200*time.Millisecond); err != nil || time.Since(begun) != 1500*time.Millisecond {
				t.Errorf("a part pauses for %v: %v", time.Since(begun), err)
			}
		})
		parts.Wait()
		if n, _ := room(t, g); n != 0 {
			t.Errorf("%d places beside work that returned, want none", n)
		}
		leave(false)
		if n, _ := room(t, g); n != 1 {
			t.Errorf("%d places in the end, want 1", n)
		}
	})
}

// What waits in a long pause keeps nobody out, and waits for a place after it.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(1, deadline)
		ctx, leave := enter(t, g, "a")
		time.AfterFunc(100*time.Millisecond, func() {
			other, leave := enter(t, g, "a")
			if err := gate.Pause(other, 10*time.Millisecond); err != nil { // a short one
				t.Error(err)
			}
			time.Sleep(2 * time.Second)
			leave(false)
		})
		begun := time.Now()
		if err := gate.Pause(ctx, time.Second); err != nil || time.Since(begun) != 2110*time.Millisecond {
			t.Errorf("the pause took %v: %v", time.Since(begun), err)
		}
		leave(false)

		ctx, leave = enter(t, g, "a")
		time.AfterFunc(100*time.Millisecond, func() {
			_, leave := enter(t, g, "a")
			time.Sleep(5 * time.Second)
			leave(false)
		})
		if err := gate.Pause(ctx, time.Second); !errors.Is(err, gate.ErrBusy) {
			t.Errorf("a pause without a place after it: %v", err)
		}
		leave(true)
		time.Sleep(5 * time.Second)
		if n, _ := room(t, g); n != 1 {
			t.Errorf("%d places in the end, want 1", n)
		}

		// What goes on beside the work gives nothing away, nor does it after the work.
		ctx, leave = enter(t, g, "a")
		outside := gate.Outside(ctx)
		go func() {
			if err := gate.Pause(outside, time.Second); err != nil {
				t.Error(err)
			}
		}()
		time.Sleep(500 * time.Millisecond)
		if n, _ := room(t, g); n != 0 {
			t.Errorf("%d places beside the work, want none", n)
		}
		go func() {
			if err := gate.Pause(outside, time.Second); err != nil {
				t.Error(err)
			}
		}()
		leave(false)
		_, leave = enter(t, g, "b")
		time.Sleep(2 * time.Second)
		if n, _ := room(t, g); n != 0 {
			t.Errorf("%d places after the pause, want none", n)
		}
		leave(false)
		if n, _ := room(t, g); n != 1 {
			t.Errorf("%d places in the end, want 1", n)
		}
	})
}
