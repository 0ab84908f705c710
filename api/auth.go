package api

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
	"github.com/hibana-sns/hibana/store/moderation"
)

// Caller is the person who sends a request.
type Caller = model.Caller

// Verifier checks ID tokens. A bad token is errs.Unauthenticated with the code
// expired_token or invalid_token. Any other error means that the check itself failed.
// A Verifier may be called concurrently.
type Verifier interface {
	// Verify takes a token at its word: the token of a session that was ended is good until
	// the token expires, an hour at most.
	Verify(ctx context.Context, token string) (Caller, error)

	// VerifyNow also asks whether the session was ended (errs.Unauthenticated,
	// revoked_token), or the account suspended (errs.Forbidden, account_suspended).
	VerifyNow(ctx context.Context, token string) (Caller, error)
}

// Accounts reads and changes accounts of Firebase Auth. Its methods may be called
// concurrently. An unknown account is errs.NotFound.
type Accounts = moderation.Accounts

type callerKey struct{}

// callerOf returns the caller of the request.
func callerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// viewer is the caller as one for whom the API reads. Whether a member has a profile makes
// no difference to what the member sees.
func viewer(ctx context.Context) model.Viewer {
	c := callerOf(ctx)
	return model.Viewer{ID: c.UID, Role: c.Role()}
}

// authenticate lets a request pass if the caller may call the operation. huma runs this
// middleware before it reads the body.
func (s *server) authenticate(c huma.Context, next func(huma.Context)) {
	var caller Caller
	var token string
	err := s.checkApp(c)
	if err == nil {
		caller, token, err = s.caller(c)
	}
	if refused := s.admit(c, caller); refused != nil {
		err = refused // also if the token is bad: whoever tries tokens is held by the address
	}
	if err == nil && caller.UID != "" {
		administrator := caller.Admin
		caller, err = s.confirm(c, caller, token)
		if administrator && !caller.Admin { // then the caller is held as everybody is
			if refused := s.admit(c, caller); refused != nil {
				err = refused
			}
		}
	}
	op := c.Operation()
	if about, ok := aboutRequest(c.Context()); ok {
		about.caller, about.public = caller, err == nil && caller.UID == "" && op.Method == http.MethodGet
	}
	switch {
	case err != nil:
	case caller.UID == "" && len(op.Security) == len(signedIn):
		err = errSignIn
	case needs(op, adminRole) && !caller.Admin:
		err = errs.New(errs.Forbidden, "not_admin", "this is for administrators only")
	case needs(op, moderatorRole) && !caller.Staff():
		err = errs.New(errs.Forbidden, "not_moderator", "this is for moderators and administrators only")
	case caller.Anonymous && op.Method != http.MethodGet && !marked(op, forGuests):
		err = model.MayWrite(model.Anonymous)
	}
	if err == nil {
		err = checkURL(humagin.Unwrap(c).Request.URL)
	}
	if err == nil && caller.Frozen && op.Method != http.MethodGet && !marked(op, forFrozen) {
		err = model.MayWrite(model.Frozen)
	}
	if err != nil {
		refuse(c.Context(), humagin.Unwrap(c).Writer, err)
		return
	}
	next(huma.WithValue(c, callerKey{}, caller))
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
	// forGuests marks an operation that guests may call although it writes. A guest is signed in without an account.
	forGuests = "guests"
	// forFrozen marks an operation that a frozen user may call although it writes.
	forFrozen = "frozen"
	// verifiedNow marks an operation for which VerifyNow checks the token of every caller.
	verifiedNow = "now"
)

// marked reports whether an operation has a mark.
func marked(op *huma.Operation, mark string) bool { return op.Metadata[mark] == true }

// needs tells whether an operation is for callers with a role only.
func needs(op *huma.Operation, role string) bool {
	return slices.Contains(op.Security[0][securityScheme], role)
}

// actorOf is a caller as the audit log names the caller.
func actorOf(c Caller, reason string) moderation.Actor {
	role := model.RoleModerator
	if c.Admin {
		role = model.RoleAdministrator
	}
	return moderation.Actor{UID: c.UID, Role: role, Reason: reason}
}

var errSignIn = model.MayWrite(model.SignedOut)

// caller reads the Authorization header, and takes its token at its word. Without the header
// the caller is signed out.
func (s *server) caller(c huma.Context) (_ Caller, token string, _ error) {
	header := c.Header("Authorization")
	if header == "" {
		return Caller{}, "", nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Caller{}, "", errs.New(errs.Unauthenticated, "invalid_token",
			"Authorization must be Bearer and a Firebase ID token")
	}
	caller, err := s.Verifier.Verify(c.Context(), token)
	return caller, token, err
}

// confirm gives a caller what was decided since the token was made. It asks Firebase Auth
// about moderators, administrators, and whoever leaves or takes everything along: a role that
// was taken back and a session that was ended are over at once, and not with the token. So it
// comes after the limits. A session that was ended stays so: confirm asks about its token once.
func (s *server) confirm(c huma.Context, caller Caller, token string) (_ Caller, err error) {
	if op := c.Operation(); caller.Staff() || marked(op, verifiedNow) {
		key := sha256.Sum256([]byte(token))
		if err, ended := s.revoked.Get(key); ended {
			return Caller{}, err
		}
		if caller, err = s.Verifier.VerifyNow(c.Context(), token); err != nil {
			if errs.CodeOf(err) == "revoked_token" {
				s.revoked.Add(key, err)
			}
			return Caller{}, err
		}
	}
	return s.accountStatus(c.Context(), caller)
}

// userID reads a user id from a path, where "me" is the caller.
func userID(ctx context.Context, s string) (model.UserID, error) {
	if s != "me" {
		return model.ParseUserID(s)
	}
	if c := callerOf(ctx); c.UID != "" {
		return c.UID, nil
	}
	return "", errSignIn
}
