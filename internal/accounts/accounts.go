// Package accounts reads, changes and deletes the Firebase Auth accounts with which users sign in. It handles roles,
// and the part of an account status that Firebase Auth enforces. It is separate from package idtoken, because functions
// delete accounts and must not depend on the API.
package accounts

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/auth"
	"google.golang.org/api/iterator"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Accounts are the accounts of a project. Its methods may be called concurrently. Errors come from package errs: an
// unknown account is errs.NotFound, and any failure of Firebase Auth errs.Unavailable.
type Accounts struct {
	project string
	client  func() (*auth.Client, error)
}

// New returns the accounts of a project. It connects at the first call, because most
// processes never need an account. With FIREBASE_AUTH_EMULATOR_HOST in the environment
// these are the accounts of the emulator.
func New(project string) *Accounts {
	return &Accounts{project, sync.OnceValues(func() (*auth.Client, error) {
		app, err := firebase.NewApp(context.Background(), &firebase.Config{ProjectID: project})
		if err != nil {
			return nil, err
		}
		return app.Auth(context.Background())
	})}
}

// Account reads an account.
func (a *Accounts) Account(ctx context.Context, uid model.UserID) (_ model.Account, err error) {
	client, err := a.client()
	if err != nil {
		return model.Account{}, failure(err, "accounts.Account", "")
	}
	u, err := client.GetUser(ctx, string(uid))
	if err != nil {
		return model.Account{}, failure(err, "accounts.Account", string(uid))
	}
	return accountOf(u), nil
}

// Find reads the account with a uid or, if the text has an @, with an email address.
func (a *Accounts) Find(ctx context.Context, text string) (_ model.Account, err error) {
	if !strings.Contains(text, "@") {
		uid, err := model.ParseUserID(text)
		if err != nil {
			return model.Account{}, err
		}
		return a.Account(ctx, uid)
	}
	client, err := a.client()
	if err != nil {
		return model.Account{}, failure(err, "accounts.Find", "")
	}
	u, err := client.GetUserByEmail(ctx, text)
	if err != nil {
		return model.Account{}, failure(err, "accounts.Find", text)
	}
	return accountOf(u), nil
}

// Staff lists the accounts that have a role. It reads every account of the project, a thousand in each request.
func (a *Accounts) Staff(ctx context.Context) (staff []model.Account, err error) {
	client, err := a.client()
	if err != nil {
		return nil, failure(err, "accounts.Staff", "")
	}
	for all := client.Users(ctx, ""); ; {
		u, err := all.Next()
		if errors.Is(err, iterator.Done) {
			return staff, nil
		}
		if err != nil {
			return nil, failure(err, "accounts.Staff", "")
		}
		if account := accountOf(u.UserRecord); account.Admin || account.Moderator {
			staff = append(staff, account)
		}
	}
}

// Page reads at most most accounts, up to 1,000, from a page token on. An empty token is that of the first page. next
// is the token of the next page, or empty at the end.
func (a *Accounts) Page(ctx context.Context, token string, most int) (page []model.Account, next string, err error) {
	client, err := a.client()
	if err != nil {
		return nil, "", failure(err, "accounts.Page", "")
	}
	var users []*auth.ExportedUserRecord
	next, err = iterator.NewPager(client.Users(ctx, token), most, token).NextPage(&users)
	if err != nil {
		return nil, "", failure(err, "accounts.Page", "")
	}
	for _, u := range users {
		page = append(page, accountOf(u.UserRecord))
	}
	return page, next, nil
}

func accountOf(u *auth.UserRecord) model.Account {
	has := func(claim string) bool {
		is, _ := u.CustomClaims[claim].(bool)
		return is
	}
	account := model.Account{
		UID: model.UserID(u.UID), Email: model.NormalizeEmail(u.Email), EmailVerified: u.EmailVerified,
		Admin:     has(adminClaim),
		Moderator: has(moderatorClaim), Frozen: has(frozenClaim), Disabled: u.Disabled,
	}
	if times := u.UserMetadata; times != nil {
		account.CreatedAt = time.UnixMilli(times.CreationTimestamp)
		account.SeenAt = time.UnixMilli(max(times.CreationTimestamp, times.LastLogInTimestamp, times.LastRefreshTimestamp))
	}
	account.ValidSince = time.UnixMilli(u.TokensValidAfterMillis)
	return account
}

// failure converts an error of the SDK into one of package errs.
func failure(err error, op, who string) error {
	switch {
	case err == nil:
		return nil
	case auth.IsUserNotFound(err), auth.IsEmailNotFound(err):
		return &errs.Error{Kind: errs.NotFound, Op: op, Code: "account_not_found", Msg: "there is no account " + who,
			Err: err}
	}
	return &errs.Error{Kind: errs.Unavailable, Op: op, Err: err}
}
