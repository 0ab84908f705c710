// Package server is the frame of the HTTP API: authentication, limits, problem documents, paging, request bodies, and
// the OpenAPI document. It knows no resource and no part of the database: [Hooks] tell it the rest.
package server

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
)

// Options are what the operator of an API chooses. Verifier and Log are required.
type Options struct {
	Verifier Verifier
	Log      *slog.Logger

	// PageTokenKey signs page tokens. All instances of a service need the same key.
	PageTokenKey []byte
	// Project is the Google Cloud project of the traces in the log. Without a project the log has no traces.
	Project string
	// Timeout is the time limit of a request, 30 s if 0.
	Timeout time.Duration
	// Limits are the limits of callers; the zero value limits nothing.
	Limits Limits
	// CORSOrigins are the origins whose scripts may read answers, such as
	// https://example.com; "http://localhost:*" is any port, and "*" every origin.
	CORSOrigins []string
	// ServerTimingAdmins sends the header Server-Timing to administrators only.
	ServerTimingAdmins bool
	// AppCheck configures whether requests need an App Check token; the zero value requires none.
	AppCheck AppCheck
	// HTTPSOnly makes browsers use HTTPS only for this host, for a year.
	HTTPSOnly bool
	// Web is the web client; none if zero.
	Web Web
	// Telemetry records each request; nil records nothing.
	Telemetry *telemetry.Telemetry
	// Ends is closed when the process stops: requests that live for minutes end then, see [Live]. If nil, they go on.
	Ends <-chan struct{}
}

// Hooks are what the frame asks about resources. Status and Ping are required.
type Hooks struct {
	// Actions maps each operation with a limit of its own to its action, by operation id.
	Actions map[string]string
	// Scopes maps each operation to the scopes of which a token of an app needs one, between spaces, or to [NotForApps].
	// No app may call an operation that is missing.
	Scopes map[string]string
	// Status applies to a caller what was decided after the token was issued. It fails for a caller who may do nothing.
	Status func(context.Context, model.Caller) (model.Caller, error)
	// Writing returns an error for an account that may not write now, such as one that has not consented to the terms; nil
	// asks nothing. It is asked for operations that write, without those of moderators, ForFrozen and WithoutConsent.
	Writing func(context.Context, model.Caller) error
	// Problem adds the members of resources to the problem of an error; nil adds none. The OpenAPI document describes its
	// result.
	Problem func(Problem, error) Failure
	// Used is told of the access token of an app, by its hash, for a request that nothing refused; nil is told nothing. An
	// error refuses the request.
	Used func(ctx context.Context, token string) error
	// Reading returns the context of a GET request; nil changes nothing.
	Reading func(context.Context) context.Context
	// Ping fails if the database does not answer.
	Ping func(context.Context) error
}

// Server answers requests by the operations that were registered.
type Server struct {
	Tokens PageTokens

	options Options
	hooks   Hooks
	api     huma.API
	engine  *gin.Engine
	large   bodies          // bodies that are being handled
	files   *limits.Gate    // of answers with a file
	streams *limits.Gate    // of bodies that handlers read as they come
	foreign []Foreign       // routes of other protocols
	lives   map[string]bool // paths of routes whose requests live for minutes

	streamers streamers

	packed http.Handler // serve, with answers compressed

	// tokens of ended sessions by hash, with the error of VerifyNow
	revoked lru.Cache[[sha256.Size]byte, error]
}

// revokedTokens is the number of tokens of ended sessions that a process caches, least recently used first out. Verify
// refuses each of them within an hour.
const revokedTokens = 1_000

