// Package gcplog makes the loggers of Hibana's services: JSON lines in the shape
// that Cloud Logging understands, and plain text for a terminal. Constructors of
// other packages take the *slog.Logger; nothing logs tokens, addresses or the
// text of posts.
package gcplog

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"regexp"
)

// New returns a logger that writes one JSON object a line, with the names that
// Cloud Logging gives a meaning to: severity, message and time. Lines logged with
// a context from [WithTrace] carry its trace, so that Cloud Logging shows them
// below the request that they belong to.
func New(w io.Writer, level slog.Leveler) *slog.Logger {
	root := slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: rename})
	return slog.New(traced{root, root, func(h slog.Handler) slog.Handler { return h }})
}

// NewText returns a logger for people to read: slog's key=value lines.
func NewText(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// rename gives the standard attributes the names of
// https://cloud.google.com/logging/docs/structured-logging.
func rename(groups []string, a slog.Attr) slog.Attr {
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

// severity names the level as Cloud Logging does. Levels in between belong to the
// one below.
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

type traceKey struct{}

// A trace id is 32 hexadecimal digits in either header: first of two parts
// (TRACE/SPAN;o=1) in Google's, second of four (00-TRACE-SPAN-01) in that of W3C.
var (
	cloudTrace  = regexp.MustCompile(`^([0-9a-f]{32})(/|;|$)`)
	traceparent = regexp.MustCompile(`^[0-9a-f]{2}-([0-9a-f]{32})-`)
)

// WithTrace returns a context that carries the trace of a request, from its
// traceparent or X-Cloud-Trace-Context header. Cloud Logging wants a trace by its
// full name, hence the Google Cloud project. Without a header in good form, or
// without a project, ctx is returned as it is.
func WithTrace(ctx context.Context, project string, h http.Header) context.Context {
	id := traceparent.FindStringSubmatch(h.Get("Traceparent"))
	if id == nil {
		id = cloudTrace.FindStringSubmatch(h.Get("X-Cloud-Trace-Context"))
	}
	if id == nil || project == "" {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, "projects/"+project+"/traces/"+id[1])
}

// traced adds the trace of the context to each line, at its top level even where
// the logger has a group open: it then derives the logger anew from the root.
type traced struct {
	slog.Handler
	root   slog.Handler
	derive func(slog.Handler) slog.Handler // makes Handler from root
}

func (h traced) Handle(ctx context.Context, r slog.Record) error {
	if trace, ok := ctx.Value(traceKey{}).(string); ok {
		root := h.root.WithAttrs([]slog.Attr{slog.String("logging.googleapis.com/trace", trace)})
		return h.derive(root).Handle(ctx, r)
	}
	return h.Handler.Handle(ctx, r)
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
