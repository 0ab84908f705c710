package gcplog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"
)

const traceID = "0123456789abcdef0123456789abcdef"

// line logs once and returns the line without its time, which must be one.
func line(t *testing.T, log func(*slog.Logger)) map[string]any {
	t.Helper()
	var b bytes.Buffer
	log(New(&b, slog.LevelDebug))
	var got map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("logged %q: %v", b.String(), err)
	}
	text, _ := got["time"].(string)
	if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
		t.Errorf("time: %v", err)
	}
	delete(got, "time")
	return got
}

func TestNew(t *testing.T) {
	ctx := WithTrace(context.Background(), "demo", http.Header{"Traceparent": {"00-" + traceID + "-0123456789abcdef-01"}})
	const name = "projects/demo/traces/" + traceID
	tests := []struct {
		name string
		log  func(*slog.Logger)
		want map[string]any
	}{
		{"debug", func(l *slog.Logger) { l.Debug("m") }, map[string]any{"severity": "DEBUG", "message": "m"}},
		{"info", func(l *slog.Logger) { l.Info("m", "n", 1.0) }, map[string]any{"severity": "INFO", "message": "m",
			"n": 1.0}},
		{"warning", func(l *slog.Logger) { l.Warn("m") }, map[string]any{"severity": "WARNING", "message": "m"}},
		{"above error", func(l *slog.Logger) { l.Log(ctx, slog.LevelError+1, "m") },
			map[string]any{"severity": "ERROR", "message": "m", "logging.googleapis.com/trace": name}},
		{"an error names nobody", func(l *slog.Logger) {
			l.Warn("m", "error", fmt.Errorf("access.User(%q): NotFound: %q: no document "+
				"projects/p/databases/(default)/documents/users/uid/notifications/x, or documents/likes/a_b", "u\"id", "x"))
		}, map[string]any{"severity": "WARNING", "message": "m",
			"error": `access.User("…"): NotFound: "…": no document projects/p/databases/(default)/documents/users/…, or documents/likes/…`}},
		{"an error in a group", func(l *slog.Logger) { l.WithGroup("g").Info("m", "error", errors.New(`f("uid")`)) },
			map[string]any{"severity": "INFO", "message": "m", "g": map[string]any{"error": `f("…")`}}},
		{"an attribute of its own level", func(l *slog.Logger) { l.Info("m", slog.Group("g", "level", "high", "msg", "x")) },
			map[string]any{"severity": "INFO", "message": "m", "g": map[string]any{"level": "high", "msg": "x"}}},
		{"trace with attributes", func(l *slog.Logger) { l.With("a", "b").InfoContext(ctx, "m", "c", "d") },
			map[string]any{"severity": "INFO", "message": "m", "a": "b", "c": "d", "logging.googleapis.com/trace": name}},
		{"trace with a group", func(l *slog.Logger) {
			l.With("a", "b").WithGroup("g").With("e", "f").InfoContext(ctx, "m",
				"c", "d")
		},
			map[string]any{"severity": "INFO", "message": "m", "a": "b", "g": map[string]any{"c": "d", "e": "f"},
				"logging.googleapis.com/trace": name}},
		{"group without a trace", func(l *slog.Logger) { l.WithGroup("g").Info("m", "c", "d") },
			map[string]any{"severity": "INFO", "message": "m", "g": map[string]any{"c": "d"}}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, line(t, test.log)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestWithTrace(t *testing.T) {
	const name = "projects/demo/traces/" + traceID
	tests := []struct {
		name, project, header, value string
		want                         any
	}{
		{"Google", "demo", "X-Cloud-Trace-Context", traceID + "/1;o=1", name},
		{"Google, id alone", "demo", "X-Cloud-Trace-Context", traceID, name},
		{"W3C", "demo", "Traceparent", "00-" + traceID + "-0123456789abcdef-00", name},
		{"no project", "", "Traceparent", "00-" + traceID + "-0123456789abcdef-00", nil},
		{"no header", "demo", "X-Other", traceID, nil},
		{"injection", "demo", "X-Cloud-Trace-Context", `x","severity":"ERROR`, nil},
		{"too long", "demo", "X-Cloud-Trace-Context", traceID + "0/1", nil},
		{"short W3C", "demo", "Traceparent", "00-0123-0123456789abcdef-00", nil},
	}
	for _, test := range tests {
		h := http.Header{}
		h.Set(test.header, test.value)
		got := line(t, func(l *slog.Logger) { l.InfoContext(WithTrace(context.Background(), test.project, h), "m") })
		if got := got["logging.googleapis.com/trace"]; got != test.want {
			t.Errorf("%s: trace is %v, want %v", test.name, got, test.want)
		}
	}
}

// A span comes before the header: it is a child of the header's.
func TestSpan(t *testing.T) {
	span := func(ctx context.Context) context.Context {
		return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
		}))
	}
	h := http.Header{"Traceparent": {"00-" + traceID + "-0123456789abcdef-01"}}
	got := line(t, func(l *slog.Logger) { l.InfoContext(span(WithTrace(t.Context(), "demo", h)), "m") })
	want := map[string]any{
		"severity": "INFO", "message": "m",
		"logging.googleapis.com/trace":  "projects/demo/traces/01000000000000000000000000000000",
		"logging.googleapis.com/spanId": "0200000000000000", "logging.googleapis.com/trace_sampled": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with a project (-want +got):\n%s", diff)
	}
	got = line(t, func(l *slog.Logger) { l.InfoContext(span(t.Context()), "m") })
	want = map[string]any{"severity": "INFO", "message": "m", "trace_id": "01000000000000000000000000000000",
		"span_id": "0200000000000000"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("without a project (-want +got):\n%s", diff)
	}
}

func TestLevel(t *testing.T) {
	for name, newLogger := range map[string]func(*bytes.Buffer) *slog.Logger{
		"New":     func(b *bytes.Buffer) *slog.Logger { return New(b, slog.LevelWarn) },
		"NewText": func(b *bytes.Buffer) *slog.Logger { return NewText(b, slog.LevelWarn) },
	} {
		var b bytes.Buffer
		l := newLogger(&b)
		l.Info("quiet")
		l.Warn("loud")
		if got := b.String(); strings.Contains(got, "quiet") || !strings.Contains(got, "loud") {
			t.Errorf("%s at level warn logged %q", name, got)
		}
	}
}
