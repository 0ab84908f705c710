// Package apptokens tells who calls with the access token of an app. A token says who agreed to it and when; what the
// user may do is asked of Firebase Auth, so that no token outlives a role, a suspension or an ended session.
package apptokens

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/oauth"
)

// Accounts reads accounts of Firebase Auth. An unknown one is errs.NotFound.
type Accounts interface {
	Account(ctx context.Context, uid model.UserID) (model.Account, error)
}

// Verifier checks ID tokens by another Verifier, and access tokens of apps by itself.
type Verifier struct {
	of       server.Verifier
	tokens   *oauth.Store
	accounts Accounts
	now      func() time.Time
	cache    lru.Cache[model.UserID, account]
}

// account is an account as it was at a time.
type account struct {
	model.Account
	at time.Time
}

// CachedFor is how old an account may be that Verify knows. VerifyNow asks Firebase Auth each time, and the API calls
// it for all that needs a role.
const CachedFor = time.Minute

const cached = 10_000

// New returns a verifier. now is the clock.
func New(of server.Verifier, tokens *oauth.Store, accounts Accounts, now func() time.Time) *Verifier {
	return &Verifier{of, tokens, accounts, now, lru.New[model.UserID, account](cached)}
}

// Verify implements server.Verifier.
//
// Cost: that of [oauth.Store.Token].
func (v *Verifier) Verify(ctx context.Context, token string) (model.Caller, error) {
	if !model.LooksLikeAccessToken(token) {
		return v.of.Verify(ctx, token)
	}
	t, err := v.tokens.Token(ctx, token)
	if err != nil || t.UserID == "" {
		return own(t, err)
	}
	known, ok := v.cache.Get(t.UserID)
	if !ok || v.now().Sub(known.at) >= CachedFor {
		return v.ask(ctx, t)
	}
	return callerOf(t, known)
}

// VerifyNow implements server.Verifier, without a cache.
//
// Cost: that of [oauth.Store.TokenNow].
func (v *Verifier) VerifyNow(ctx context.Context, token string) (model.Caller, error) {
	if !model.LooksLikeAccessToken(token) {
		return v.of.VerifyNow(ctx, token)
	}
	t, err := v.tokens.TokenNow(ctx, token)
	if err != nil || t.UserID == "" {
		return own(t, err)
	}
	return v.ask(ctx, t)
}

// ask asks Firebase Auth who a token's user is now.
func (v *Verifier) ask(ctx context.Context, t *model.OAuthToken) (model.Caller, error) {
	at := v.now()
	is, err := v.accounts.Account(ctx, t.UserID)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		v.cache.Remove(t.UserID)
		return model.Caller{}, &errs.Error{Kind: errs.Unauthenticated, Code: "invalid_token",
			Msg: "the account of this access token is gone", Err: err}
	case err != nil:
		return model.Caller{}, err
	}
	known := account{is, at}
	v.cache.Add(t.UserID, known)
	return callerOf(t, known)
}

// own is the caller with a token of an app for itself, or with a bad token.
func own(t *model.OAuthToken, err error) (model.Caller, error) {
	if err != nil {
		return model.Caller{}, err
	}
	return model.Caller{App: t.ClientID, Scopes: t.Scopes, Token: t.Hash}, nil
}

// callerOf is the caller with a token, or the error that refuses it. Without a scope of staff the caller is a member,
// who sees what members see, within their limits. Firebase Auth has the end of sessions in whole
// seconds, so a consent of the same second counts.
func callerOf(t *model.OAuthToken, is account) (model.Caller, error) {
	switch {
	case is.Disabled:
		return model.Caller{}, errs.New(errs.Forbidden, "account_suspended", "this account is suspended")
	case t.AuthorizedAt.Before(is.ValidSince.Truncate(time.Second)):
		return model.Caller{}, errs.New(errs.Unauthenticated, "revoked_token",
			"the user ended all sessions since this app was let in, by a new password or otherwise; sign in again")
	}
	staff := model.AnyOfStaff(t.Scopes)
	return model.Caller{
		UID: t.UserID, App: t.ClientID, Scopes: t.Scopes, Token: t.Hash,
		Email: is.Email, EmailVerified: is.EmailVerified, Admin: is.Admin && staff, Moderator: is.Moderator && staff,
		Frozen: is.Frozen, SignedInAt: t.AuthorizedAt, IssuedAt: is.at, Provider: "app",
	}, nil
}
