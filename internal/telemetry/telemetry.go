package telemetry

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/stats"

	"github.com/hibana-sns/hibana/internal/safely"
)

const (
	// sampled is the share of requests and events that are traced by default. OTEL_TRACES_SAMPLER overrides it.
	sampled = 0.05

	// flushWithin is the time limit of the last export. A process has 10 s after SIGTERM, and its requests take up to 9 of
	// them.
	flushWithin = 900 * time.Millisecond
)

// Options are the destinations of traces and metrics. The zero Options have none.
type Options struct {
	Service string // "api" or "functions"
	Project string // the Google Cloud project in the names of traces in the log
	// OTLP is the collector: http://host:port, https://host:port, or host:port without TLS. A collector gets all metrics,
	// and https://telemetry.googleapis.com:443 gets those of Monitored.
	OTLP string
	// Metrics is the host:port at which GET /metrics answers in the text format of Prometheus. Port 0 selects any free
	// port, see [Telemetry.Address].
	Metrics string
	Log     *slog.Logger // for exports that fail; slog.Default() if nil
}

// Telemetry records traces and metrics. A nil Telemetry records nothing. Its methods may be
// called concurrently.
type Telemetry struct {
	tracer      trace.Tracer // nil without traces
	instruments instruments
	attributes  attributes
	stats       stats.Handler
	exports     *exports // nil without OTLP
	text        *http.Server
	address     string
	stops       []func(context.Context) error
}

// Start starts the configured telemetry, and returns nil if none is configured. The caller ends it with
// [Telemetry.Stop].
func Start(ctx context.Context, o Options) (_ *Telemetry, err error) {
	if o.OTLP == "" && o.Metrics == "" {
		return nil, nil
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn("telemetry failed", "error", err) }))
	t := &Telemetry{}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("telemetry: %w", err), t.Stop(context.WithoutCancel(ctx)))
		}
	}()
	about := []attribute.KeyValue{attribute.String("service.namespace", "hibana"), attribute.String("service.name",
		"hibana-"+o.Service),
		attribute.String("service.instance.id", rand.Text())} // two instances with one id would reset each other's counters
	if o.Project != "" {
		about = append(about, attribute.String("gcp.project_id", o.Project))
	}
	if revision := os.Getenv("K_REVISION"); revision != "" {
		about = append(about, attribute.String("service.version", revision))
	}
	of, err := resource.New(ctx, resource.WithAttributes(about...), resource.WithFromEnv(), resource.WithTelemetrySDK())
	if err != nil {
		return nil, err
	}
	measure, tracing := []metric.Option{metric.WithResource(of)}, []sdktrace.TracerProviderOption{
		sdktrace.WithResource(of)}
	if os.Getenv("OTEL_TRACES_SAMPLER") == "" { // the library reads it by itself
		tracing = append(tracing, sdktrace.WithSampler(sampler()))
	}
	if o.OTLP != "" {
		sums, spans, err := collector(ctx, o)
		if err != nil {
			return nil, err
		}
		t.exports = &exports{Exporter: sums}
		t.exports.done.Store(time.Now().UnixNano())
		measure = append(measure, metric.WithReader(metric.NewPeriodicReader(t.exports, metric.WithInterval(exportEvery))))
		tracing = append(tracing, sdktrace.WithBatcher(spans))
	}
	if o.google() {
		measure = append(measure, metric.WithView(monitored()...))
		if !of.Set().HasValue("cloud.region") {
			o.Log.WarnContext(ctx, "metrics without a region are refused", "set", "OTEL_RESOURCE_ATTRIBUTES=cloud.region=REGION")
		}
	}
	if o.Metrics != "" {
		text, err := t.serve(o)
		if err != nil {
			return nil, err
		}
		measure = append(measure, metric.WithReader(text))
	}
	meters := metric.NewMeterProvider(measure...)
	t.stops = append(t.stops, meters.Shutdown)
	if t.exports != nil {
		t.exports.flush = meters.ForceFlush
	}
	if t.instruments, err = newInstruments(meters.Meter("github.com/hibana-sns/hibana")); err != nil {
		return nil, err
	}
	if o.OTLP != "" {
		tracers := sdktrace.NewTracerProvider(tracing...)
		t.stops = append(t.stops, tracers.Shutdown)
		t.tracer = tracers.Tracer("github.com/hibana-sns/hibana")
		t.stats = otelgrpc.NewClientHandler(otelgrpc.WithTracerProvider(tracers),
			otelgrpc.WithMeterProvider(noop.NewMeterProvider()), otelgrpc.WithPropagators(propagator))
	}
	return t, nil
}

// sampler traces a share of requests and events and ignores the wish of callers: anyone may call the API, and each span
// costs money. The calls below a request are traced if the request is.
func sampler() sdktrace.Sampler {
	part := sdktrace.TraceIDRatioBased(sampled)
	return sdktrace.ParentBased(part, sdktrace.WithRemoteParentSampled(part), sdktrace.WithRemoteParentNotSampled(part))
}

// propagator reads and writes the headers traceparent and tracestate of W3C.
var propagator = propagation.TraceContext{}

// collector creates the exporters of OTLP.
func collector(ctx context.Context, o Options) (metric.Exporter, sdktrace.SpanExporter, error) {
	traces, metrics := []otlptracegrpc.Option{otlptracegrpc.WithEndpointURL(o.OTLP)},
		[]otlpmetricgrpc.Option{otlpmetricgrpc.WithEndpointURL(o.OTLP)}
	if !strings.Contains(o.OTLP, "://") {
		traces = []otlptracegrpc.Option{otlptracegrpc.WithEndpoint(o.OTLP), otlptracegrpc.WithInsecure()}
		metrics = []otlpmetricgrpc.Option{otlpmetricgrpc.WithEndpoint(o.OTLP), otlpmetricgrpc.WithInsecure()}
	}
	if dial, err := o.credentials(ctx); err != nil {
		return nil, nil, err
	} else if dial != nil {
		traces, metrics = append(traces, otlptracegrpc.WithDialOption(dial)),
			append(metrics, otlpmetricgrpc.WithDialOption(dial))
	}
	spans, err := otlptracegrpc.New(ctx, traces...)
	if err != nil {
		return nil, nil, err
	}
	sums, err := otlpmetricgrpc.New(ctx, metrics...)
	if err != nil {
		return nil, nil, errors.Join(err, spans.Shutdown(ctx))
	}
	return sums, spans, nil
}

// serve serves the metrics in the text format of Prometheus.
func (t *Telemetry) serve(o Options) (metric.Reader, error) {
	registry := prometheus.NewRegistry()
	reader, err := otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithoutScopeInfo())
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Metrics)
	if err != nil {
		return nil, err
	}
	t.address = l.Addr().String()
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	t.text = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	safely.Go(func() error { return t.text.Serve(l) }, nil)
	return reader, nil
}

// Address returns the host:port at which /metrics answers, or "" if it does not.
func (t *Telemetry) Address() string {
	if t == nil {
		return ""
	}
	return t.address
}

// Stop exports the remaining data and stops everything, in less than a second.
func (t *Telemetry) Stop(ctx context.Context) error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushWithin)
	defer cancel()
	all := make([]error, len(t.stops))
	var g safely.Group
	for i, stop := range t.stops {
		g.Go(func() error {
			all[i] = safely.Do(func() error { return stop(ctx) })
			return nil
		})
	}
	_ = g.Wait()
	if t.text != nil {
		all = append(all, t.text.Close())
	}
	return errors.Join(all...)
}
