package server

import (
	"context"
	"crypto/sha256"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Verifier checks ID tokens, and access tokens of apps. A bad token is errs.Unauthenticated with the code
// expired_token or invalid_token. Any other error means that the check itself failed.
// A Verifier may be called concurrently.
type Verifier interface {
	// Verify takes a token at its word: the token of a session that was ended is good until
	// the token expires, an hour at most.
	Verify(ctx context.Context, token string) (model.Caller, error)

	// VerifyNow also asks whether the session was ended (errs.Unauthenticated,
	// revoked_token), or the account suspended (errs.Forbidden, account_suspended).
	VerifyNow(ctx context.Context, token string) (model.Caller, error)
}

type callerKey struct{}

type addressKey struct{}

// Address returns the network address of the caller of the request, of IPv6 the /64.
func Address(ctx context.Context) string {
	a, _ := ctx.Value(addressKey{}).(string)
	return a
}

type originKey struct{}

// Origin returns the origin at which the caller reached the service, such as https://hibana.example.
func Origin(ctx context.Context) string {
	o, _ := ctx.Value(originKey{}).(string)
	return o
}

// originOf is the origin at which a request reached the service. Proxies say whether it came by HTTPS.
func (s *Server) originOf(r *http.Request) string {
	if s.options.HTTPSOnly || r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// Caller returns the caller of the request.
func Caller(ctx context.Context) model.Caller {
	c, _ := ctx.Value(callerKey{}).(model.Caller)
	return c
}

// authenticate lets a request pass if the caller may call the operation. huma runs this
// middleware before it reads the body.
func (s *Server) authenticate(c huma.Context, next func(huma.Context)) {
	caller, err := s.admitted(c)
	op := c.Operation()
	if about, ok := aboutRequest(c.Context()); ok {
		about.caller = caller
		about.public = err == nil && caller.UID == "" && caller.App == "" && op.Method == http.MethodGet
		about.shared = about.public && marked(op, AsOneVisitor)
	}
	switch {
	case err != nil:
	case caller.UID == "" && len(op.Security) == len(SignedIn):
		err = model.MayWrite(model.SignedOut)
	case caller.UID != "" && caller.App != "":
		err = s.allowsApp(c, caller)
	}
	switch {
	case err != nil:
	case needs(op, adminRole) && !caller.Admin:
		err = errs.New(errs.Forbidden, "not_admin", "this is for administrators only")
	case needs(op, moderatorRole) && !caller.Staff():
		err = errs.New(errs.Forbidden, "not_moderator", "this is for moderators and administrators only")
	case caller.Anonymous && op.Method != http.MethodGet && !marked(op, ForGuests):
		err = model.MayWrite(model.Anonymous)
	}
	if err == nil {
		err = checkURL(humagin.Unwrap(c).Request.URL)
	}
	if err == nil && caller.Frozen && op.Method != http.MethodGet && !marked(op, ForFrozen) {
		err = model.MayWrite(model.Frozen)
	}
	if err == nil && s.asksConsent(op, caller) {
		err = s.hooks.Writing(c.Context(), caller)
	}
	if about, ok := aboutRequest(c.Context()); err == nil && caller.Token != "" && s.hooks.Used != nil && ok &&
		!about.within() {
		err = s.hooks.Used(c.Context(), caller.Token)
	}
	if err != nil {
		s.refuse(c.Context(), humagin.Unwrap(c).Writer, err)
		return
	}
	c = huma.WithValue(c, callerKey{}, caller)
	if about, ok := aboutRequest(c.Context()); !ok || !about.within() { // else the context has those of the client
		c = huma.WithValue(c, addressKey{}, s.address(c))
		c = huma.WithValue(c, originKey{}, s.originOf(humagin.Unwrap(c).Request))
	}
	if op.Method == http.MethodGet && s.hooks.Reading != nil && !remembers(c.Context()) {
		c = huma.WithContext(c, s.hooks.Reading(c.Context()))
	}
	next(c)
}

// remembers reports whether the request runs within one that only reads, whose context has what it read.
func remembers(ctx context.Context) bool {
	about, ok := aboutRequest(ctx)
	return ok && about.within() && (about.root().method == http.MethodGet || about.root().method == http.MethodHead)
}

// admitted returns the caller of a request whom the limits admit.
func (s *Server) admitted(c huma.Context) (caller model.Caller, err error) {
	if about, ok := aboutRequest(c.Context()); ok && about.within() {
		return about.caller, s.admit(c, about.caller)
	}
	if marked(c.Operation(), OwnAuthorization) {
		return caller, s.admit(c, caller)
	}
	token, err := bearer(c)
	ofApp := model.LooksLikeAccessToken(token)
	admit := s.admit
	switch {
	case err != nil:
	case ofApp: // looking such a token up costs a read, so the address comes first
		if err := s.admitAddress(c); err != nil {
			return caller, err
		}
		admit = s.admitHolder
		caller, err = s.options.Verifier.Verify(c.Context(), token)
		if err == nil && caller.UID == "" { // whoever registered an app is no more than a visitor
			err = s.checkApp(c, false)
		}
	default:
		if err = s.checkApp(c, token != ""); err == nil && token != "" {
			caller, err = s.options.Verifier.Verify(c.Context(), token)
		}
	}
	if refused := admit(c, caller); refused != nil {
		err = refused // also if the token is bad: the address limits a caller who tries tokens
	}
	if err == nil && caller.UID != "" {
		administrator := caller.Admin
		caller, err = s.confirm(c, caller, token)
		if administrator && !caller.Admin { // then the caller is held as everybody is
			if refused := admit(c, caller); refused != nil {
				err = refused
			}
		}
	}
	return caller, err
}

// asksConsent reports whether an operation needs [Hooks.Writing]. A user who does not agree may read, take everything
// along and leave, as a frozen one may. Moderators act for the service.
func (s *Server) asksConsent(op *huma.Operation, caller model.Caller) bool {
	return s.hooks.Writing != nil && caller.UID != "" && !caller.Anonymous && op.Method != http.MethodGet &&
		!needs(op, adminRole) && !needs(op, moderatorRole) && !marked(op, ForFrozen) && !marked(op, WithoutConsent)
}

// checkURL refuses a query with a bad escape: Go's parser would drop that pair alone.
func checkURL(u *url.URL) error {
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if _, err := url.QueryUnescape(pair); err != nil {
			return errs.New(errs.Invalid, "invalid_request", "query: %q has a %% that begins no escape; send %%25 for the "+
				"character", model.Snippet(pair, 50))
		}
	}
	return nil
}

// Marks of operations, in their Metadata.
const (
	// ForGuests marks an operation that guests may call although it writes. A guest is signed in without an account.
	ForGuests = "guests"
	// ForFrozen marks an operation that a frozen user may call although it writes.
	ForFrozen = "frozen"
	// WithoutConsent marks an operation that writes, and that a user may call before consenting to the terms.
	WithoutConsent = "without consent"
	// VerifiedNow marks an operation for which VerifyNow checks the token of every caller.
	VerifiedNow = "now"
	// WithoutAppCheck marks an operation that needs no App Check token: browsers load files without one.
	WithoutAppCheck = "without App Check"
	// WithoutLimits marks an operation without limits of callers: its requests may come from a shared cache, whose one
	// address stands for everybody. The limit of a process holds.
	WithoutLimits = "without limits"
	// AsOneVisitor marks an operation whose callers are one signed-out visitor for the limits: its requests come from a
	// shared cache, whose address says nothing of the caller. So the reads that such operations cost in a process have
	// the limits visitor-reads. A public answer says nothing about its request.
	AsOneVisitor = "as one visitor"
	// ForServers marks an operation that answers with a document for servers of the fediverse: those who do not ask for
	// one get the page of the web client at the same address, if the API serves that, and else the operation's.
	ForServers = "for servers"
	// Activities marks an operation that takes an activity of another server, as it was sent, see [Sent].
	Activities = "activities"
	// OwnAuthorization marks a route that reads the header Authorization itself. Its caller is signed out.
	OwnAuthorization = "own authorization"
	// BesidePage marks an operation that answers with a page, and leads servers of the fediverse to a document.
	BesidePage = "beside a page"
)

// marked reports whether an operation has a mark.
func marked(op *huma.Operation, mark string) bool { return op.Metadata[mark] == true }

// needs reports whether an operation is for callers with a role only.
func needs(op *huma.Operation, role string) bool {
	return slices.Contains(op.Security[0][securityScheme], role)
}

// bearer reads the token of the Authorization header; without the header it is empty. A token elsewhere, such as in the
// query, is none: addresses are in logs and histories. Two of these headers are an error, because a proxy may have
// looked at the other one.
func bearer(c huma.Context) (token string, _ error) {
	header := c.Header("Authorization")
	if len(humagin.Unwrap(c).Request.Header.Values("Authorization")) > 1 {
		return "", errs.New(errs.Unauthenticated, "invalid_token", "a request has one header Authorization")
	}
	if header == "" {
		return "", nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", errs.New(errs.Unauthenticated, "invalid_token",
			"Authorization must be Bearer and a Firebase ID token, or an access token of an app")
	}
	return token, nil
}

// confirm gives a caller what was decided since the token was made. It asks Firebase Auth
// about moderators, administrators, and whoever leaves or takes everything along: a role that
// was taken back and a session that was ended are over at once, and not with the token. So it
// comes after the limits. A session that was ended stays so: confirm asks about its token once.
func (s *Server) confirm(c huma.Context, caller model.Caller, token string) (_ model.Caller, err error) {
	if op := c.Operation(); caller.Staff() || marked(op, VerifiedNow) {
		key := sha256.Sum256([]byte(token))
		if err, ended := s.revoked.Get(key); ended {
			return model.Caller{}, err
		}
		if caller, err = s.options.Verifier.VerifyNow(c.Context(), token); err != nil {
			if errs.CodeOf(err) == "revoked_token" {
				s.revoked.Add(key, err)
			}
			return model.Caller{}, err
		}
	}
	return s.hooks.Status(c.Context(), caller)
}
