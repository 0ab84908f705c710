// Package api is Hibana's HTTP API: routes, authentication, limits and the
// answers to failures. It holds no rule about the data; those are in package
// store. Each file holds one resource.
//
// Every answer says in Server-Timing what it cost: fs-reads, fs-writes and
// fs-deletes are billed Firestore documents and have a desc, total has a dur in
// milliseconds. Failures are problem documents, see [Problem].
package api

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/store/audit"
	"github.com/hibana-sns/hibana/store/cards"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/notices"
	"github.com/hibana-sns/hibana/store/timelines"
)

// maxBody is how many bytes a request body may have.
const maxBody = 1 << 20

// Stores are the parts of the database that the API uses: facts, which it writes, and
// readers of what is derived. The API cannot reach the writers of derived documents.
type Stores struct {
	Facts     *facts.Store
	Cards     *cards.Reader
	Timelines *timelines.Reader
	Notices   *notices.Reader
	Audit     *audit.Auditor
	Ping      func(context.Context) error // fails if the database cannot be reached
}

// Options are what the API needs. Stores, Verifier and Log must be given.
type Options struct {
	Stores
	Verifier Verifier
	Log      *slog.Logger

	// PageTokenKey signs page tokens; all instances of a service need the same.
	PageTokenKey []byte
	// Project is the Google Cloud project of traces in the log; empty logs none.
	Project string
	// Timeout is how long a request may take; 30 s if 0.
	Timeout time.Duration
}

type server struct {
	Options
	api    huma.API
	engine *gin.Engine
	tokens pageTokens
}

// New returns the whole API as one handler.
func New(o Options) http.Handler {
	setGlobals()
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.UseRawPath = true // an escaped slash belongs to a parameter
	engine.SetTrustedProxies(nil)
	engine.Use(noteRoute)
	engine.NoRoute(func(c *gin.Context) {
		fail(c, newProblem(http.StatusNotFound, "route_not_found", "There is no such path; see /docs."))
	})
	engine.NoMethod(func(c *gin.Context) {
		fail(c, newProblem(http.StatusMethodNotAllowed, "method_not_allowed", "This path does not take "+c.Request.Method+"; see the Allow header."))
	})

	s := &server{Options: o, engine: engine, tokens: pageTokens{o.PageTokenKey}}
	s.api = humagin.New(engine, description())
	s.users()
	s.relationships()
	s.tweets()
	s.likes()
	s.timeline()
	s.tags()
	s.notifications()
	s.admin()
	s.verification()
	s.health()
	s.docs()
	return s
}

// Who may call an operation. A token in the request must be good, also where none is
// needed; only a probe ignores it, because the prober may have a token of its own.
var (
	probes   []map[string][]string
	anybody  = []map[string][]string{{}, {securityScheme: {}}}
	signedIn = []map[string][]string{{securityScheme: {}}}
	admins   = []map[string][]string{{securityScheme: {adminRole}}}
)

// adminRole is the custom claim that administrators have.
const adminRole = "admin"

// register adds an operation. Beside the failures that op names it documents those
// that any operation of its sort may have.
func register[I, O any](s *server, who []map[string][]string, op huma.Operation, handler func(context.Context, *I) (*O, error)) {
	op.Security = who
	if who != nil {
		op.Middlewares = huma.Middlewares{s.authenticate}
		op.Errors = append(op.Errors, http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable)
		if op.Method != http.MethodGet || needsAdmin(&op) {
			op.Errors = append(op.Errors, http.StatusForbidden)
		}
	}
	op.MaxBodyBytes = maxBody + 1 // a body of this size is refused
	op.BodyReadTimeout = s.Timeout
	if op.Method == http.MethodPost || op.Method == http.MethodPatch {
		op.Errors = append(op.Errors, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	slices.Sort(op.Errors)
	op.Errors = slices.Compact(op.Errors)
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			p := problemOf(err)
			note(ctx, p, err)
			return nil, p
		}
		return out, nil
	})
}

// nothing is the input or output of an operation without one.
type nothing = struct{}
