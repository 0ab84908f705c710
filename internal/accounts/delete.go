package accounts

import (
	"context"

	"firebase.google.com/go/v4/auth"

	"github.com/hibana-sns/hibana/model"
)

// Delete deletes the account of a user. Deleting a missing account is not an error. Every session of the user ends:
// Firebase Auth issues no new ID token, and the last one stays valid for an hour at most.
func (a *Accounts) Delete(ctx context.Context, uid model.UserID) (err error) {
	client, err := a.client()
	if err != nil {
		return failure(err, "accounts.Delete", "")
	}
	if err = client.DeleteUser(ctx, string(uid)); auth.IsUserNotFound(err) {
		return nil
	}
	return failure(err, "accounts.Delete", string(uid))
}

// Gone returns which of at most 100 users have no account.
func (a *Accounts) Gone(ctx context.Context, uids []model.UserID) (gone []model.UserID, err error) {
	if len(uids) == 0 {
		return nil, nil
	}
	client, err := a.client()
	if err != nil {
		return nil, failure(err, "accounts.Gone", "")
	}
	ids := make([]auth.UserIdentifier, len(uids))
	for i, uid := range uids {
		ids[i] = auth.UIDIdentifier{UID: string(uid)}
	}
	found, err := client.GetUsers(ctx, ids)
	if err != nil {
		return nil, failure(err, "accounts.Gone", "")
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
