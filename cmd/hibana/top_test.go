package main

import (
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

// Where the output is no terminal, one page is printed.
func TestTop(t *testing.T) {
	t.Parallel()
	on, err := telemetry.Start(t.Context(), telemetry.Options{Service: "api", Metrics: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer on.Stop(t.Context())
	ctx, span := on.Begin(t.Context(), nil, trace.SpanKindServer)
	on.Answered(ctx, span, "GET", "/v1/timeline", 200, time.Millisecond, meter.Counts{Reads: 7})
	for _, args := range [][]string{{"top", "--once", on.Address()}, {"top", "http://" + on.Address() + "/metrics"}} {
		p := hibana(t, nil, args...)
		p.ends(0)
		wantText(t, p.out.String(), "since the start", "/v1/timeline", "≤ 2.5 ms", "Timelines fresh")
	}
	p := hibana(t, nil, "top", "127.0.0.1:1")
	p.ends(1)
	wantText(t, p.errout.String(), "no metrics at", "METRICS_PORT")
	p = hibana(t, nil, "top", "--every=1ms")
	p.ends(1)
	wantText(t, p.errout.String(), "at least 1s")
}
