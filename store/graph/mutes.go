package graph

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Mute makes lists hide a user from m.UserID, for a time d or for ever if d is zero, and keeps the user's notifications
// away if m.HideNotifications says so. A later Mute replaces an earlier one. The mute outlives an unfollow, and the
// muted user does not learn of it. Mute sets CreatedAt and Until, which is in whole seconds.
//
// A mute of another form is errs.Invalid, and so is muting oneself. A user without a profile is errs.Forbidden. A muted
// user without a profile is errs.NotFound. More than [model.MaxMutedUsers] are errs.Conflict; mutes of one moment may
// pass the limit by their number.
//
// Cost: 1 read and 2 writes, and 1 read for each profile that is not cached; 1 read more for each 1,000 mutes if the
// user's graph is not whole.
func (s *Store) Mute(ctx context.Context, m model.MutedUser, d time.Duration) (err error) {
	defer errs.Wrap(&err, "graph.Mute(%q, %q)", m.UserID, m.MutedID)
	now := s.db.Time()
	if m.CreatedAt, m.Until = now, (time.Time{}); d != 0 {
		m.Until = now.Add(d).Truncate(time.Second)
	}
	switch {
	case m.UserID == m.MutedID:
		return errs.New(errs.Invalid, "self_mute", "you cannot mute yourself")
	case m.Part != model.MuteAll && m.Part != model.MuteShares && m.Part != model.MuteReplies:
		return errs.New(errs.Invalid, "", "a mute hides all, shares or replies")
	case d < 0 || d > model.MaxMuteTime:
		return errs.New(errs.Invalid, "", "a mute lasts at most 366 days, or for ever")
	}
	if err := s.access.RequireUser(ctx, m.MutedID); err != nil {
		return err
	}
	if err := s.access.MayWrite(ctx, m.UserID); err != nil {
		return err
	}
	if err := s.muteLimit(ctx, &m); err != nil {
		return err
	}
	b, mute := s.db.Batch(), s.db.MutedUser(m.UserID, m.MutedID)
	b.Set(mute, m)
	b.Set(s.db.Viewer(m.UserID), viewers.Put(fields.Muted, m.MutedID, m.Mute()), firestore.MergeAll)
	ctx, grown := s.viewers.Watch(ctx)
	if _, err = s.db.CommitOnce(ctx, b, s.muted(&m)); err == nil {
		grown(m.UserID)
	}
	return err
}

// muted reports whether a mute is as it was to be written.
//
// Cost: 1 read.
func (s *Store) muted(m *model.MutedUser) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		var is model.MutedUser
		_, err := s.db.Get(ctx, s.db.MutedUser(m.UserID, m.MutedID), &is)
		return is.Mute() == m.Mute() && is.CreatedAt.Equal(m.CreatedAt), err
	}
}

// muteLimit returns the error of the limit that one more mute would exceed.
//
// Cost: 1 read; 1 read more for each 1,000 mutes if the user's graph is not whole.
func (s *Store) muteLimit(ctx context.Context, m *model.MutedUser) error {
	v, err := s.viewers.Peek(ctx, m.UserID)
	if err != nil {
		return err
	}
	n, there := int64(len(v.Muted)), v.Muted[m.MutedID] != 0
	if !v.Whole {
		if there, err = s.db.Get(ctx, s.db.MutedUser(m.UserID, m.MutedID), nil); err != nil {
			return err
		}
		n, err = db.Count(ctx, s.db.Client.Collection(model.MutedUsers).Where(fields.UserID, "==", m.UserID).
			Limit(model.MaxMutedUsers))
	}
	if err == nil && !there && n >= model.MaxMutedUsers {
		err = errs.New(errs.Conflict, "too_many_mutes", "%d users are muted, which is as many as may be; take one back first",
			model.MaxMutedUsers)
	}
	return err
}

// Unmute takes a mute back. Without a mute Unmute changes nothing.
//
// Cost: 1 delete and 1 write, also without a mute.
func (s *Store) Unmute(ctx context.Context, uid, muted model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Unmute(%q, %q)", uid, muted)
	b, mute := s.db.Batch(), s.db.MutedUser(uid, muted)
	b.Delete(mute)
	b.Set(s.db.Viewer(uid), viewers.Remove(fields.Muted, muted), firestore.MergeAll)
	_, err = s.db.CommitOnce(ctx, b, s.db.Gone(mute))
	return err
}

// Mutes returns the users whom a user mutes, the newest mute first, with those whose mute has ended. Only that user may
// see the list.
//
// Cost: 1 read for each mute, at least 1.
func (s *Store) Mutes(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.MutedUser], err error) {
	defer errs.Wrap(&err, "graph.Mutes(%q)", uid)
	return db.Page(ctx, s.db.Client.Collection(model.MutedUsers).Where(fields.UserID, "==", uid),
		firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (m model.MutedUser, at model.Cursor, err error) {
			err = snap.DataTo(&m)
			return m, model.Cursor{At: m.CreatedAt, ID: snap.Ref.ID}, err
		})
}
