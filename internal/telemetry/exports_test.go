package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/hibana-sns/hibana/internal/meter"
)

// The end of an event exports metrics that are overdue, once, and no others.
func TestOverdue(t *testing.T) {
	t.Parallel()
	c, addr := collect(t)
	on, err := Start(t.Context(), Options{Service: "functions", OTLP: addr, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer on.Stop(t.Context())
	event := func() int {
		ctx, span := on.Begin(t.Context(), http.Header{}, trace.SpanKindConsumer)
		on.Handled(ctx, span, "Tick", "handled", time.Time{}, meter.Counts{Reads: 1})
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.points)
	}
	if n := event(); n != 0 {
		t.Errorf("%d exports after the first event, want none so soon", n)
	}
	on.exports.done.Store(time.Now().Add(-overdue).UnixNano())
	if n := event(); n != 1 {
		t.Errorf("%d exports after an event that found one overdue, want 1", n)
	}
	if n := event(); n != 1 {
		t.Errorf("%d exports after another event, want 1", n)
	}
}

// A collector that does not answer costs one event in 50 s some time, and never more than 2 s.
func TestOverdueFails(t *testing.T) {
	t.Parallel()
	calls, wrong := 0, errors.New("no answer")
	e := &exports{flush: func(ctx context.Context) error {
		calls++
		if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) > overdueWithin {
			t.Errorf("an export has until %v", deadline)
		}
		return wrong
	}}
	over, cancel := context.WithCancel(t.Context())
	cancel() // the request of an event may be over
	if err := e.catchUp(over); !errors.Is(err, wrong) {
		t.Errorf("catchUp() = %v, want %v", err, wrong)
	}
	if err := e.catchUp(t.Context()); err != nil || calls != 1 {
		t.Errorf("catchUp() = %v after %d exports, want nothing after 1", err, calls)
	}
	e.tried = time.Now().Add(-tryEvery)
	if err := e.catchUp(t.Context()); err == nil || calls != 2 {
		t.Errorf("catchUp() = %v after %d exports, want an error after 2", err, calls)
	}
	var off *exports
	if err := off.catchUp(t.Context()); err != nil {
		t.Errorf("catchUp() = %v without exports", err)
	}
}

// The variable that deploy/terraform sets splits an export, because the Telemetry API takes 200 points in a request.
func TestBatches(t *testing.T) {
	t.Setenv("OTEL_GO_X_METRIC_EXPORT_BATCH_SIZE", "200")
	c, addr := collect(t)
	on, err := Start(t.Context(), Options{Service: "api", OTLP: addr, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 450 {
		on.Observe(t.Context(), HTTPDuration, time.Second, Route, fmt.Sprint(i))
	}
	if err := on.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Sort(c.points); !slices.Equal(c.points, []int{50, 200, 200}) {
		t.Errorf("requests have %v points, want 50, 200 and 200", c.points)
	}
}
