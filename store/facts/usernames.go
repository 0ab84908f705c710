package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// UserByUsername finds the user who has a username. A free username is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) UserByUsername(ctx context.Context, username string) (_ model.UserID, err error) {
	defer errs.Wrap(&err, "facts.UserByUsername")
	var name model.Username
	found, err := s.db.Get(ctx, s.db.Doc(model.Usernames, username), &name)
	if err != nil {
		return "", err
	}
	if !found || name.UID == "" { // the name of a user who left
		return "", errs.New(errs.NotFound, "username_not_found", "nobody has the username %q", username)
	}
	return name.UID, nil
}

// releaseUsername frees a name that was held back for long enough, and tells whether it did.
// The database may delete such a reservation a day late.
//
// Cost: 1 read; 1 delete if the name was held back for long enough.
func (s *Store) releaseUsername(ctx context.Context, username string) (bool, error) {
	var name model.Username
	snap, err := s.db.Doc(model.Usernames, username).Get(ctx)
	found, err := db.Decode(snap, err)(&name)
	if err != nil || !found {
		return found, err
	}
	if name.UID != "" || s.db.Now().Before(name.HeldUntil) {
		return false, nil
	}
	_, err = snap.Ref.Delete(ctx, firestore.LastUpdateTime(snap.UpdateTime))
	if db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// renamed returns the error of a rename that another rename came before.
func renamed() error {
	return errs.New(errs.Conflict, "concurrent_rename", "the username was changed by another request at the same time")
}

// rename reserves a new username for a profile and frees the former username, in a batch
// that also writes the profile. It answers false, and adds nothing, if the profile has the
// username already.
//
// Cost: 2 reads, 1 write and 1 delete; 1 read if the profile has the username already.
func (s *Store) rename(ctx context.Context, b *db.Batch, uid model.UserID, username string) (bool, error) {
	var u model.User
	found, err := s.db.Get(ctx, s.db.User(uid), &u)
	if err != nil {
		return false, err
	}
	if !found {
		return false, noUser(uid)
	}
	if u.Username == username {
		return false, nil
	}
	// Another rename of this user may have freed the former username, and another user may
	// have taken it since. So the former username goes only if it is still this user's.
	var former model.Username
	snap, err := s.db.Doc(model.Usernames, u.Username).Get(ctx)
	if found, err = db.Decode(snap, err)(&former); err != nil {
		return false, err
	}
	if !found || former.UID != uid {
		return false, renamed()
	}
	b.Create(s.db.Doc(model.Usernames, username), model.Username{UID: uid})
	b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
	return true, nil
}
