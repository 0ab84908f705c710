package api

import (
	"context"
	"crypto/sha256"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// Caller is the user that the ID token of a request names. The zero Caller is signed
// out.
type Caller struct {
	UID           model.UserID
	Email         string    // may be empty
	EmailVerified bool      // the user has proved to own Email
	Admin         bool      // the token has the admin claim; an administrator may do all that a moderator may
	Moderator     bool      // the token has the moderator claim
	Frozen        bool      // the user may read and delete the account, but not write
	Anonymous     bool      // the user has no account, and may only read and keep a cart
	SignedInAt    time.Time // when the user last entered a password or signed in by a provider
	IssuedAt      time.Time // when the token was made
}

// Verifier checks ID tokens. A bad token is errs.Unauthenticated with the code
// expired_token or invalid_token. Any other error means that the check itself failed.
// A Verifier may be called concurrently.
type Verifier interface {
	// Verify checks the token alone. The token of an ended session stays valid until it expires, for an hour at most.
	Verify(ctx context.Context, token string) (Caller, error)

	// VerifyNow also asks Firebase Auth whether the session was ended (errs.Unauthenticated, revoked_token) or the account
	// suspended (errs.Forbidden, account_suspended).
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

// viewer returns the caller as the viewer for whom the store reads. A member sees the same with and without a profile.
func viewer(ctx context.Context) model.Viewer {
	c := callerOf(ctx)
	return model.Viewer{ID: c.UID, Role: c.role()}
}

// role returns the role of the caller. A frozen account has no role.
func (c Caller) role() model.Role {
	switch {
	case c.UID == "":
		return model.SignedOut
	case c.Anonymous:
		return model.Anonymous
	case c.Frozen:
		return model.Frozen
	case c.Admin:
		return model.Administrator
	case c.Moderator:
		return model.Moderator
	}
	return model.Member
}

// authenticate passes a request on if the caller may call the operation. huma runs this middleware before it reads the
// body.
func (s *server) authenticate(c huma.Context, next func(huma.Context)) {
	var caller Caller
	var token string
	err := s.checkApp(c)
	if err == nil {
		caller, token, err = s.caller(c)
	}
	if refused := s.admit(c, caller); refused != nil {
		err = refused // a bad token counts too: the address limits a caller who tries tokens
	}
	if err == nil && caller.UID != "" {
		administrator := caller.Admin
		caller, err = s.confirm(c, caller, token)
		if administrator && !caller.Admin { // then the ordinary limits hold for the caller
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
	case needs(op, moderatorRole) && !caller.staff():
		err = errs.New(errs.Forbidden, "not_moderator", "this is for moderators and administrators only")
	case caller.Anonymous && op.Method != http.MethodGet && !forGuests[op.OperationID]:
		err = model.MayWrite(model.Anonymous)
	}
	if err == nil {
		err = checkURL(humagin.Unwrap(c).Request.URL)
	}
	if err == nil && caller.Frozen && op.Method != http.MethodGet && !mayLeave(op) {
		err = errFrozen
	}
	if err != nil {
		refuse(c.Context(), humagin.Unwrap(c).Writer, err)
		return
	}
	next(huma.WithValue(c, callerKey{}, caller))
}

// checkURL refuses a query with a bad escape. Go's parser would drop that pair silently.
func checkURL(u *url.URL) error {
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if _, err := url.QueryUnescape(pair); err != nil {
			return errs.New(errs.Invalid, "invalid_request", "query: %q has a %% that begins no escape; send %%25 for the "+
				"character", model.Snippet(pair, 50))
		}
	}
	return nil
}

// forGuests lists the operations that change data and are open to guests. A guest is signed in without an account.
var forGuests = map[string]bool{"putCartItem": true, "removeCartItem": true, "seeCart": true}

// needs reports whether an operation requires a role.
func needs(op *huma.Operation, role string) bool {
	return slices.Contains(op.Security[0][securityScheme], role)
}

// staff reports whether the caller has the powers of a moderator.
func (c Caller) staff() bool { return c.Admin || c.Moderator }

// actor returns the caller as the audit log records the caller.
func (c Caller) actor(reason string) moderation.Actor {
	role := model.RoleModerator
	if c.Admin {
		role = model.RoleAdministrator
	}
	return moderation.Actor{UID: c.UID, Role: role, Reason: reason}
}

var errSignIn = model.MayWrite(model.SignedOut)

// caller reads the Authorization header and checks its token without a call to Firebase Auth. Without the header the
// caller is signed out.
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

// confirm applies decisions that are newer than the caller's token. It asks Firebase Auth about moderators and
// administrators, and about callers who delete or export their account. For them a revoked role or an ended session
// counts at once, not only when the token expires. The question comes after the limits, because it costs a call. A
// session that has ended stays ended, so confirm asks about its token only once.
func (s *server) confirm(c huma.Context, caller Caller, token string) (_ Caller, err error) {
	if op := c.Operation(); caller.staff() || mayLeave(op) || op.OperationID == getExport {
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

// userID reads a user id from a path, in which "me" is the caller.
func userID(ctx context.Context, s string) (model.UserID, error) {
	if s != "me" {
		return model.ParseUserID(s)
	}
	if c := callerOf(ctx); c.UID != "" {
		return c.UID, nil
	}
	return "", errSignIn
}
