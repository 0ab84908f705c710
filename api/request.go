package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/meter"
)

// request has the parts of a log line that the handlers of a request fill in.
type request struct {
	route string // the pattern; the path may hold names and is never logged
	code  string // code of the problem in the answer
	err   error  // cause of the problem, only if the failure is ours
}

type requestKey struct{}

// ServeHTTP answers one request within the time limit and logs one line with its cost.
// The line never holds tokens, addresses, query strings or the words of users.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	m, about := meter.New(), &request{}
	ctx, cancel := context.WithTimeout(gcplog.WithTrace(r.Context(), s.Project, r.Header), s.Timeout)
	defer cancel()
	ctx = context.WithValue(meter.With(ctx, m), requestKey{}, about)

	a := &answer{ResponseWriter: w, head: func(h http.Header) {
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Server-Timing", fmt.Sprintf("%s, total;dur=%.1f", m.Snapshot().ServerTiming(), milliseconds(start)))
	}}
	defer func() {
		if v := recover(); v != nil {
			err := fmt.Errorf("panic: %v\n%s", v, debug.Stack())
			p := problemOf(err)
			note(ctx, p, err)
			if a.status == 0 {
				p.write(a)
			}
		}
		attrs := []slog.Attr{
			slog.String("method", r.Method), slog.String("route", about.route), slog.Int("status", a.status),
			slog.Float64("duration_ms", milliseconds(start)), slog.Any("", m.Snapshot()),
		}
		level := slog.LevelInfo
		if about.code != "" {
			attrs = append(attrs, slog.String("code", about.code))
		}
		if about.err != nil {
			level = slog.LevelError
			attrs = append(attrs, slog.String("error", about.err.Error()))
		}
		s.Log.LogAttrs(ctx, level, "request", attrs...)
	}()
	s.engine.ServeHTTP(a, r.WithContext(ctx))
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// note puts a problem into the log line of the request. The line has the cause only if
// the failure is ours.
func note(ctx context.Context, p *Problem, cause error) {
	about, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return
	}
	about.code = p.Code
	if p.Status >= http.StatusInternalServerError {
		about.err = cause
	}
}

func noteRoute(c *gin.Context) {
	if about, ok := c.Request.Context().Value(requestKey{}).(*request); ok {
		about.route = c.FullPath()
	}
}

// answer calls head just before the header goes out. The cost of the request is known
// by then.
type answer struct {
	http.ResponseWriter
	head   func(http.Header)
	status int // 0 until the header goes out
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
		a.head(a.Header())
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap gives http.ResponseController the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
