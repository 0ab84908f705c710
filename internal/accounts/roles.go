package accounts

import (
	"context"
	"maps"

	"firebase.google.com/go/v4/auth"

	"github.com/hibana-sns/hibana/model"
)

// Names of custom claims in ID tokens.
const (
	adminClaim     = "admin"
	moderatorClaim = "moderator"
	frozenClaim    = "frozen"
)

// SetRole gives a role to an account, or removes it. Removing a role also ends the account's sessions: the API refuses
// their tokens for operations that need a role. A new role is in ID tokens that are issued from now on.
func (a *Accounts) SetRole(ctx context.Context, uid model.UserID, role model.StaffRole, has bool) error {
	claim := adminClaim
	if role == model.RoleModerator {
		claim = moderatorClaim
	}
	if err := a.change(ctx, uid, claim, has, nil); err != nil || has {
		return err
	}
	return a.EndSessions(ctx, uid)
}

// Mirror updates Firebase Auth to match an account status. A frozen user has the claim frozen. A suspended user cannot
// sign in and has no session. Mirroring again changes nothing, except that it ends the sessions of a suspended user
// again.
func (a *Accounts) Mirror(ctx context.Context, uid model.UserID, state model.AccountStatusState) error {
	suspended := state == model.AccountStatusSuspended
	if err := a.change(ctx, uid, frozenClaim, state == model.AccountStatusFrozen, &suspended); err != nil || !suspended {
		return err
	}
	return a.EndSessions(ctx, uid)
}

// change sets a claim of an account or removes it, and keeps all other claims.
func (a *Accounts) change(ctx context.Context, uid model.UserID, claim string, has bool, disabled *bool) error {
	client, err := a.client()
	if err != nil {
		return failure(err, "accounts.change", "")
	}
	u, err := client.GetUser(ctx, string(uid))
	if err != nil {
		return failure(err, "accounts.change", string(uid))
	}
	claims := maps.Clone(u.CustomClaims)
	if claims == nil {
		claims = map[string]any{}
	}
	if delete(claims, claim); has {
		claims[claim] = true
	}
	update := (&auth.UserToUpdate{}).CustomClaims(claims)
	if disabled != nil {
		update.Disabled(*disabled)
	}
	_, err = client.UpdateUser(ctx, string(uid), update)
	return failure(err, "accounts.change", string(uid))
}

// EndSessions ends every session of an account: Firebase Auth issues no new ID token for it. The last ones stay valid
// for an hour at most.
func (a *Accounts) EndSessions(ctx context.Context, uid model.UserID) error {
	client, err := a.client()
	if err != nil {
		return failure(err, "accounts.EndSessions", "")
	}
	return failure(client.RevokeRefreshTokens(ctx, string(uid)), "accounts.EndSessions", string(uid))
}
