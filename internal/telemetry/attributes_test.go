package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/stats"

	"github.com/hibana-sns/hibana/internal/meter"
)

// startUntraced starts telemetry whose collector does not answer, and begins a request that is not traced.
func startUntraced(t testing.TB) (*Telemetry, context.Context, trace.Span) {
	t.Helper()
	on, err := Start(t.Context(), Options{Service: "api", OTLP: "127.0.0.1:1", Metrics: "127.0.0.1:0",
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = on.Stop(context.Background()) }) // nobody takes the last export
	for {
		if ctx, span := on.Begin(t.Context(), http.Header{}, trace.SpanKindServer); !span.IsRecording() {
			return on, ctx, span
		}
	}
}

// What is recorded of a request that is not traced makes no garbage, once its attributes are known.
func TestUntraced(t *testing.T) {
	on, ctx, span := startUntraced(t)
	calls := on.Firestore()
	var end stats.RPCStats = &stats.End{Client: true}
	tests := map[string]func(){
		"a count":   func() { on.Count(ctx, Events, 1, Function, "LikeChanged", Outcome, "handled") },
		"a time":    func() { on.Observe(ctx, EventAge, time.Second, Function, "LikeChanged") },
		"a cache":   func() { Cached(ctx, "tweets", 1, 1) },
		"an answer": func() { on.Answered(ctx, span, "GET", "/v1/tweets/:id", 99, time.Second, meter.Counts{Reads: 1}) },
		"a call": func() {
			if calls.TagRPC(ctx, &stats.RPCTagInfo{FullMethodName: "/google.firestore.v1.Firestore/Commit"}) != ctx {
				t.Error("a call of a request that is not traced has a span")
			}
			calls.HandleRPC(ctx, end)
		},
	}
	for name, do := range tests {
		do()
		if n := testing.AllocsPerRun(100, do); n > 1 { // the argument of a call is one
			t.Errorf("%s makes %.0f allocations, want none", name, n)
		}
	}
}

// Sets differ by all names and values.
func TestAttributes(t *testing.T) {
	t.Parallel()
	var a attributes
	seen := map[int]bool{}
	for _, labels := range [][]string{nil, {Of, "a"}, {Of, "b"}, {Job, "a"}, {Of, "a", Outcome, "b"},
		{Of, "a", Outcome, "b", Job, "c"}} {
		a.of(labels)
		a.of(labels)
		seen[len(a.sets)] = true
	}
	if len(a.sets) != 6 || len(seen) != 6 {
		t.Errorf("6 combinations of attributes have %d sets", len(a.sets))
	}
	defer func() {
		if recover() == nil {
			t.Error("a fourth attribute is dropped in silence")
		}
	}()
	a.of([]string{Of, "a", Outcome, "b", Job, "c", Code, "d"})
}

// BenchmarkRequest measures what is recorded of a request with two calls of Firestore.
func BenchmarkRequest(b *testing.B) {
	on, _, _ := startUntraced(b)
	calls := on.Firestore()
	b.ReportAllocs()
	for b.Loop() {
		ctx, span := on.Begin(b.Context(), http.Header{}, trace.SpanKindServer)
		for range 2 {
			call := calls.TagRPC(ctx, &stats.RPCTagInfo{FullMethodName: "/google.firestore.v1.Firestore/BatchGetDocuments"})
			calls.HandleRPC(call, &stats.Begin{Client: true})
			calls.HandleRPC(call, &stats.End{Client: true})
		}
		Cached(ctx, "tweets", 18, 2)
		Cached(ctx, "profiles", 18, 2)
		on.Answered(ctx, span, "GET", "/v1/timeline", 200, time.Millisecond, meter.Counts{Reads: 4})
	}
}
