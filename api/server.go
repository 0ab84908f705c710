// Package api is the HTTP API of Hibana: routes, authentication, limits and the answers to failures. The rules about
// the data are in package store. Each file holds one resource.
//
// Every answer reports its cost in the header Server-Timing. fs-reads, fs-writes and fs-deletes have the number of
// billed Firestore documents in desc, and total has the milliseconds in dur. A failure answers a problem document, see
// [Problem].
package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/erasure"
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/notifications"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/reactions"
	"github.com/hibana-sns/hibana/store/shop"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
	"github.com/hibana-sns/hibana/store/verify"
)

// Stores are the parts of the database that the API uses: source documents, which the API writes, and readers of
// projections. The API cannot reach the writers of projections.
type Stores struct {
	Users              *users.Store
	Graph              *graph.Store
	Tweets             *tweets.Store
	Reactions          *reactions.Store
	Edits              *tweets.Edits
	Bookmarks          *reactions.Bookmarks
	Pins               *tweets.Pins
	Devices            *notifications.Devices
	Drafts             *tweets.Drafts
	Polls              *tweets.Polls
	Shares             *reactions.Shares
	Requests           *graph.Requests
	Lists              *graph.Lists
	Threads            *tweets.Threads
	Tags               *discovery.Tags
	Search             *discovery.Search
	Trends             *discovery.TrendsReader
	Totals             *discovery.TotalsReader
	Mentions           *tweets.Mentions
	Settings           *notifications.Settings
	Moderation         *moderation.Store
	Shop               *shop.Store
	Orders             *shop.Orders
	Cards              *profiles.Reader
	Timelines          *timelines.Reader
	Exports            *erasure.Exports
	NotificationEvents *notifications.Reader
	Audit              *verify.Auditor
	Ping               func(context.Context) error // fails if the database does not answer
}

// Options are the parts of the API. Stores, Verifier, Accounts and Log are required.
type Options struct {
	Stores
	Verifier Verifier
	Accounts Accounts
	Log      *slog.Logger

	// PageTokenKey signs page tokens. All instances of a service need the same key.
	PageTokenKey []byte
	// RequireVerifiedEmail refuses posts of callers whose ID token does not have email_verified.
	RequireVerifiedEmail bool
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
	// Push lists the channels by which devices get notifications; the zero value has none.
	Push Push
	// HTTPSOnly makes browsers use HTTPS only for this host, for a year.
	HTTPSOnly bool
	// Web is the web client; none if zero.
	Web Web
	// Telemetry records each request; nil records nothing.
	Telemetry *telemetry.Telemetry
}

type server struct {
	Options
	api    huma.API
	engine *gin.Engine
	tokens pageTokens
	large  bodies // bodies that are being handled

	packed http.Handler // serve, with answers compressed

	// tokens of ended sessions by hash, with the error of VerifyNow
	revoked *lru.Cache[[sha256.Size]byte, error]
}

// revokedTokens is the number of tokens of ended sessions that a process caches, least recently used first out. Verify
// refuses each of them within an hour.
const revokedTokens = 1_000

// New returns the whole API as one handler.
func New(o Options) http.Handler {
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

	s := &server{Options: o, engine: engine, tokens: newPageTokens(o.PageTokenKey), large: newBodies()}
	s.revoked, _ = lru.New[[sha256.Size]byte, error](revokedTokens) // fails only for a size below 1
	s.packed, _ = compress(http.HandlerFunc(s.serve))               // fails only for contradictory options
	s.Telemetry.Expect(context.Background(), telemetry.Saturated)
	s.Telemetry.Expect(context.Background(), telemetry.WriteRaces, telemetry.Outcome, "failed")
	engine.NoRoute(s.noRoute)
	engine.Use(recordRoute, s.crossOrigin(), s.gate) // pages of other origins may read why the gate refused
	s.api = humagin.New(engine, description())
	s.users()
	s.accountDeletion()
	s.exports()
	s.relationships()
	s.followRequests()
	s.peopleLists()
	s.tweets()
	s.edits()
	s.threads()
	s.likes()
	s.shares()
	s.bookmarks()
	s.pins()
	s.drafts()
	s.polls()
	s.timeline()
	s.tags()
	s.search()
	s.trends()
	s.totals()
	s.mentions()
	s.notifications()
	s.settings()
	s.devices()
	s.products()
	s.carts()
	s.orders()
	s.admin()
	s.actions()
	s.accountStatuses()
	s.reports()
	s.moderation()
	s.verification()
	s.health()
	s.describeCodes()
	shareFailures(s.api.OpenAPI())
	describeCosts(s.api.OpenAPI())
	s.docs()
	return s
}

// The callers that an operation accepts. A token in a request must be valid, even if the operation needs none. Only
// probes ignore the token, because a prober may send a token of its own.
var (
	probes     []map[string][]string
	anybody    = []map[string][]string{{}, {securityScheme: {}}}
	signedIn   = []map[string][]string{{securityScheme: {}}}
	moderators = []map[string][]string{{securityScheme: {moderatorRole}}} // and administrators
	admins     = []map[string][]string{{securityScheme: {adminRole}}}
)

// The custom claims of administrators and moderators.
const (
	adminRole     = "admin"
	moderatorRole = "moderator"
)

// register adds an operation. Its description lists the failures that op names, and the common failures of this kind of
// operation.
func register[I, O any](s *server, who []map[string][]string, op huma.Operation, handler func(context.Context, *I) (*O,
	error)) {
	op.Security = who
	if who != nil {
		op.Middlewares = huma.Middlewares{s.authenticate}
		op.Errors = append(op.Errors, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusServiceUnavailable)
	}
	if who == nil && op.Path != "/health" {
		op.Middlewares = huma.Middlewares{s.probe}
	}
	if op.Path != "/health" {
		op.Errors = append(op.Errors, http.StatusTooManyRequests)
	}
	var body bodyLimits // from the schema, which exists after huma has built it
	if hasBody[I]() {
		op.Middlewares = append(op.Middlewares, s.readBody(&body))
		op.MaxBodyBytes, op.BodyReadTimeout = -1, -1 // readBody enforces both limits
		op.Errors = append(op.Errors, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType)
	}
	slices.Sort(op.Errors)
	op.Errors = slices.Compact(op.Errors)
	path := op.Path
	op.Path = strings.ReplaceAll(path, ":", `\:`) // a colon would start a parameter of Gin
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			p := problemOf(err)
			note(ctx, p, err)
			return nil, p
		}
		return out, nil
	})
	paths := s.api.OpenAPI().Paths
	if op.Path != path {
		paths[path] = paths[op.Path]
		delete(paths, op.Path)
	}
	if hasBody[I]() {
		sent := operationsOf(paths[path])[op.Method].RequestBody
		body = limitsOfBody(s.api.OpenAPI().Components.Schemas, sent.Content["application/json"].Schema)
		sent.Description = fmt.Sprintf("At most %d bytes, with %d names and values", body.bytes, body.values)
	}
}

// nothing is the missing input or output of an operation.
type nothing = struct{}
