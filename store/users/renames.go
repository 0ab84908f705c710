package users

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// renamer is a profile with its record of earlier renames.
type renamer struct {
	model.User
	Renames   model.Renames `firestore:"renames"`
	RenamedAt time.Time     `firestore:"renamedAt"`
}

// renamed returns the error of a rename that lost against another rename.
func renamed() error {
	return errs.New(errs.Conflict, "concurrent_rename", "the username was changed by another request at the same time")
}

// rename returns the changes of username, nickname and pictures that differ from the profile. It also returns the
// condition that nobody wrote the profile since the read. It adds the reservation of a new username to the batch, and
// frees the former username. It also requests the propagation of the new names. again is true for a second attempt,
// because the answer to the first commit may be lost. Then made reports whether the first commit made the change.
//
// Cost: 1 read and 1 write; 1 read, 1 write and 1 delete more for another username, and 1 write if the profile has
// fields; what [Store.pictures] costs.
func (s *Store) rename(ctx context.Context, b *db.Batch, uid model.UserID, p model.UserPatch, at time.Time,
	by update, again bool) (changes []firestore.Update, same []firestore.Precondition, made bool, err error) {
	found, err := db.As[renamer](s.db.User(uid).Get(ctx))
	if err != nil {
		return nil, nil, false, err
	}
	if !found.Found {
		return nil, nil, false, model.NoUser(uid)
	}
	is := &found.Doc
	if again && has(&is.User, p, at) {
		return nil, nil, true, nil
	}
	set := func(path string, value any) {
		changes = append(changes, firestore.Update{Path: path, Value: value})
	}
	if p.Nickname != nil && *p.Nickname != is.Nickname {
		set(fields.Nickname, *p.Nickname)
		set(fields.NicknameLower, model.NormalizeNickname(*p.Nickname))
	}
	shown, avatar, err := s.pictures(ctx, b, uid, &is.User, p, by.moderator)
	if err != nil {
		return nil, nil, false, err
	}
	another := p.Username != nil && *p.Username != is.Username
	if another {
		set(fields.Username, *p.Username)
	}
	same = []firestore.Precondition{firestore.LastUpdateTime(found.Snap.UpdateTime)}
	if changes == nil && !avatar { // the wide picture counts as no rename, and tweets do not show it
		if shown == nil {
			same = nil
		}
		return shown, same, false, nil
	}
	changes = append(changes, shown...)
	if by.coolDown != (model.CoolDown{}) {
		noted, err := is.Renames.Take(by.coolDown, is.RenamedAt, s.db.Server.ReadAt(found.Snap), is.TweetCount, another)
		if err != nil {
			return nil, nil, false, &errs.Error{Kind: errs.Exhausted, Code: "limit_reached", Msg: err.Error(), Err: err}
		}
		set(fields.Renames, noted)
	}
	if another {
		if err := s.reserve(ctx, b, uid, is.Username, *p.Username); err != nil {
			return nil, nil, false, err
		}
		if is.HasFields && p.Fields == nil {
			s.checkFields(b, uid, at) // the proofs are of the former name
		}
	}
	set(model.RenamedAt, firestore.ServerTimestamp)
	s.propagate(b, uid)
	return changes, same, false, nil
}

// propagate adds the request that all tweets of a user get the present name and avatar to the batch of a rename. A
// propagation that is under way begins anew.
func (s *Store) propagate(b *db.Batch, uid model.UserID) {
	b.Set(s.db.Doc(model.Propagations, string(uid)), s.propagation(uid))
}

func (s *Store) propagation(uid model.UserID) map[string]any {
	return map[string]any{
		fields.UserID: uid, fields.After: "", fields.ExpireAt: s.db.WorkExpiry(),
		fields.AskedAt: firestore.ServerTimestamp, // a write that changes nothing is no event
	}
}

// patched reports whether a profile has the values of a request at a time.
//
// Cost: 1 read.
func (s *Store) patched(ctx context.Context, uid model.UserID, p model.UserPatch, at time.Time) (bool, error) {
	var is model.User
	found, err := s.db.Get(ctx, s.db.User(uid), &is)
	return found && has(&is, p, at), err
}

// has reports whether a profile has the names of a request at a time.
func has(u *model.User, p model.UserPatch, at time.Time) bool {
	is := func(want *string, have string) bool { return want == nil || *want == have }
	return u.UpdatedAt != nil && u.UpdatedAt.Equal(at) && is(p.Username, u.Username) && is(p.Nickname, u.Nickname) &&
		is(p.Avatar, u.Avatar) && (p.AvatarMedia == nil || *p.AvatarMedia == u.AvatarMedia) &&
		(p.HeaderMedia == nil || *p.HeaderMedia == u.HeaderMedia)
}

// reserve reserves a new username and frees the former username, in a batch that also writes the profile.
//
// Cost: 1 read, 1 write and 1 delete.
func (s *Store) reserve(ctx context.Context, b *db.Batch, uid model.UserID, is, username string) error {
	// Another rename of this user may have freed the former username, and another user may have reserved it since. So the
	// batch deletes the former username only if it is still this user's.
	former, err := db.As[model.Username](s.db.Doc(model.Usernames, is).Get(ctx))
	if err != nil {
		return err
	}
	if !former.Found || former.Doc.UID != uid {
		return renamed()
	}
	b.Create(s.db.Doc(model.Usernames, username), model.Username{UID: uid})
	b.Delete(former.Snap.Ref, firestore.LastUpdateTime(former.Snap.UpdateTime))
	return nil
}
