package access

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// profileKnown is how long a process remembers that a user has a profile.
const profileKnown = time.Minute

// RequireUser returns errs.NotFound for a user without a profile.
//
// Cost: 1 read for a profile that is not cached.
func (s *Store) RequireUser(ctx context.Context, uid model.UserID) error {
	_, found, err := s.users.One(ctx, uid)
	if err == nil && !found {
		err = model.NoUser(uid)
	}
	return err
}

// User reads a profile past the cache. A user without a profile is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) User(ctx context.Context, uid model.UserID) (_ *model.User, err error) {
	defer errs.Wrap(&err, "access.User(%q)", uid)
	u := &model.User{ID: uid}
	found, err := s.db.Get(ctx, s.db.Doc(model.Users, string(uid)), u)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, model.NoUser(uid)
	}
	return u, nil
}

// Users reads profiles through the cache. Users without a profile are absent.
//
// Cost: 1 read for each profile that is not cached.
func (s *Store) Users(ctx context.Context, uids []model.UserID) (_ map[model.UserID]*model.User, err error) {
	defer errs.Wrap(&err, "access.Users(%d)", len(uids))
	return s.users.All(ctx, uids)
}

// UsersNow reads profiles as they are now. Users without a profile are absent.
//
// Cost: 1 read for each.
func (s *Store) UsersNow(ctx context.Context, uids []model.UserID) (_ map[model.UserID]*model.User, err error) {
	defer errs.Wrap(&err, "access.UsersNow(%d)", len(uids))
	return s.readUsers(ctx, uids)
}

// Profile reads the profile of a user who is about to write, through the cache. A user without a profile is
// errs.Forbidden.
//
// Cost: 1 read if the profile is not cached.
func (s *Store) Profile(ctx context.Context, uid model.UserID) (*model.User, error) {
	u, found, err := s.users.One(ctx, uid)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, model.MayWrite(model.NoProfile)
	}
	return u, nil
}

// ForgetProfile removes a profile from the caches after a write.
func (s *Store) ForgetProfile(uid model.UserID) {
	s.users.Forget(uid)
	s.listed.Forget(uid)
}

// ForgetUser forgets a user who has no profile any more.
func (s *Store) ForgetUser(uid model.UserID) {
	s.ForgetProfile(uid)
	s.members.Forget(uid)
	s.consents.Forget(uid)
}

// readUsers loads profiles for the cache.
//
// Cost: 1 read for each uid.
func (s *Store) readUsers(ctx context.Context, uids []model.UserID) (map[model.UserID]*model.User, error) {
	return db.ReadAll(ctx, s.db, model.Users, uids, func(id model.UserID, u *model.User) { u.ID = id })
}

// MayWrite returns errs.Forbidden for a user without a profile. A process remembers for profileKnown that a user has a
// profile.
//
// Cost: nothing, or 1 read if the process does not remember the user's profile.
func (s *Store) MayWrite(ctx context.Context, uid model.UserID) error {
	if _, found, err := s.members.One(ctx, uid); err != nil || found {
		return err
	}
	return model.MayWrite(model.NoProfile)
}

// readMembers loads for the cache which users have profiles.
//
// Cost: 1 read for each profile that is not cached.
func (s *Store) readMembers(ctx context.Context, uids []model.UserID) (map[model.UserID]struct{}, error) {
	users, err := s.users.All(ctx, uids)
	members := make(map[model.UserID]struct{}, len(users))
	for uid := range users {
		members[uid] = struct{}{}
	}
	return members, err
}
