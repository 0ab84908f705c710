// Package roles reads and changes accounts of Firebase Auth: roles, and what of a
// standing Firebase Auth enforces by itself.
package roles

import (
	"context"
	"maps"
	"strings"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/auth"
	"google.golang.org/api/iterator"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Names of custom claims, as they stand in ID tokens.
const (
	adminClaim     = "admin"
	moderatorClaim = "moderator"
	frozenClaim    = "frozen"
)

// Accounts are the accounts of a project. Its methods may be called concurrently. Their
// errors are those of package errs: an unknown account is errs.NotFound, and any failure of
// Firebase Auth errs.Unavailable.
type Accounts struct{ client *auth.Client }

// New connects to the accounts of a project. With FIREBASE_AUTH_EMULATOR_HOST in the
// environment these are the accounts of the emulator.
func New(ctx context.Context, project string) (*Accounts, error) {
	app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: project})
	if err != nil {
		return nil, err
	}
	client, err := app.Auth(ctx)
	if err != nil {
		return nil, err
	}
	return &Accounts{client}, nil
}

// Account reads an account.
func (a *Accounts) Account(ctx context.Context, uid model.UserID) (_ model.Account, err error) {
	u, err := a.client.GetUser(ctx, string(uid))
	if err != nil {
		return model.Account{}, failure(err, "roles.Account", string(uid))
	}
	return accountOf(u), nil
}

// Find reads the account with a uid or, if the text has an @, with an e-mail address.
func (a *Accounts) Find(ctx context.Context, text string) (_ model.Account, err error) {
	if !strings.Contains(text, "@") {
		uid, err := model.ParseUserID(text)
		if err != nil {
			return model.Account{}, err
		}
		return a.Account(ctx, uid)
	}
	u, err := a.client.GetUserByEmail(ctx, text)
	if err != nil {
		return model.Account{}, failure(err, "roles.Find", text)
	}
	return accountOf(u), nil
}

// SetRole gives a role to an account, or takes it back. A role that is taken back also ends
// the account's sessions: the API refuses such tokens where a role is needed. A role that
// is given is in ID tokens that are made from now on.
func (a *Accounts) SetRole(ctx context.Context, uid model.UserID, role model.StaffRole, has bool) error {
	claim := adminClaim
	if role == model.RoleModerator {
		claim = moderatorClaim
	}
	if err := a.change(ctx, uid, claim, has, nil); err != nil || has {
		return err
	}
	return failure(a.client.RevokeRefreshTokens(ctx, string(uid)), "roles.SetRole", string(uid))
}

// Mirror makes Firebase Auth agree with a standing: a frozen user has the claim frozen, and
// a suspended user cannot sign in and has no session. Mirroring again changes nothing, but
// ends the sessions of a suspended user again.
func (a *Accounts) Mirror(ctx context.Context, uid model.UserID, state model.StandingState) error {
	suspended := state == model.StandingSuspended
	if err := a.change(ctx, uid, frozenClaim, state == model.StandingFrozen, &suspended); err != nil || !suspended {
		return err
	}
	return failure(a.client.RevokeRefreshTokens(ctx, string(uid)), "roles.Mirror", string(uid))
}

// change sets a claim of an account or removes it, and leaves all other claims.
func (a *Accounts) change(ctx context.Context, uid model.UserID, claim string, has bool, disabled *bool) error {
	u, err := a.client.GetUser(ctx, string(uid))
	if err != nil {
		return failure(err, "roles.change", string(uid))
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
	_, err = a.client.UpdateUser(ctx, string(uid), update)
	return failure(err, "roles.change", string(uid))
}

// Staff lists the accounts that have a role. It looks at every account of the project, a
// thousand in each request.
func (a *Accounts) Staff(ctx context.Context) (staff []model.Account, err error) {
	for all := a.client.Users(ctx, ""); ; {
		u, err := all.Next()
		if err == iterator.Done {
			return staff, nil
		}
		if err != nil {
			return nil, failure(err, "roles.Staff", "")
		}
		if account := accountOf(u.UserRecord); account.Admin || account.Moderator {
			staff = append(staff, account)
		}
	}
}

func accountOf(u *auth.UserRecord) model.Account {
	has := func(claim string) bool {
		is, _ := u.CustomClaims[claim].(bool)
		return is
	}
	return model.Account{
		UID: model.UserID(u.UID), Email: u.Email, Admin: has(adminClaim), Moderator: has(moderatorClaim), Frozen: has(frozenClaim), Disabled: u.Disabled,
	}
}

// failure turns an error of the SDK into one of package errs.
func failure(err error, op, who string) error {
	switch {
	case err == nil:
		return nil
	case auth.IsUserNotFound(err), auth.IsEmailNotFound(err):
		return &errs.Error{Kind: errs.NotFound, Op: op, Code: "account_not_found", Msg: "there is no account " + who, Err: err}
	}
	return &errs.Error{Kind: errs.Unavailable, Op: op, Err: err}
}
