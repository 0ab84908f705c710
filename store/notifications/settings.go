// This file keeps the users' notification settings. The functions read them when they put a notification event on its
// notification.

package notifications

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Settings keeps settings. Its methods may be called concurrently. Their errors are those of
// package errs.
type Settings struct {
	db     *db.DB
	access *access.Store
}

// NewSettings returns the settings of a database. Only packages below store have a [db.DB].
func NewSettings(d *db.DB, a *access.Store) *Settings { return &Settings{d, a} }

// NotificationEvents reads a user's notification settings. The result is not nil unless there is an error.
//
// Cost: 1 read.
func (s *Settings) NotificationEvents(ctx context.Context, uid model.UserID) (_ *model.NotificationChoice, err error) {
	defer errs.Wrap(&err, "notifications.NotificationEvents(%q)", uid)
	is := &model.NotificationChoice{}
	_, err = s.db.Get(ctx, s.db.NotificationSettings(uid), is)
	return is, err
}

// Switch switches kinds of notification events on or off, and returns the new settings. A kind that is not in on stays
// unchanged. An earlier notification event follows the settings at the time of its delivery. A user without a profile
// is errs.Forbidden.
//
// Cost: 1 read, and 2 writes if something changes.
func (s *Settings) Switch(ctx context.Context, uid model.UserID,
	on map[model.NotificationKind]bool) (_ *model.NotificationChoice, err error) {
	defer errs.Wrap(&err, "notifications.Switch(%q)", uid)
	return s.change(ctx, uid, func(is *model.NotificationChoice) (bool, error) { return is.Switch(on), nil })
}

// Mute stops the notification events of replies and mentions in a conversation. The conversation of a tweet is all
// tweets with the same root. A muted conversation stays muted. A user without a profile is errs.Forbidden. A deleted
// tweet is errs.Gone. An unknown or hidden tweet is errs.NotFound. More than [model.MaxMuted] conversations are
// errs.Conflict.
//
// Cost: 2 reads and 2 writes; 1 read less if the tweet is cached; no write if it is muted already.
func (s *Settings) Mute(ctx context.Context, by model.Viewer, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "notifications.Mute(%q, %q)", by.ID, id)
	if err := s.access.MayWrite(ctx, by.ID); err != nil {
		return err
	}
	if err := s.access.RequireTweet(ctx, id, by); err != nil {
		return err
	}
	t, err := s.access.Cached(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, by.ID, func(is *model.NotificationChoice) (bool, error) {
		return is.Mute(t.RootID, s.db.Time())
	})
	return err
}

// Unmute takes a mute back. A tweet that is gone or hidden names its conversation if the tweet is the root. Without a
// mute Unmute changes nothing.
//
// Cost: what [Settings.Mute] costs.
func (s *Settings) Unmute(ctx context.Context, by model.Viewer, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "notifications.Unmute(%q, %q)", by.ID, id)
	root := id
	switch err := s.access.RequireTweet(ctx, id, by); errs.KindOf(err) {
	case errs.Gone, errs.NotFound:
	default:
		if err != nil {
			return err
		}
		t, err := s.access.Cached(ctx, id)
		if err != nil {
			return err
		}
		root = t.RootID
	}
	_, err = s.change(ctx, by.ID, func(is *model.NotificationChoice) (bool, error) {
		_, muted := is.Muted[string(root)]
		delete(is.Muted, string(root))
		return muted, nil
	})
	return err
}

// change changes settings and their copy in a transaction. to returns whether something changed.
func (s *Settings) change(ctx context.Context, uid model.UserID, to func(*model.NotificationChoice) (bool,
	error)) (*model.NotificationChoice, error) {
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return nil, err
	}
	return viewers.Change(ctx, s.db, uid, s.db.NotificationSettings(uid), viewers.Choice, to)
}
