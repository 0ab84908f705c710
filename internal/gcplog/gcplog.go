// Package gcplog creates the loggers of the services: JSON lines in the form of Cloud Logging, and plain text for a
// terminal. The constructors of other packages take the *slog.Logger. No package logs tokens, addresses or the text of
// posts.
package gcplog

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"regexp"

	"go.opentelemetry.io/otel/trace"
)

// New returns a logger that writes one JSON object a line. Cloud Logging interprets the names severity, message and
// time. New removes quoted parts and document ids from the text of an error, because they identify people. A line with
// a context from [WithTrace] has the trace of the context, and Cloud Logging shows the line below its request.
func New(w io.Writer, level slog.Leveler) *slog.Logger {
	root := slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: rename})
	return slog.New(traced{root, root, func(h slog.Handler) slog.Handler { return h }})
}

// NewText returns a logger for a terminal, with the key=value lines of slog.
func NewText(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// rename renames the standard attributes as in https://cloud.google.com/logging/docs/structured-logging.
func rename(groups []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindAny {
		if err, ok := a.Value.Any().(error); ok {
			return slog.String(a.Key, cause(err))
		}
	}
	if len(groups) > 0 {
		return a
	}
	switch a.Key {
	case slog.MessageKey:
		a.Key = "message"
	case slog.LevelKey:
		if level, ok := a.Value.Any().(slog.Level); ok {
			return slog.String("severity", severity(level))
		}
	}
	return a
}

// An error may identify people: in the arguments of an operation, as in users.User("…"), and in the path of a document,
// as in documents/users/….
var (
	argument = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	document = regexp.MustCompile(`(documents/[A-Za-z]+)/[^\s"',;:)\]]+`)
)

// cause returns the text of an error without quoted parts and document ids.
func cause(err error) string {
	return document.ReplaceAllString(argument.ReplaceAllString(err.Error(), `"…"`), "$1/…")
}

// severity names the level as Cloud Logging does. A level between two names has the
// lower name.
func severity(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "ERROR"
	case level >= slog.LevelWarn:
		return "WARNING"
	case level >= slog.LevelInfo:
		return "INFO"
	}
	return "DEBUG"
}

type (
	traceKey   struct{}
	projectKey struct{}
)

// A trace id is 32 hexadecimal digits in either header. The header of Google begins with
// the id (TRACE/SPAN;o=1). In the header of W3C the id is the second of four parts
// (00-TRACE-SPAN-01).
var (
	cloudTrace  = regexp.MustCompile(`^([0-9a-f]{32})(/|;|$)`)
	traceparent = regexp.MustCompile(`^[0-9a-f]{2}-([0-9a-f]{32})-`)
)

// WithTrace returns a context with the trace of a request, from the header traceparent or X-Cloud-Trace-Context. Cloud
// Logging needs the full name of a trace, which contains the Google Cloud project. Without a project WithTrace returns
// ctx unchanged. Without a well-formed header the context has no trace. A span that starts in the context takes
// precedence over the header.
func WithTrace(ctx context.Context, project string, h http.Header) context.Context {
	id := traceparent.FindStringSubmatch(h.Get("Traceparent"))
	if id == nil {
		id = cloudTrace.FindStringSubmatch(h.Get("X-Cloud-Trace-Context"))
	}
	if project == "" {
		return ctx
	}
	ctx = context.WithValue(ctx, projectKey{}, project)
	if id == nil {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, "projects/"+project+"/traces/"+id[1])
}

// traced adds the trace and the span of the context to each line, at the top level. An open group would contain them,
// so traced derives the handler again from the root.
type traced struct {
	slog.Handler
	root   slog.Handler
	derive func(slog.Handler) slog.Handler // derives Handler from root
}

func (h traced) Handle(ctx context.Context, r slog.Record) error {
	if attrs := traceOf(ctx); attrs != nil {
		return h.derive(h.root.WithAttrs(attrs)).Handle(ctx, r)
	}
	return h.Handler.Handle(ctx, r)
}

// traceOf returns the trace and the span of a context, under the names of Cloud Logging. Without a project the trace
// has its plain id.
func traceOf(ctx context.Context) []slog.Attr {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		project, ok := ctx.Value(projectKey{}).(string)
		if !ok {
			return []slog.Attr{slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String())}
		}
		return []slog.Attr{
			slog.String("logging.googleapis.com/trace", "projects/"+project+"/traces/"+span.TraceID().String()),
			slog.String("logging.googleapis.com/spanId", span.SpanID().String()),
			slog.Bool("logging.googleapis.com/trace_sampled", span.IsSampled()),
		}
	}
	if name, ok := ctx.Value(traceKey{}).(string); ok {
		return []slog.Attr{slog.String("logging.googleapis.com/trace", name)}
	}
	return nil
}

func (h traced) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.then(func(h slog.Handler) slog.Handler { return h.WithAttrs(attrs) })
}

func (h traced) WithGroup(name string) slog.Handler {
	return h.then(func(h slog.Handler) slog.Handler { return h.WithGroup(name) })
}

func (h traced) then(f func(slog.Handler) slog.Handler) slog.Handler {
	return traced{f(h.Handler), h.root, func(root slog.Handler) slog.Handler { return f(h.derive(root)) }}
}
