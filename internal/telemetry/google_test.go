package telemetry

import (
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

func TestGoogle(t *testing.T) {
	t.Parallel()
	for otlp, want := range map[string]bool{
		"https://telemetry.googleapis.com":     true,
		"https://telemetry.googleapis.com:443": true,
		"telemetry.googleapis.com:443":         true,
		"":                                     false,
		"http://127.0.0.1:4317":                false,
		"127.0.0.1:4317":                       false,
		"https://telemetry.googleapis.com.example:443": false,
	} {
		if got := (Options{OTLP: otlp}).google(); got != want {
			t.Errorf("%q is the Telemetry API: %t, want %t", otlp, got, want)
		}
	}
}

// Of all metrics those of Monitored remain, with their attributes, under the names of Prometheus and with their own
// buckets.
func TestMonitored(t *testing.T) {
	t.Parallel()
	reader := metric.NewManualReader()
	meters := metric.NewMeterProvider(metric.WithReader(reader), metric.WithView(monitored()...))
	all, err := newInstruments(meters.Meter("test"))
	if err != nil {
		t.Fatal(err)
	}
	on := &Telemetry{instruments: all}
	for _, m := range Metrics {
		var labels []string
		for _, a := range m.Attributes {
			labels = append(labels, a, "x")
		}
		if m.Kind == Counter {
			on.Count(t.Context(), m.Name, 1, labels...)
		} else {
			on.Observe(t.Context(), m.Name, time.Second, labels...)
		}
	}
	var got metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	found := map[string]attribute.Set{}
	for _, scope := range got.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				found[m.Name] = data.DataPoints[0].Attributes
			case metricdata.Histogram[float64]:
				found[m.Name] = data.DataPoints[0].Attributes
				if want := buckets(m.Name); !slices.Equal(data.DataPoints[0].Bounds, want) {
					t.Errorf("%s has the buckets %v, want %v", m.Name, data.DataPoints[0].Bounds, want)
				}
			}
		}
	}
	known := 0
	for _, m := range Metrics {
		attributes, keep := Monitored[m.Name]
		set, ok := found[m.Prometheus()]
		if ok != keep {
			t.Errorf("%s remains: %t, want %t", m.Name, ok, keep)
		}
		if !keep {
			continue
		}
		known++
		var keys []string
		for _, a := range set.ToSlice() {
			keys = append(keys, string(a.Key))
		}
		slices.Sort(keys)
		if want := slices.Sorted(slices.Values(attributes)); !slices.Equal(keys, want) {
			t.Errorf("%s has the attributes %v, want %v", m.Name, keys, want)
		}
		for _, a := range attributes {
			if !slices.Contains(m.Attributes, a) {
				t.Errorf("%s of Monitored has the attribute %q, and the metric has not", m.Name, a)
			}
		}
	}
	if known != len(Monitored) || known != len(found) {
		t.Errorf("%d metrics are known, %d of Monitored, %d found", known, len(Monitored), len(found))
	}
}

// buckets returns the buckets of a histogram by its name in Prometheus.
func buckets(name string) []float64 {
	if name == (Metric{Name: HTTPDuration, Kind: Histogram}).Prometheus() {
		return latencies
	}
	return ages
}
