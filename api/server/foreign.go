package server

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
)

// Foreign is a route of another protocol, such as the client API of Mastodon. It has the callers, limits and time limit
// of an operation, and no place in the OpenAPI document: its protocol says what it takes and answers. Pages of every
// origin may ask it, because the apps of such a protocol are everywhere; no request has cookies.
type Foreign struct {
	Method string
	Path   string // in the form of Gin, such as /api/v1/statuses/:id
	Name   string // the key of its action in [Hooks.Actions], and of its mark in tests
	Who    []map[string][]string
	Marks  []string // such as ForFrozen and WithoutConsent
	// Scopes are what a token of an app must allow, one of them; empty for a route that asks for no scope.
	Scopes []string
	// Most is the limit of the body in bytes; 0 for a route without a body, or with Stream.
	Most int64
	// Stream is the limit in bytes of a body that Handle reads as it comes, such as a file; 0 for another body. Few of
	// these requests run at once. With Most, too, only a body is read so that does not say that it has Most at most.
	Stream int64
	// Fails writes a problem in the form of the protocol.
	Fails func(http.ResponseWriter, Problem)
	// Handle answers a request. The body was read if Most is set, and r has it in memory. An error is written by Fails.
	Handle func(ctx context.Context, w http.ResponseWriter, r *http.Request) error
	// Live is in the place of Handle for a route whose requests live for minutes, see [Live]. Its path has no parameters.
	// The context of r ends with the connection. A connection that is taken over ends unseen.
	Live func(l *Live, w http.ResponseWriter, r *http.Request) error
}

// Foreign adds a route of another protocol.
func (s *Server) Foreign(f Foreign) {
	if f.Live != nil {
		s.live(f)
		return
	}
	op := &huma.Operation{Method: f.Method, Path: f.Path, OperationID: f.Name, Security: f.Who,
		Metadata: map[string]any{foreignRoute: true, routeScopes: f.Scopes}}
	for _, mark := range f.Marks {
		op.Metadata[mark] = true
	}
	s.foreign = append(s.foreign, f)
	s.engine.Handle(f.Method, f.Path, func(g *gin.Context) {
		about, ok := aboutRequest(g.Request.Context())
		if ok {
			about.fails = f.Fails
		}
		handle := func(c huma.Context) {
			ctx := withParams(c.Context(), g)
			if err := f.Handle(ctx, g.Writer, g.Request); err != nil {
				s.refuse(ctx, g.Writer, err)
			}
		}
		s.authenticate(humagin.NewContext(op, g), func(c huma.Context) {
			length := g.Request.ContentLength
			if f.Stream > 0 && (f.Most == 0 || length < 0 || length > f.Most) {
				s.stream(c, f.Stream, handle)
				return
			}
			if f.Most == 0 {
				handle(c)
				return
			}
			s.receive(c, f.Most, func(text []byte) {
				g.Request.Body = io.NopCloser(strings.NewReader(string(text)))
				handle(c)
			})
		})
	})
}

// Foreigns lists the routes of other protocols, for tests.
func (s *Server) Foreigns() []Foreign { return slices.Clone(s.foreign) }

type paramsKey struct{}

// Param returns a parameter of the path of a foreign route.
func Param(ctx context.Context, name string) string {
	p, _ := ctx.Value(paramsKey{}).(gin.Params)
	return p.ByName(name)
}

func withParams(ctx context.Context, g *gin.Context) context.Context {
	return context.WithValue(ctx, paramsKey{}, g.Params)
}