// New returns a server that answers probes.
func New(o Options, hooks Hooks) *Server {
	setGlobals()
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.UseRawPath = true // an escaped slash is a part of a parameter
	engine.SetTrustedProxies(nil)
	engine.NoMethod(methods)

	s := &Server{Tokens: newPageTokens(o.PageTokenKey), options: o, hooks: hooks, engine: engine, large: newBodies(),
		files: limits.NewGate(filesAtOnce, filesWait), streams: limits.NewGate(streamsAtOnce, streamsWait),
		lives: map[string]bool{}}
	s.revoked = lru.New[[sha256.Size]byte, error](revokedTokens)
	s.packed, _ = compress(http.HandlerFunc(s.serve)) // fails only for contradictory options
	o.Telemetry.Expect(context.Background(), telemetry.Saturated)
	o.Telemetry.Expect(context.Background(), telemetry.WriteRaces, telemetry.Outcome, "failed")
	engine.NoRoute(s.noRoute)
	engine.Use(recordRoute, s.crossOrigin(), s.gate) // pages of other origins may read why the gate refused
	s.api = humagin.New(engine, description())
	if hooks.Problem != nil {
		extended := reflect.TypeOf(hooks.Problem(Problem{}, nil)).Elem()
		s.api.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[Problem](), extended)
	}
	s.probes()
	return s
}

// The callers that an operation accepts. A token in a request must be valid, even if the operation needs none. Only
// probes ignore the token, because a prober may send a token of its own.
var (
	probers    []map[string][]string
	Anybody    = []map[string][]string{{}, {securityScheme: {}}}
	SignedIn   = []map[string][]string{{securityScheme: {}}}
	Moderators = []map[string][]string{{securityScheme: {moderatorRole}}} // and administrators
	Admins     = []map[string][]string{{securityScheme: {adminRole}}}
)

// The custom claims of administrators and moderators.
const (
	adminRole     = "admin"
	moderatorRole = "moderator"
)

// Register adds an operation. Its description lists the failures that op names, and the common failures of this kind of
// operation.
func Register[I, O any](s *Server, who []map[string][]string, op huma.Operation, handler func(context.Context, *I) (*O,
	error)) {
	// Go compiles this function for each operation, so it has little in it.
	described := s.prepare(&op, who, hasBody(reflect.TypeFor[I]()))
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, s.failure(ctx, err)
		}
		return out, nil
	})
	described()
}

// prepare completes an operation. The caller registers the operation, and then calls described.
func (s *Server) prepare(op *huma.Operation, who []map[string][]string, hasBody bool) (described func()) {
	op.Security = who
	if who != nil {
		op.Middlewares = huma.Middlewares{s.authenticate}
		op.Errors = append(op.Errors, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusServiceUnavailable)
	}
	if marked(op, ForServers) || marked(op, BesidePage) {
		op.Middlewares = append(huma.Middlewares{s.negotiate}, op.Middlewares...)
	}
	if who == nil && op.Path != "/health" {
		op.Middlewares = huma.Middlewares{s.probe}
	}
	if op.Path != "/health" {
		op.Errors = append(op.Errors, http.StatusTooManyRequests)
	}
	if marked(op, Activities) {
		op.Middlewares = append(op.Middlewares, s.readActivity)
		op.Errors = append(op.Errors, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType)
	}
	var body bodyLimits // from the schema, which exists after huma has built it
	if hasBody {
		op.Middlewares = append(op.Middlewares, s.readBody(&body))
		op.MaxBodyBytes, op.BodyReadTimeout = -1, -1 // readBody enforces both limits
		op.Errors = append(op.Errors, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType)
	}
	slices.Sort(op.Errors)
	op.Errors = slices.Compact(op.Errors)
	path, method := op.Path, op.Method
	registered := strings.ReplaceAll(path, ":", `\:`) // a colon would start a parameter of Gin
	op.Path = registered
	return func() {
		paths := s.api.OpenAPI().Paths
		if registered != path {
			paths[path] = paths[registered]
			delete(paths, registered)
		}
		if hasBody {
			sent := operationsOf(paths[path])[method].RequestBody
			body = limitsOfBody(s.api.OpenAPI().Components.Schemas, sent.Content["application/json"].Schema)
			sent.Description = fmt.Sprintf("At most %d bytes, with %d names and values", body.bytes, body.values)
		}
	}
}
