// Package idtoken checks Firebase ID tokens with the Admin SDK. It is separate from package api, because the root
// package of the SDK imports a Firestore client.
package idtoken

import (
	"context"
	"errors"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/auth"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Verifier is the Verifier of production.
type Verifier struct{ client *auth.Client }

// New returns a verifier for the users of a project. The verifier caches the public keys of Google for as long as
// Google allows. With FIREBASE_AUTH_EMULATOR_HOST in the environment it accepts unsigned tokens, and asks the emulator
// about the user of each token. The caller must rule this out in production.
func New(ctx context.Context, project string) (*Verifier, error) {
	app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: project})
	if err != nil {
		return nil, err
	}
	client, err := app.Auth(ctx)
	if err != nil {
		return nil, err
	}
	return &Verifier{client}, nil
}

// Verify implements Verifier. It checks tokens of the emulator as VerifyNow does.
func (v *Verifier) Verify(ctx context.Context, token string) (model.Caller, error) {
	return caller(v.client.VerifyIDToken(ctx, token))
}

// VerifyNow implements Verifier.
func (v *Verifier) VerifyNow(ctx context.Context, token string) (model.Caller, error) {
	return caller(v.client.VerifyIDTokenAndCheckRevoked(ctx, token))
}

// caller converts a token, or the error that refuses it.
func caller(t *auth.Token, err error) (model.Caller, error) {
	switch {
	case auth.IsUserDisabled(err):
		return model.Caller{}, &errs.Error{Kind: errs.Forbidden, Code: "account_suspended", Msg: "this account is suspended",
			Err: err}
	case auth.IsIDTokenRevoked(err):
		return model.Caller{}, &errs.Error{Kind: errs.Unauthenticated, Code: "revoked_token",
			Msg: "the session of this ID token was ended; sign in again", Err: err}
	case auth.IsIDTokenExpired(err):
		return model.Caller{}, &errs.Error{Kind: errs.Unauthenticated, Code: "expired_token",
			Msg: "the ID token has expired; get a new one", Err: err}
	case auth.IsIDTokenInvalid(err), auth.IsUserNotFound(err): // only the emulator returns the second
		return model.Caller{}, invalid(err)
	case err != nil:
		return model.Caller{}, &errs.Error{Kind: errs.Unavailable, Op: "idtoken.Verify", Err: err}
	}
	uid, err := model.ParseUserID(t.UID)
	if err == nil && uid.Remote() {
		err = errors.New("the user has an account on another server, and signs in there")
	}
	if err != nil {
		return model.Caller{}, invalid(err)
	}
	email, _ := t.Claims["email"].(string)
	verified, _ := t.Claims["email_verified"].(bool)
	admin, _ := t.Claims["admin"].(bool)
	moderator, _ := t.Claims["moderator"].(bool)
	frozen, _ := t.Claims["frozen"].(bool)
	return model.Caller{
		UID: uid, Email: model.NormalizeEmail(email), EmailVerified: verified, Admin: admin, Moderator: moderator,
		Frozen:     frozen,
		Anonymous:  t.Firebase.SignInProvider == "anonymous",
		SignedInAt: time.Unix(t.AuthTime, 0), IssuedAt: time.Unix(t.IssuedAt, 0), Provider: t.Firebase.SignInProvider,
	}, nil
}

func invalid(cause error) error {
	return &errs.Error{Kind: errs.Unauthenticated, Code: "invalid_token",
		Msg: "the ID token is not valid for this project", Err: cause}
}
