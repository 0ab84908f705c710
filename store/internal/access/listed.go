package access

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

const (
	// listedHeard is about how long a list may show a former name of a user, and a user who deleted the account.
	listedHeard = readcache.RemovedEvery

	// clocksApart is the largest assumed difference between the clocks of two processes, which time edits and deletions.
	clocksApart = time.Minute
)

// listedUser is a profile as a list shows it.
type listedUser struct {
	*model.User
	version readcache.Version
}

// Listed reads the profiles that a list shows: of sharers, followers and the users of notifications. A user without a
// profile is absent. Names and introductions may be listedHeard old, and counts [model.ListedTrust].
//
// A process shows the same users again and again. So it keeps their profiles, and asks every listedHeard which profiles
// were edited or deleted.
//
// Cost: 1 read for each profile that is not cached; for the process 1 read for each edited profile and deleted account,
// at least 2 in listedHeard.
func (s *Store) Listed(ctx context.Context, uids []model.UserID) (_ map[model.UserID]*model.User, err error) {
	defer errs.Wrap(&err, "access.Listed(%d)", len(uids))
	found, err := s.listed.Get(ctx, uids)
	if err != nil {
		return nil, err
	}
	users := make(map[model.UserID]*model.User, len(found))
	for uid, u := range found {
		users[uid] = u.User
	}
	return users, nil
}

// listedSource returns the source of changes for the cache of listed profiles.
func (s *Store) listedSource(failed func(error)) readcache.Source[model.UserID, listedUser] {
	return readcache.Source[model.UserID, listedUser]{
		Now:     s.db.Server.Now,
		Version: func(u listedUser) readcache.Version { return u.version },
		Changed: s.editedUsers, Removed: s.deletedUsers,
		Outdated: func(context.Context, time.Time) (func(listedUser) bool, bool, error) { return nil, false, nil },
		Failed:   failed,
	}
}

// decodeListed decodes a profile from a snapshot, with its version.
func (s *Store) decodeListed(snap *firestore.DocumentSnapshot) (listedUser, error) {
	u := listedUser{&model.User{ID: model.UserID(snap.Ref.ID)},
		readcache.Version{Updated: snap.UpdateTime, Read: s.db.Server.ReadAt(snap)}}
	return u, snap.DataTo(u.User)
}

// readListed loads profiles for the cache.
//
// Cost: 1 read for each profile.
func (s *Store) readListed(ctx context.Context, uids []model.UserID) (map[model.UserID]listedUser, error) {
	refs := make([]*firestore.DocumentRef, len(uids))
	for i, uid := range uids {
		refs[i] = s.db.User(uid)
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	return decoded[model.UserID](snaps, s.decodeListed)
}

// editedUsers reads the first [readcache.Limit] profiles that were edited since a time.
//
// Cost: 1 read for each profile, at least 1.
func (s *Store) editedUsers(ctx context.Context, since time.Time) (map[model.UserID]listedUser, error) {
	snaps, err := s.db.Client.Collection(model.Users).Where(fields.UpdatedAt, ">", since.Add(-clocksApart)).
		OrderBy(fields.UpdatedAt, firestore.Asc).Limit(readcache.Limit).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	return decoded[model.UserID](snaps, s.decodeListed)
}

// deletedUsers returns the first [readcache.Limit] users who began to delete their accounts since a time.
//
// Cost: 1 read for each account deletion, at least 1.
func (s *Store) deletedUsers(ctx context.Context, since time.Time) ([]model.UserID, error) {
	return later[model.UserID](ctx, s.db, model.AccountDeletions, fields.StartedAt, since.Add(-clocksApart))
}
