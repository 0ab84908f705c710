package telemetry

import (
	"context"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/oauth"
)

// googleHost is the Telemetry API of Google Cloud, which accepts OTLP without a collector. It writes metrics to Managed
// Service for Prometheus, and spans to Cloud Trace.
const googleHost = "telemetry.googleapis.com"

// google reports whether the destination of OTLP is the Telemetry API.
func (o Options) google() bool {
	at := o.OTLP
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		at = u.Host
	}
	host, _, _ := strings.Cut(at, ":")
	return host == googleHost
}

// credentials returns the credentials for a call of the Telemetry API: those of the service account, and the project
// that is billed. It returns nil for any other collector.
func (o Options) credentials(ctx context.Context) (grpc.DialOption, error) {
	if !o.google() {
		return nil, nil
	}
	account, err := oauth.NewApplicationDefault(ctx, "https://www.googleapis.com/auth/cloud-platform")
	if err != nil {
		return nil, err
	}
	return grpc.WithPerRPCCredentials(billed{account, o.Project}), nil
}

// billed are credentials that also name the project that is billed.
type billed struct {
	credentials.PerRPCCredentials
	project string
}

// GetRequestMetadata returns the headers of a call.
func (b billed) GetRequestMetadata(ctx context.Context, uri ...string) (map[string]string, error) {
	all, err := b.PerRPCCredentials.GetRequestMetadata(ctx, uri...)
	if err != nil {
		return nil, err
	}
	headers := map[string]string{"x-goog-user-project": b.project}
	for name, value := range all {
		headers[name] = value
	}
	return headers, nil
}

// monitored reduces the metrics to those of [Monitored], with the names that Prometheus has for them. The Telemetry API
// keeps names as they are, and PromQL has no short form for a name with dots.
func monitored() []metric.View {
	views := make([]metric.View, 0, len(Metrics))
	for _, m := range Metrics {
		var keep []attribute.Key
		attributes, ok := Monitored[m.Name]
		for _, a := range attributes {
			keep = append(keep, attribute.Key(a))
		}
		to := metric.Stream{Name: m.Prometheus(), AttributeFilter: attribute.NewAllowKeysFilter(keep...)}
		if !ok {
			to = metric.Stream{Aggregation: metric.AggregationDrop{}}
		}
		views = append(views, metric.NewView(metric.Instrument{Name: m.Name}, to))
	}
	return views
}
