package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/meter"
)

// instruments are the metrics, by name.
type instruments struct {
	counters   map[string]metric.Int64Counter
	histograms map[string]metric.Float64Histogram
}

// The limits of the buckets of histograms, in seconds.
var (
	latencies = []float64{.0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	ages      = []float64{.1, .25, .5, 1, 2, 3, 5, 10, 30, 60, 300, 1800, 7200, 86400}
)

func newInstruments(m metric.Meter) (instruments, error) {
	all := instruments{map[string]metric.Int64Counter{}, map[string]metric.Float64Histogram{}}
	var problems []error
	for _, one := range Metrics {
		var err error
		if one.Kind == Counter {
			all.counters[one.Name], err = m.Int64Counter(one.Name, metric.WithUnit(one.Unit), metric.WithDescription(one.Help))
		} else {
			limits := ages
			if one.Name == HTTPDuration {
				limits = latencies
			}
			all.histograms[one.Name], err = m.Float64Histogram(one.Name, metric.WithUnit(one.Unit),
				metric.WithDescription(one.Help), metric.WithExplicitBucketBoundaries(limits...))
		}
		problems = append(problems, err)
	}
	return all, errors.Join(problems...)
}

// Count adds n to a counter. labels alternate between names and values of attributes. Count records nothing if n is 0.
func (t *Telemetry) Count(ctx context.Context, name string, n int64, labels ...string) {
	if t == nil || n == 0 {
		return
	}
	t.instruments.counters[name].Add(ctx, n, t.attributes.of(labels).add...)
}

// Expect starts a counter at 0, for a rare counter with an alert. The increase of a series counts from its first point,
// so a first point of 1 would raise no alert.
func (t *Telemetry) Expect(ctx context.Context, name string, labels ...string) {
	if t != nil {
		t.instruments.counters[name].Add(ctx, 0, t.attributes.of(labels).add...)
	}
}

// Observe records a duration in a histogram.
func (t *Telemetry) Observe(ctx context.Context, name string, d time.Duration, labels ...string) {
	if t == nil {
		return
	}
	t.instruments.histograms[name].Record(ctx, max(0, d.Seconds()), t.attributes.of(labels).record...)
}

// Bill adds the bill of Firestore to a route, a function or a job, as label names it.
func (t *Telemetry) Bill(ctx context.Context, label, of string, c meter.Counts) {
	t.Count(ctx, BilledReads, c.Reads, label, of)
	t.Count(ctx, BilledWrites, c.Writes, label, of)
	t.Count(ctx, BilledDeletes, c.Deletes, label, of)
}

type contextKey struct{}

// Begin starts the telemetry of a request or an event. Its metrics go to t, and its span is a child of the span in the
// header traceparent. The span has no name yet, and the caller ends it. Without traces the span does nothing. A nil
// Telemetry returns ctx unchanged.
func (t *Telemetry) Begin(ctx context.Context, h http.Header, kind trace.SpanKind) (context.Context, trace.Span) {
	if t == nil {
		return ctx, trace.SpanFromContext(ctx)
	}
	ctx = context.WithValue(ctx, contextKey{}, t)
	if t.tracer == nil {
		return ctx, trace.SpanFromContext(ctx)
	}
	ctx = propagator.Extract(ctx, propagation.HeaderCarrier(h))
	return t.tracer.Start(ctx, kind.String(), trace.WithSpanKind(kind))
}

// End names a span and ends it. A failure has a kind and no text, because a text may contain users' words.
func End(span trace.Span, name string, failed bool, labels ...string) {
	if span.IsRecording() {
		span.SetName(name)
		span.SetAttributes(pairs(labels)...)
		if failed {
			span.SetStatus(codes.Error, "")
		}
	}
	span.End()
}

// From returns the telemetry of a request or event, or nil if there is none.
func From(ctx context.Context) *Telemetry {
	t, _ := ctx.Value(contextKey{}).(*Telemetry)
	return t
}

// Fresh records the delay from a tweet to its delivery to followers, if the request or event of ctx has telemetry.
func Fresh(ctx context.Context, tweeted time.Time) {
	if t := From(ctx); t != nil {
		t.Observe(ctx, FanoutFreshness, time.Since(tweeted))
	}
}

// RolledUp records the delay from the enqueueing of a roll-up to its end.
func RolledUp(ctx context.Context, asked time.Time) {
	if t := From(ctx); t != nil && !asked.IsZero() {
		t.Observe(ctx, RollupLag, time.Since(asked))
	}
}

// Cached records the hits and misses of a cache.
func Cached(ctx context.Context, of string, hits, misses int) {
	if t := From(ctx); t != nil {
		t.Count(ctx, CacheHits, int64(hits), Of, of, Outcome, "hit")
		t.Count(ctx, CacheHits, int64(misses), Of, of, Outcome, "miss")
	}
}

// Raced records that an attempt to change documents lost a race. outcome is retried, or failed after the last attempt.
func Raced(ctx context.Context, outcome string) {
	if t := From(ctx); t != nil {
		t.Count(ctx, WriteRaces, 1, Outcome, outcome)
	}
}

// usual lists the HTTP methods that become attributes. Callers may invent others.
var usual = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true, http.MethodPut: true,
	http.MethodPatch: true, http.MethodDelete: true, http.MethodOptions: true,
}

