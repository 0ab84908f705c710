// Package accounts deletes accounts of Firebase Auth, with which users sign in. It stands apart
// from package idtoken, because functions delete accounts and know nothing of the API.
package accounts

import (
	"context"
	"sync"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/auth"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Accounts are the accounts of a project. Its methods may be called concurrently.
type Accounts struct {
	client func() (*auth.Client, error)
}

// New returns the accounts of a project. It connects at the first call, because most
// processes never delete an account. With FIREBASE_AUTH_EMULATOR_HOST in the environment
// these are the accounts of the emulator.
func New(project string) *Accounts {
	return &Accounts{sync.OnceValues(func() (*auth.Client, error) {
		app, err := firebase.NewApp(context.Background(), &firebase.Config{ProjectID: project})
		if err != nil {
			return nil, err
		}
		return app.Auth(context.Background())
	})}
}

// Delete deletes the account of a user. An account that is gone is no error. Every session
// of the user ends: no new ID token is given out, and the last one is good for an hour at
// most.
func (a *Accounts) Delete(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "accounts.Delete(%q)", uid)
	client, err := a.client()
	if err != nil {
		return err
	}
	if err = client.DeleteUser(ctx, string(uid)); auth.IsUserNotFound(err) {
		return nil
	}
	return err
}

// Gone tells which of at most 100 users have no account.
func (a *Accounts) Gone(ctx context.Context, uids []model.UserID) (gone []model.UserID, err error) {
	defer errs.Wrap(&err, "accounts.Gone(%d)", len(uids))
	if len(uids) == 0 {
		return nil, nil
	}
	client, err := a.client()
	if err != nil {
		return nil, err
	}
	ids := make([]auth.UserIdentifier, len(uids))
	for i, uid := range uids {
		ids[i] = auth.UIDIdentifier{UID: string(uid)}
	}
	found, err := client.GetUsers(ctx, ids)
	if err != nil {
		return nil, err
	}
	there := map[model.UserID]bool{}
	for _, u := range found.Users {
		there[model.UserID(u.UID)] = true
	}
	for _, uid := range uids {
		if !there[uid] {
			gone = append(gone, uid)
		}
	}
	return gone, nil
}
