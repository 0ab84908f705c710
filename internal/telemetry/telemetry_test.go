package telemetry

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spanpb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/meter"
)

// collected is a collector of OpenTelemetry.
type collected struct {
	tracepb.UnimplementedTraceServiceServer

	mu      sync.Mutex
	spans   []*spanpb.Span
	metrics map[string]bool
	about   map[string]string
	points  []int // of metrics, in each request
}

func (c *collected) collector() *collectorOfMetrics { return &collectorOfMetrics{c: c} }

func (c *collected) Export(_ context.Context,
	req *tracepb.ExportTraceServiceRequest) (*tracepb.ExportTraceServiceResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range req.ResourceSpans {
		for _, a := range r.Resource.Attributes {
			c.about[a.Key] = a.Value.GetStringValue()
		}
		for _, s := range r.ScopeSpans {
			c.spans = append(c.spans, s.Spans...)
		}
	}
	return &tracepb.ExportTraceServiceResponse{}, nil
}

// collectorOfMetrics is the part of a collector that takes metrics.
type collectorOfMetrics struct {
	metricspb.UnimplementedMetricsServiceServer
	c *collected
}

func (m *collectorOfMetrics) Export(_ context.Context,
	req *metricspb.ExportMetricsServiceRequest) (*metricspb.ExportMetricsServiceResponse, error) {
	m.c.mu.Lock()
	defer m.c.mu.Unlock()
	points := 0
	for _, r := range req.ResourceMetrics {
		for _, s := range r.ScopeMetrics {
			for _, one := range s.Metrics {
				m.c.metrics[one.Name] = true
				points += len(one.GetSum().GetDataPoints()) + len(one.GetHistogram().GetDataPoints())
			}
		}
	}
	m.c.points = append(m.c.points, points)
	return &metricspb.ExportMetricsServiceResponse{}, nil
}

