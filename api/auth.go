package api

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Caller is the user that the ID token of a request names. The zero Caller is signed
// out.
type Caller struct {
	UID           model.UserID
	Email         string    // may be empty
	EmailVerified bool      // the user has shown to own Email
	Admin         bool      // the token has the admin claim; an administrator may do all that a moderator may
	Moderator     bool      // the token has the moderator claim
	Frozen        bool      // the token has the frozen claim: the user may read and leave, and not write
	Anonymous     bool      // the user has no account and may only read
	SignedInAt    time.Time // when the user last showed a password or came from a provider
	IssuedAt      time.Time // when the token was made
}

// Verifier checks ID tokens. A bad token is errs.Unauthenticated with the code
// expired_token or invalid_token. Any other error means that the check itself failed.
// Verify may be called concurrently.
type Verifier interface {
	Verify(ctx context.Context, token string) (Caller, error)
}

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
	return model.Viewer{ID: c.UID, Role: c.role()}
}

// role returns the role of the caller. A frozen account has no other powers.
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

// authenticate lets a request pass if the caller may call the operation. huma runs this
// middleware before it reads the body.
func (s *server) authenticate(c huma.Context, next func(huma.Context)) {
	caller, err := s.caller(c)
	op := c.Operation()
	if about, ok := aboutRequest(c.Context()); ok {
		about.caller, about.public = caller, err == nil && caller.UID == "" && op.Method == http.MethodGet
	}
	if refused := s.admit(c, caller); refused != nil {
		err = refused // also if the token is bad: whoever tries tokens is held by the address
	}
	switch {
	case err != nil:
	case caller.UID == "" && len(op.Security) == len(signedIn):
		err = errSignIn
	case needsAdmin(op) && !caller.Admin:
		err = errs.New(errs.Forbidden, "not_admin", "this is for administrators only")
	case caller.Anonymous && op.Method != http.MethodGet:
		err = model.MayWrite(model.Anonymous)
	}
	if err != nil {
		refuse(c.Context(), humagin.Unwrap(c).Writer, err)
		return
	}
	next(huma.WithValue(c, callerKey{}, caller))
}

// needsAdmin tells whether an operation is for administrators only.
func needsAdmin(op *huma.Operation) bool {
	return slices.Contains(op.Security[0][securityScheme], adminRole)
}

var errSignIn = model.MayWrite(model.SignedOut)

// caller reads the Authorization header. Without the header the caller is signed out.
func (s *server) caller(c huma.Context) (Caller, error) {
	header := c.Header("Authorization")
	if header == "" {
		return Caller{}, nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Caller{}, errs.New(errs.Unauthenticated, "invalid_token", "Authorization must be Bearer and a Firebase ID token")
	}
	return s.Verifier.Verify(c.Context(), token)
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
