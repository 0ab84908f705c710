package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// UserByUsername finds who has a username: 1 read. Nobody is errs.NotFound.
func (s *Store) UserByUsername(ctx context.Context, username string) (_ model.UserID, err error) {
	defer errs.Wrap(&err, "facts.UserByUsername(%q)", username)
	var name model.Username
	found, err := s.db.Get(ctx, s.db.Doc(model.Usernames, username), &name)
	if err != nil {
		return "", err
	}
	if !found {
		return "", errs.New(errs.NotFound, "username_not_found", "nobody has the username %q", username)
	}
	return name.UID, nil
}

func renamed() error {
	return errs.New(errs.Conflict, "concurrent_rename", "the username was changed by another request at the same time")
}

// rename adds to a batch what gives a profile another username, but for the profile
// itself. It answers false, and adds nothing, if the profile has that username.
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
	// The former name goes only if nobody else has taken it meanwhile.
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