// Answered records a request that the API answered, and ends its span. route is a pattern, or empty.
func (t *Telemetry) Answered(ctx context.Context, span trace.Span, method, route string, code int, took time.Duration,
	cost meter.Counts) {
	if t == nil {
		return
	}
	if route == "" {
		route = "none"
	}
	if !usual[method] {
		method = "other"
	}
	number := strconv.Itoa(code)
	t.Observe(ctx, HTTPDuration, took, Method, method, Route, route, Status, number)
	t.Bill(ctx, Route, route, cost)
	if !span.IsRecording() { // most spans are not recorded, so their text is not built
		span.End()
		return
	}
	End(span, method+" "+route, code >= http.StatusInternalServerError, Method, method, Route, route, Status, number,
		"reads", fmt.Sprint(cost.Reads), "writes", fmt.Sprint(cost.Writes+cost.Deletes))
}

// Handled records one delivery of an event to a function, and ends its span. at is when the
// event happened. If no metrics were exported for 70 s, Handled exports them and waits up to 2 s.
func (t *Telemetry) Handled(ctx context.Context, span trace.Span, function, outcome string, at time.Time,
	cost meter.Counts) {
	if t == nil {
		return
	}
	t.Count(ctx, Events, 1, Function, function, Outcome, outcome)
	if !at.IsZero() && outcome != "refused" {
		t.Observe(ctx, EventAge, time.Since(at), Function, function)
	}
	if outcome == "dead" {
		t.Count(ctx, DeadLetters, 1, Function, function)
	}
	t.Bill(ctx, Function, function, cost)
	End(span, function, outcome != "handled", Function, function, Outcome, outcome)
	if err := t.exports.catchUp(ctx); err != nil {
		otel.Handle(err)
	}
}

// Firestore returns the handler for the calls of a Firestore client, or nil if telemetry is off.
func (t *Telemetry) Firestore() stats.Handler {
	if t == nil {
		return nil
	}
	return &calls{t, t.stats}
}

// calls counts failed calls, and passes calls below a traced request to the handler that creates spans. The handler
// would create attributes and a header for every other call, too.
type calls struct {
	telemetry *Telemetry
	spans     stats.Handler // nil without traces
}

func (c *calls) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	if !c.traced(ctx) {
		return ctx
	}
	return c.spans.TagRPC(ctx, info)
}

func (c *calls) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if end, ok := s.(*stats.End); ok && end.Error != nil {
		code := status.Code(end.Error)
		c.telemetry.Count(ctx, FirestoreErrors, 1, Code, code.String())
		bare := *end // the text names documents, whose keys identify users
		bare.Error = status.Error(code, "")
		s = &bare
	}
	if c.traced(ctx) {
		c.spans.HandleRPC(ctx, s)
	}
}

func (c *calls) traced(ctx context.Context) bool {
	return c.spans != nil && trace.SpanFromContext(ctx).IsRecording()
}

func (c *calls) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

func (c *calls) HandleConn(context.Context, stats.ConnStats) {}
