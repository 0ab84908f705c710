package users

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// UserByUsername returns the user with a username. A free username is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) UserByUsername(ctx context.Context, username string) (_ model.UserID, err error) {
	defer errs.Wrap(&err, "users.UserByUsername")
	var name model.Username
	found, err := s.db.Get(ctx, s.db.Doc(model.Usernames, username), &name)
	if err != nil {
		return "", err
	}
	if !found || name.UID == "" { // the username of a deleted account
		return "", errs.New(errs.NotFound, "username_not_found", "nobody has the username %q", username)
	}
	return name.UID, nil
}

// releaseUsername frees a username whose hold is over, and reports whether it did. The database may delete this
// reservation a day late.
//
// Cost: 1 read; 1 delete if the hold is over.
func (s *Store) releaseUsername(ctx context.Context, username string) (bool, error) {
	name, err := db.As[model.Username](s.db.Doc(model.Usernames, username).Get(ctx))
	if err != nil || !name.Found || name.Doc.UID != "" || s.db.Now().Before(name.Doc.HeldUntil) {
		return false, err
	}
	_, err = name.Snap.Ref.Delete(ctx, firestore.LastUpdateTime(name.Snap.UpdateTime))
	if db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}
