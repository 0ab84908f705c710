package server

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/model"
)

// Live is a request that lives for minutes: a connection by which its client hears what is new. It has no time limit,
// no place at the gate and no place among the caller's parallel requests, and nobody compresses its answer. What it
// does for its client it does in turns: each is a request of its own, see [Live.Turn].
type Live struct {
	server  *Server
	path    string
	header  http.Header // of the requests of its turns
	address string
	caller  model.Caller
	ends    <-chan struct{}
}

// Caller is who began the request. It says nothing about now, see [Live.Turn].
func (l *Live) Caller() model.Caller { return l.caller }

// Address is the network address of the caller, as [Address] has it.
func (l *Live) Address() string { return l.address }

// Ends is closed when the process stops.
func (l *Live) Ends() <-chan struct{} { return l.ends }

// turn is what a request of a turn does.
type turn struct {
	do  func(context.Context) error
	now bool
}

type turnKey struct{}

// Turn calls do as a request of the caller by itself: with the token checked again, a place at the gate, the limits,
// the bill, the time limit and the line in the log of any other request. So it fails if the token has expired, the
// account was suspended, or a limit is reached. With now, it also asks whether the session was ended, see
// [VerifiedNow].
func (l *Live) Turn(ctx context.Context, now bool, do func(context.Context) error) error {
	r, err := http.NewRequestWithContext(context.WithValue(ctx, turnKey{}, &turn{do, now}), http.MethodGet, l.path, nil)
	if err != nil {
		return err
	}
	r.Header = l.header.Clone()
	a := &recorder{Answer{Header: http.Header{}}}
	l.server.serve(a, r)
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.Err()
}

// live adds a route whose requests live for minutes. A client that cannot send the header Authorization sends its token
// as access_token in the query, or as Sec-WebSocket-Protocol.
func (s *Server) live(f Foreign) {
	operation := func(now bool) *huma.Operation {
		op := &huma.Operation{Method: f.Method, Path: f.Path, OperationID: f.Name, Security: f.Who,
			Metadata: map[string]any{foreignRoute: true, routeScopes: f.Scopes, VerifiedNow: now}}
		for _, mark := range f.Marks {
			op.Metadata[mark] = true
		}
		return op
	}
	usual, now := operation(false), operation(true)
	s.foreign = append(s.foreign, f)
	s.lives[f.Path] = true
	s.engine.Handle(f.Method, f.Path, func(g *gin.Context) {
		about, _ := aboutRequest(g.Request.Context()) // serve put it there
		about.fails = f.Fails
		t, is := g.Request.Context().Value(turnKey{}).(*turn)
		op := now
		if is && !t.now {
			op = usual
		}
		about.turn = is
		if g.GetHeader("Authorization") == "" {
			if token := tokenElsewhere(g.Request); token != "" {
				g.Request.Header.Set("Authorization", "Bearer "+token)
			}
		}
		s.authenticate(humagin.NewContext(op, g), func(c huma.Context) {
			ctx := c.Context()
			var err error
			if is {
				err = t.do(ctx)
			} else {
				err = s.beginLive(ctx, f, g, about)
			}
			if err != nil {
				s.refuse(ctx, g.Writer, err)
			}
		})
	})
}

// beginLive makes a request that was let in one that lives.
func (s *Server) beginLive(ctx context.Context, f Foreign, g *gin.Context, about *request) error {
	l := &Live{server: s, path: f.Path, header: http.Header{}, address: Address(ctx), caller: Caller(ctx),
		ends: s.options.Ends}
	for _, name := range []string{"Authorization", "X-Forwarded-For", "User-Agent"} {
		if values := g.Request.Header.Values(name); len(values) > 0 {
			l.header[name] = values
		}
	}
	about.settle(false)
	about.outside, about.file = true, true
	s.options.Limits.Gate.Leave()
	g.Header("Cache-Control", "no-store")
	ctx = outliving{about.sent.Context(), ctx}
	return f.Live(l, g.Writer.(interface{ Unwrap() http.ResponseWriter }).Unwrap(), g.Request.WithContext(ctx))
}

// outliving is the context of a connection, with the values of its request.
type outliving struct {
	context.Context
	request context.Context //nolint:containedctx // for its values alone
}

// Value implements [context.Context].
func (o outliving) Value(key any) any { return o.request.Value(key) }

// tokenElsewhere returns the token of a request that is in its query or its protocols.
func tokenElsewhere(r *http.Request) string {
	if token := r.URL.Query().Get("access_token"); token != "" {
		return token
	}
	first, _, _ := strings.Cut(r.Header.Get("Sec-WebSocket-Protocol"), ",")
	return strings.TrimSpace(first)
}

// RetryAfter is how long who fails with an error should wait before trying again; 0 if at once, or never.
func RetryAfter(err error) time.Duration { return problemOf(err).retryAfter }