// collect starts a collector on a free port.
func collect(t *testing.T) (*collected, string) {
	t.Helper()
	c := &collected{metrics: map[string]bool{}, about: map[string]string{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	tracepb.RegisterTraceServiceServer(s, c)
	metricspb.RegisterMetricsServiceServer(s, c.collector())
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return c, l.Addr().String()
}

// Without configuration there is no telemetry, and nothing that hears of it minds.
func TestOff(t *testing.T) {
	t.Parallel()
	off, err := Start(t.Context(), Options{Service: "api"})
	if off != nil || err != nil {
		t.Fatalf("Start() = %v, %v, want nothing", off, err)
	}
	ctx, span := off.Begin(t.Context(),
		http.Header{"Traceparent": {"00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"}}, trace.SpanKindServer)
	if ctx != t.Context() || span.SpanContext().IsValid() {
		t.Error("a request without telemetry has a span")
	}
	off.Answered(ctx, span, "GET", "/v1/tweets/{id}", 200, time.Second, meter.Counts{Reads: 1})
	off.Handled(ctx, span, "LikeChanged", "handled", time.Now(), meter.Counts{})
	Fresh(ctx, time.Now())
	Cached(ctx, "tweets", 1, 1)
	Raced(ctx, "retried")
	if off.Firestore() != nil || off.Address() != "" || off.Stop(ctx) != nil {
		t.Error("telemetry that is off has parts")
	}
}

// Spans and metrics arrive at a collector, the span below the one that the caller named. The
// last are sent when the process ends.
func TestCollector(t *testing.T) {
	t.Parallel()
	c, addr := collect(t)
	for _, endpoint := range []string{addr, "http://" + addr} {
		on, err := Start(t.Context(), Options{Service: "api", Project: "demo-hibana", OTLP: endpoint,
			Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		const parent = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
		ctx, span := on.Begin(t.Context(), http.Header{"Traceparent": {parent}}, trace.SpanKindServer)
		// A call that fails with a text that nobody else may read.
		call := on.Firestore().TagRPC(ctx, &stats.RPCTagInfo{FullMethodName: "/google.firestore.v1.Firestore/Commit"})
		on.Firestore().HandleRPC(call, &stats.Begin{Client: true})
		on.Firestore().HandleRPC(call, &stats.End{Client: true, Error: status.Error(codes.AlreadyExists,
			"likes/secret_1 exists")})
		on.Answered(ctx, span, "GET", "/v1/tweets/:id", 500, time.Second, meter.Counts{Reads: 3})
		// A request whose caller wants it to be traced, and which is not of the part that is.
		ctx, span = on.Begin(t.Context(),
			http.Header{"Traceparent": {"00-0123456789abcdeffedcba9876543210-0123456789abcdef-01"}}, trace.SpanKindServer)
		on.Answered(ctx, span, "GET", "/v1/tweets/:id", 500, time.Second, meter.Counts{})
		if err := on.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.spans) != 4 {
		t.Fatalf("the collector has %d spans, want 2 of requests and 2 of their calls", len(c.spans))
	}
	for _, s := range c.spans {
		if strings.Contains(s.String(), "secret") {
			t.Errorf("a span has what the failure says: %v", s)
		}
		if s.Kind == spanpb.Span_SPAN_KIND_CLIENT {
			continue
		}
		if s.Name != "GET /v1/tweets/:id" || s.Status.GetCode() != spanpb.Status_STATUS_CODE_ERROR ||
			s.Status.GetMessage() != "" {
			t.Errorf("span %q has status %v", s.Name, s.Status)
		}
		if s.TraceId[0] != 0x01 || s.TraceId[15] != 0xef || s.ParentSpanId[0] != 0x01 {
			t.Errorf("span is of trace %x and parent %x", s.TraceId, s.ParentSpanId)
		}
	}
	for _, name := range []string{HTTPDuration, BilledReads} {
		if !c.metrics[name] {
			t.Errorf("the collector has %v, want %s", c.metrics, name)
		}
	}
	if c.about["service.name"] != "hibana-api" || c.about["gcp.project_id"] != "demo-hibana" ||
		c.about["service.instance.id"] == "" {
		t.Errorf("the collector hears from %v", c.about)
	}
}

// Every metric that is recorded is in the text of Prometheus under the name that Metrics says.
func TestText(t *testing.T) {
	t.Parallel()
	on, err := Start(t.Context(), Options{Service: "api", Metrics: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer on.Stop(t.Context())
	for _, m := range Metrics {
		var labels []string
		for _, a := range m.Attributes {
			labels = append(labels, a, "x")
		}
		if m.Kind == Counter {
			on.Count(t.Context(), m.Name, 7, labels...)
		} else {
			on.Observe(t.Context(), m.Name, 1500*time.Millisecond, labels...)
		}
	}
	resp, err := http.Get("http://" + on.Address() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Metrics {
		name, value := m.Prometheus(), " 7"
		if m.Kind == Histogram {
			name, value = m.Prometheus()+"_sum", " 1.5"
		}
		found := false
		for line := range strings.Lines(string(body)) {
			found = found || (strings.HasPrefix(line, name+" ") || strings.HasPrefix(line, name+"{")) &&
				strings.HasSuffix(line, value+"\n")
		}
		if !found {
			t.Errorf("no line of %s with%s", name, value)
		}
	}
	if t.Failed() {
		t.Logf("%s", body)
	}
}

// A collector that does not answer delays the end of a process by less than a second, and an error
// is all that comes of it.
func TestSilentCollector(t *testing.T) {
	t.Parallel()
	on, err := Start(t.Context(), Options{Service: "api", OTLP: "127.0.0.1:1", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, span := on.Begin(t.Context(),
		http.Header{"Traceparent": {"00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"}}, trace.SpanKindServer)
	on.Answered(ctx, span, "GET", "/v1/tweets/:id", 200, time.Second, meter.Counts{Reads: 3})
	if err := on.Stop(t.Context()); err == nil {
		t.Error("Stop() tells nothing of what was not sent")
	}
}

// A port that is taken is an error of the start.
func TestTakenPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Start(t.Context(), Options{Metrics: l.Addr().String()}); err == nil || !strings.Contains(err.Error(),
		"telemetry") {
		t.Errorf("Start() on a taken port = %v", err)
	}
}
