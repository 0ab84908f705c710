package users

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Markers reads how far a user has read. The result is not nil unless there is an error.
//
// Cost: 1 read.
func (s *Store) Markers(ctx context.Context, uid model.UserID) (_ *model.Markers, err error) {
	defer errs.Wrap(&err, "users.Markers(%q)", uid)
	m := &model.Markers{}
	_, err = s.db.Get(ctx, s.markers(uid), m)
	return m, err
}

// markersAhead is how far in the future a tweet may be to which a marker moves: clocks of processes differ.
const markersAhead = time.Minute

// MarkHome moves a user's marker of the home timeline to a tweet, and returns the markers. An older tweet changes
// nothing. version is the version that the user's device has read, or 0 if it does not matter; another version is
// errs.Conflict (marker_conflict), if the marker would move. A tweet of the future is errs.Invalid, because it would
// hold the marker. The tweet need not exist. A user without a profile is errs.Forbidden.
//
// Cost: 1 read, and 1 write if the marker moves; 1 read more for a user whose profile this process has not cached.
func (s *Store) MarkHome(ctx context.Context, uid model.UserID, to model.TweetID, version int64) (_ *model.Markers,
	err error) {
	defer errs.Wrap(&err, "users.MarkHome(%q, %q)", uid, to)
	now := s.db.Time()
	if to.Time().After(now.Add(markersAhead)) {
		return nil, errs.New(errs.Invalid, "invalid_tweet_id", "no tweet has the id %q yet", to)
	}
	return s.changeMarkers(ctx, uid, func(m *model.Markers) (bool, error) {
		was := int64(0)
		if m.Home != nil {
			was = m.Home.Version
		}
		if !m.Forward(to, now) {
			return false, nil
		}
		if version != 0 && version != was {
			return false, errs.New(errs.Conflict, "marker_conflict", "the marker has the version %d; read it again", was)
		}
		return true, nil
	})
}

// DismissAnnouncement remembers that a user has dismissed an announcement. A user without a profile is errs.Forbidden.
//
// Cost: 1 read, and 1 write unless it was dismissed; 1 read more for a user whose profile this process has not cached.
func (s *Store) DismissAnnouncement(ctx context.Context, uid model.UserID, id model.AnnouncementID) (err error) {
	defer errs.Wrap(&err, "users.DismissAnnouncement(%q, %q)", uid, id)
	_, err = s.changeMarkers(ctx, uid, func(m *model.Markers) (bool, error) { return m.Dismiss(id), nil })
	return err
}

// changeMarkers changes the markers of a user in a transaction. to returns whether something changed.
func (s *Store) changeMarkers(ctx context.Context, uid model.UserID,
	to func(*model.Markers) (bool, error)) (m *model.Markers, err error) {
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return nil, err
	}
	ref := s.markers(uid)
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		m = &model.Markers{}
		if _, err := db.GetIn(tx, ref, m); err != nil {
			return err
		}
		if changed, err := to(m); err != nil || !changed {
			return err
		}
		return tx.Set(ref, m)
	}, func(ctx context.Context) (bool, error) {
		m = &model.Markers{}
		if _, err := s.db.Get(ctx, ref, m); err != nil {
			return false, err
		}
		changed, err := to(m)
		return err == nil && !changed, nil
	})
	return m, err
}

// markers names the document of a user's markers.
func (s *Store) markers(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.MarkerLists, string(uid))
}
