package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/hibana-sns/hibana/internal/activitypub"
)

type sentKey struct{}

// Sent is a request as its client sent it, before the frame changed its form. Proxies may have changed its host.
type Sent struct {
	Method string
	Target string // path and query
	Header http.Header
	Server bool   // it asks for a document of ActivityPub
	Body   []byte // of an operation that is marked Activities
}

// SentBy returns the request of an operation that is marked ForServers or Activities; the zero Sent for another one.
func SentBy(ctx context.Context) Sent {
	s, _ := ctx.Value(sentKey{}).(Sent)
	return s
}

// negotiate answers those who ask for no document of ActivityPub with the page of the web client, if the API serves it.
// A cache must not give one to those who ask for the other.
func (s *Server) negotiate(c huma.Context, next func(huma.Context)) {
	g := humagin.Unwrap(c)
	g.Writer.Header().Add("Vary", "Accept")
	sent := Sent{Method: g.Request.Method, Target: g.Request.RequestURI, Header: g.Request.Header,
		Server: activitypub.Accepts(strings.Join(g.Request.Header.Values("Accept"), ","))}
	if about, ok := aboutRequest(c.Context()); ok {
		sent.Method = about.method
	}
	if !sent.Server && marked(c.Operation(), ForServers) && s.options.Web.Files != nil {
		s.noRoute(g)
		return
	}
	next(huma.WithValue(c, sentKey{}, sent))
}

// maxActivity is the limit of the body of an activity in bytes.
const maxActivity = maxBody

// readActivity reads the body of a request with an activity, and keeps it as it is: a signature is of these bytes. The
// body is of a type of ActivityPub, without a coding.
func (s *Server) readActivity(c huma.Context, next func(huma.Context)) {
	r := humagin.Unwrap(c).Request
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	media = strings.ToLower(strings.TrimSpace(media))
	coding := r.Header.Get("Content-Encoding")
	if coding != "" && !strings.EqualFold(coding, "identity") ||
		media != activitypub.ContentType && media != "application/ld+json" {
		s.refuseBody(c, newProblem(http.StatusUnsupportedMediaType, "unsupported_media_type",
			"Send activities as "+activitypub.ContentType+" or application/ld+json, without a Content-Encoding."))
		return
	}
	s.receive(c, maxActivity, func(text []byte) {
		next(huma.WithValue(c, sentKey{}, Sent{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: text}))
	})
}
