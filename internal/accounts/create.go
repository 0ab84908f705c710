package accounts

import (
	"context"
	"crypto/rand"

	"firebase.google.com/go/v4/auth"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Create makes an account. If an account has the uid and the address already, Create changes nothing, and the password
// stays. Another account with one of the two is errs.Exists (account_exists). An account without an address has no way
// to sign in. One with an address and no password has a random password, which its user resets by e-mail.
func (a *Accounts) Create(ctx context.Context, n model.NewAccount) error {
	client, err := a.client()
	if err != nil {
		return failure(err, "accounts.Create", "")
	}
	to := (&auth.UserToCreate{}).UID(string(n.UID))
	if n.Email != "" {
		if n.Password == "" {
			n.Password = rand.Text()
		}
		to.Email(n.Email).EmailVerified(n.EmailVerified).Password(n.Password)
	}
	_, err = client.CreateUser(ctx, to)
	if !auth.IsUIDAlreadyExists(err) && !auth.IsEmailAlreadyExists(err) {
		return failure(err, "accounts.Create", "")
	}
	is, err := a.Account(ctx, n.UID)
	if errs.KindOf(err) != errs.NotFound && (err != nil || is.Email == n.Email) {
		return err
	}
	return errs.New(errs.Exists, "account_exists", "another account has this uid or this e-mail address")
}
