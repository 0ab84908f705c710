// Package stacktest starts a stack for one test, on the emulators of package testenv.
package stacktest

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// Events sets the source of a stack's events: the relay of the emulator, or listeners if the emulator belongs to
// another program. It then skips a test that injects faults, because listeners join changes and a seed would not repeat
// its faults.
func Events(t testing.TB, o *stack.Options) {
	t.Helper()
	if o.Faults != nil {
		testenv.NeedEvents(t, "injects faults into the delivery of events")
	}
	if o.Listen = testenv.Listening(); !o.Listen {
		o.Relay = testenv.EventsAddr(t)
	}
}

// Run starts a stack on a project, or on one of its own, and stops the stack when the test ends. A
// query that no index serves fails the test. If the test fails, Run prints the log.
func Run(t testing.TB, o stack.Options) *stack.Stack {
	t.Helper()
	Events(t, &o)
	if o.Project == "" {
		o.Project = testenv.Project(t)
	}
	o.Firestore = testenv.FirestoreHost(t)
	log := &buffer{}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	o.Store.Meter = strict.Meter(t, o.Store.Meter)
	o.Store.Patience = cmp.Or(o.Store.Patience, time.Minute) // the machine may be busy
	s, err := stack.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("log:\n%s", log)
		}
	})
	return s
}

// Idle waits until every event, and every event that followed from it, has been handled.
func Idle(t testing.TB, s *stack.Stack) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute) // the machine may be busy
	defer cancel()
	if err := s.Runner.WaitIdle(ctx); err != nil {
		t.Fatalf("WaitIdle: %v", err)
	}
}

// buffer keeps the end of a log.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.b.Len() > 64<<10 {
		b.b.Next(b.b.Len() / 2)
	}
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
