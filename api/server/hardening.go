package server

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-contrib/cors"
	"github.com/gin-gonic/gin"
)

const (
	// sealed is the content security policy of every answer except the pages of /docs. A browser that shows the answer as
	// a page runs and loads nothing, and no page may frame it.
	sealed = "default-src 'none'; frame-ancestors 'none'"

	// docsPolicy lets the page of /docs load its own files. The page has a script and
	// styles within it.
	docsPolicy = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src " +
		"'self' data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// secure sets the headers that every answer has.
func (s *Server) secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if h.Get("Content-Security-Policy") == "" {
		h.Set("Content-Security-Policy", sealed)
	}
	if s.options.HTTPSOnly {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
}

// exposed are the headers that a script of another origin may read.
var exposed = []string{"ETag", "Hibana-More", "Hibana-Read-Until", "Location", "RateLimit", "RateLimit-Policy",
	"Retry-After", "Server-Timing"}

// crossOrigin answers preflights, and lets scripts of the origins in Options read answers. The API uses no cookies, so
// credentials are not allowed. A request from another origin gets the usual answer, and its browser hides the answer
// from the script.
func (s *Server) crossOrigin() gin.HandlerFunc {
	ours, open := s.ours(), foreignOrigins()
	return func(c *gin.Context) {
		about, ok := aboutRequest(c.Request.Context())
		switch {
		case ok && about.within():
		case isForeign(c.Request.URL.Path):
			open(c)
		default:
			ours(c)
		}
	}
}

// foreignPaths begin the paths of the routes of other protocols, see [Foreign].
var foreignPaths = []string{"/api/v1/", "/api/v2/", "/oauth/", "/.well-known/oauth-authorization-server"}

// consentPage is the page of the web client on which a user lets an app in.
const consentPage = "/oauth/authorize"

// foreignFailure answers a request of another protocol that has no route.
func foreignFailure(c *gin.Context, status int, code, text string) {
	note(c.Request.Context(), newProblem(status, code, text), nil)
	c.JSON(status, gin.H{"error": text, "code": code})
}

func isForeign(path string) bool {
	return slices.ContainsFunc(foreignPaths, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// withoutSlash is the request without the slash at the end of the path of another protocol. Mastodon has none there and
// takes one: Mastodon.py asks for /api/v1/instance/ first, and toot opens /oauth/authorize/.
func withoutSlash(r *http.Request) *http.Request {
	at, ok := strings.CutSuffix(r.URL.Path, "/")
	raw, escaped := strings.CutSuffix(r.URL.RawPath, "/")
	if !ok || !isForeign(at) || r.URL.RawPath != "" && !escaped { // an escaped slash is a part of a parameter
		return r
	}
	changed, address := *r, *r.URL
	address.Path, address.RawPath = at, raw
	changed.URL = &address
	return &changed
}

// foreignOrigins lets scripts of every origin read what the routes of other protocols answer.
func foreignOrigins() gin.HandlerFunc {
	handler := cors.New(cors.Config{
		AllowAllOrigins: true,
		AllowMethods:    []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowHeaders:    []string{"Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", appCheckHeader},
		ExposeHeaders: []string{"Link", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
			"Server-Timing"},
		MaxAge: 24 * time.Hour,
	})
	return func(c *gin.Context) {
		if c.GetHeader("Origin") == "" {
			c.Header("Access-Control-Allow-Origin", "*") // answers may be kept for pages of every origin
			return
		}
		handler(c)
	}
}

// ours is crossOrigin for the operations of the API.
func (s *Server) ours() gin.HandlerFunc {
	if len(s.options.CORSOrigins) == 0 {
		return func(*gin.Context) {}
	}
	o := cors.Config{
		AllowMethods: []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowHeaders: []string{"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match",
			"X-Firebase-AppCheck"},
		ExposeHeaders: exposed, MaxAge: 24 * time.Hour, // browsers keep it for 2 hours or a day
	}
	if slices.Contains(s.options.CORSOrigins, "*") {
		o.AllowAllOrigins = true
	} else {
		o.AllowOriginFunc = s.mayRead
	}
	handler := cors.New(o)
	return func(c *gin.Context) {
		if !o.AllowAllOrigins && !s.mayRead(c.GetHeader("Origin")) {
			c.Writer.Header().Add("Vary", "Origin")
			return
		}
		h := c.Writer.Header()
		vary := h.Values("Vary")
		handler(c) // it sets its own Vary header and drops others
		h["Vary"] = slices.Concat(vary, h.Values("Vary"))
	}
}

// mayRead reports whether scripts of an origin may read answers. An origin of Options may end in ":*" for any port.
func (s *Server) mayRead(origin string) bool {
	return slices.ContainsFunc(s.options.CORSOrigins, func(allowed string) bool {
		host, anyPort := strings.CutSuffix(allowed, "*")
		return origin == allowed || anyPort && strings.HasPrefix(origin, host)
	})
}

// methods answers a request whose path does not accept its method. OPTIONS lists the methods that the path accepts. A
// path that accepts GET accepts HEAD.
func methods(c *gin.Context) {
	method := c.Request.Method
	if about, ok := aboutRequest(c.Request.Context()); ok {
		method = about.method
	}
	if allow := c.Writer.Header().Get("Allow"); strings.Contains(allow, http.MethodGet) {
		c.Header("Allow", allow+", "+http.MethodHead)
	}
	if c.Request.Method == http.MethodOptions {
		c.Header("Allow", c.Writer.Header().Get("Allow")+", OPTIONS")
		c.Status(http.StatusNoContent)
		return
	}
	if isForeign(c.Request.URL.Path) {
		foreignFailure(c, http.StatusMethodNotAllowed, "method_not_allowed", "This path does not take "+method)
		return
	}
	fail(c, newProblem(http.StatusMethodNotAllowed, "method_not_allowed", "This path does not take "+method+
		"; see the Allow header."))
}
