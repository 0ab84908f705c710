package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/trace"

	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

// request holds the parts of a log line that the handlers of a request set.
type request struct {
	method string       // of the client; the router handles HEAD as GET
	route  string       // the pattern; the path may contain names and is never logged
	code   string       // code of the problem in the answer
	err    error        // cause of the problem, only for an internal failure
	caller model.Caller // the zero Caller until the token was checked
	public bool         // the answer is the same for every signed-out caller

	file   bool // the answer is a file, whose headers the handler sets
	shared bool // the answer is a file or page that shared caches keep: it says nothing about this request

	document *document // the body, if the answer never changes; the handler writes none

	version  string // first part of the ETag, if the answer is one tweet; it changes with each edit
	appCheck string // state of the App Check token; empty if it was not checked

	outside bool           // the request holds no place of the gate
	holds   []*limits.Hold // the limits that the request is charged to
	refused *limits.Refusal

	turn   bool          // of a request that lives for minutes
	sent   *http.Request // as the server got it
	settle func(bool)    // charges the bill to the holds, and gives their places back; whether the request did nothing

	around *request                           // the request within which this one runs; nil for one of a client
	fails  func(http.ResponseWriter, Problem) // writes problems in the form of another protocol; nil for our own
}

// polled is the route that clients ask again and again what is new.
const polled = "/v1/timeline"

type requestKey struct{}

// aboutRequest returns the parts of the request's log line. A context from elsewhere has none.
func aboutRequest(ctx context.Context) (*request, bool) {
	about, ok := ctx.Value(requestKey{}).(*request)
	return about, ok
}

// ServeHTTP answers one request. The answer is compressed if the client accepts it, unless it is one that lives.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = withoutSlash(r)
	if s.lives[r.URL.Path] {
		s.serve(w, r)
		return
	}
	s.packed.ServeHTTP(w, r)
}

// serve answers one request within the time limit and logs one line with its cost. The line never contains tokens,
// addresses, query strings, user ids or texts of users.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	m, about := meter.New(), &request{method: r.Method, sent: r}
	about.settle = func(nothing bool) {
		cost := m.Snapshot()
		about.charge(cost.Reads, cost.Writes+cost.Deletes)
		for _, h := range about.holds {
			h.Done(nothing && cost.Writes+cost.Deletes == 0)
		}
		about.holds = nil
	}
	ctx, cancel := context.WithTimeout(gcplog.WithTrace(r.Context(), s.options.Project, r.Header), s.options.Timeout)
	defer cancel()
	ctx, span := s.options.Telemetry.Begin(ctx, r.Header, trace.SpanKindServer)
	ctx = context.WithValue(meter.With(ctx, m), requestKey{}, about)

	a := &answer{ResponseWriter: w, about: about, match: r.Header.Get("If-None-Match"), head: func(h http.Header) {
		s.secure(h)
		cost := m.Snapshot()
		about.charge(cost.Reads, cost.Writes+cost.Deletes)
		if about.shared {
			return
		}
		about.tell(h)
		if !s.options.ServerTimingAdmins || about.caller.Admin {
			h.Set("Server-Timing", fmt.Sprintf("%s, total;dur=%.1f", cost.ServerTiming(), milliseconds(start)))
		}
	}}
	defer func() {
		if v := recover(); v != nil {
			err := fmt.Errorf("panic: %v\n%s", v, debug.Stack())
			p := problemOf(err)
			note(ctx, p, err)
			if a.reset() {
				send(ctx, a, p)
			} else {
				defer panic(http.ErrAbortHandler) // a part was sent: the client must not take it for the whole answer
			}
		}
		cost := m.Snapshot()
		about.settle(a.status >= http.StatusBadRequest)
		attrs := []slog.Attr{
			slog.String("method", r.Method), slog.String("route", about.route), slog.Int("status", a.status),
			slog.Float64("duration_ms", milliseconds(start)), slog.Any("", cost),
		}
		level := slog.LevelInfo
		if (about.route == polled || about.turn) && a.status < http.StatusBadRequest && cost == (meter.Counts{}) {
			level = slog.LevelDebug // these lines would be most of the log
		}
		if about.caller.UID != "" {
			attrs = append(attrs, slog.String("user", s.pseudonym(about.caller.UID)))
		}
		if about.appCheck != "" {
			attrs = append(attrs, slog.String("app_check", about.appCheck))
		}
		if about.code != "" {
			attrs = append(attrs, slog.String("code", about.code))
		}
		if about.err != nil {
			if ctx.Err() != context.Canceled { // a client that disconnects is not an internal failure
				level = slog.LevelError
			}
			attrs = append(attrs, slog.Any("error", about.err))
		}
		s.options.Log.LogAttrs(ctx, level, "request", attrs...)
		if about.refused != nil {
			s.options.Telemetry.Count(ctx, telemetry.Limited, 1, telemetry.Limit, about.refused.Limit.Name())
		}
		s.options.Telemetry.Answered(ctx, span, r.Method, about.route, a.status, time.Since(start), cost)
	}()
	s.engine.ServeHTTP(a, plainRequest(r.WithContext(ctx)))
	a.finish()
}

// plain keeps the characters of routes in an escaped path.
var plain = strings.NewReplacer("%3A", ":", "%40", "@")

// plainRequest returns a request in the form that the routes expect. A HEAD request becomes GET, and net/http drops the
// body. Each segment of the path is decoded once, so that %3A is a colon of a route, %40 its @, and %2F does not
// separate segments. A semicolon in the query is text: Go's parser drops a pair with a semicolon.
func plainRequest(r *http.Request) *http.Request {
	if r.Method == http.MethodHead {
		r.Method = http.MethodGet
	}
	at := *r.URL
	segments := strings.Split(at.EscapedPath(), "/")
	for i, segment := range segments {
		if text, err := url.PathUnescape(segment); err == nil { // the server refuses invalid escapes
			segments[i] = plain.Replace(url.QueryEscape(text)) // as gin decodes it
		}
	}
	at.RawPath = strings.Join(segments, "/")
	at.RawQuery = strings.ReplaceAll(at.RawQuery, ";", "%3B")
	r.URL = &at
	return r
}

// pseudonym stands for a user in the log. Lines of one user have the same pseudonym. Only the key of the page tokens
// can link a pseudonym to a user.
func (s *Server) pseudonym(uid model.UserID) string {
	mac := hmac.New(sha256.New, s.options.PageTokenKey)
	mac.Write([]byte("user in the log\x00" + string(uid)))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// SetVersion records that the answer is one document in a version. The version becomes the first part of the ETag. A
// hash of the body follows it, because an ETag stands for the whole answer.
func SetVersion(ctx context.Context, version string) {
	if about, ok := aboutRequest(ctx); ok {
		about.version = version
	}
}

// note writes a problem into the log line of the request. The line has the cause only for an internal failure.
func note(ctx context.Context, p *Problem, cause error) {
	about, ok := aboutRequest(ctx)
	if !ok {
		return
	}
	about = about.root()
	about.code = p.Code
	if p.Status >= http.StatusInternalServerError && about.err == nil {
		about.err = cause
	}
}

func recordRoute(c *gin.Context) {
	if about, ok := aboutRequest(c.Request.Context()); ok {
		about.route = c.FullPath()
	}
}
