package metrics

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

// The page shows what the services recorded, since the start and between two looks.
func TestShow(t *testing.T) {
	t.Parallel()
	on, err := telemetry.Start(t.Context(), telemetry.Options{Service: "api", Metrics: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer on.Stop(t.Context())
	url := "http://" + on.Address() + "/metrics"
	request := func(status int, took time.Duration) {
		ctx, span := on.Begin(t.Context(), nil, trace.SpanKindServer)
		on.Answered(ctx, span, "GET", "/v1/timeline", status, took, meter.Counts{Reads: 7})
		telemetry.Cached(ctx, "tweets", 3, 1)
	}
	for range 19 {
		request(200, 8*time.Millisecond)
	}
	request(503, 3*time.Second)
	on.Handled(t.Context(), trace.SpanFromContext(t.Context()), "TweetChanged", "handled", time.Now().Add(-4*time.Second),
		meter.Counts{Writes: 5})
	first, err := Read(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	want(t, show(t, nil, first), "since the start", "/v1/timeline 20 1 ≤ 10 ms ≤ 10 ms 140 0",
		"TweetChanged 1 0 ≤ 5 s ≤ 5 s 0 5", "Found in caches 75 %")

	for range 40 {
		request(200, 200*time.Millisecond)
	}
	second, err := Read(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	second.At = first.At.Add(10 * time.Second)
	text := show(t, first, second)
	want(t, text, "over 10 s", "/v1/timeline 4.0 0.0 ≤ 250 ms ≤ 250 ms 28.0 0.0")
	if strings.Contains(text, "TweetChanged") {
		t.Errorf("a function without events is shown:\n%s", text)
	}
}

func show(t *testing.T, before, now *Page) string {
	t.Helper()
	var b strings.Builder
	if err := Show(&b, before, now); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the page has no %q:\n%s", part, text)
		}
	}
}

// What is no page of metrics is an error that says so.
func TestReadOther(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/broken" {
			io.WriteString(w, "hibana_events_total{function=\"x\"} many\n")
			return
		}
		http.NotFound(w, r)
	}))
	defer s.Close()
	for path, part := range map[string]string{"/none": "404", "/broken": "many"} {
		if _, err := Read(t.Context(), s.URL+path); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("Read(%s) = %v, want an error with %q", path, err, part)
		}
	}
}
