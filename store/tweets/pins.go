// This file stores pins: the few tweets that an author shows first on the profile. A pin is a source document. Only the
// author changes it, and every viewer who sees the tweet sees the pin.

package tweets

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Pins stores pins. Its methods may be called concurrently. Their errors are errors of package errs.
type Pins struct {
	db     *db.DB
	access *access.Store
}

// NewPins returns the pins of a database. Only packages below store have a [db.DB].
func NewPins(d *db.DB, a *access.Store) *Pins { return &Pins{d, a} }

// Pin pins a tweet of the user. A tweet that is pinned already keeps its position. Pin drops pins of tweets that are
// gone to make room. A user without a profile is errs.Forbidden, and so is a tweet of another author. A deleted tweet
// is errs.Gone, and an unknown or hidden tweet errs.NotFound. More than model.MaxPins pins are errs.Conflict.
//
// Cost: 2 reads and 1 write; no write if the tweet is pinned or gone; 1 read a pin if the list is full.
func (s *Pins) Pin(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "tweets.Pin(%q, %q)", uid, id)
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	// A cached tweet may be gone.
	s.access.ForgetTweet(id)
	if err := s.access.RequireTweet(ctx, id, model.Viewer{ID: uid, Role: model.Member}); err != nil {
		return err
	}
	t, err := s.access.Cached(ctx, id)
	if err != nil {
		return err
	}
	if t.AuthorID != uid {
		return errs.New(errs.Forbidden, "not_author", "only its author may pin a tweet")
	}
	return s.db.TransactOnce(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		ref := s.ref(uid)
		pins := model.Pins{UserID: uid}
		if _, err := db.GetIn(tx, ref, &pins); err != nil || pins.Has(id) {
			return err
		}
		if len(pins.Tweets) >= model.MaxPins {
			if err := s.dropGone(ctx, &pins); err != nil {
				return err
			}
		}
		if len(pins.Tweets) >= model.MaxPins {
			return errs.New(errs.Conflict, "too_many_pins", "a profile has at most %d pinned tweets; unpin one first",
				model.MaxPins)
		}
		pins.Tweets = append(pins.Tweets, model.Pinned{TweetID: id, PinnedAt: s.db.Time()})
		return tx.Set(ref, pins)
	}, s.pinned(uid, id, true))
}

// dropGone drops pins of tweets that are gone. It reads the tweets outside of the transaction. A tweet that is gone
// stays gone, and no count of likes waits for a lock.
//
// Cost: 1 read for each pin.
func (s *Pins) dropGone(ctx context.Context, pins *model.Pins) error {
	var l db.Lookup
	tweets := map[model.TweetID]*db.Found[struct{}]{}
	for _, p := range pins.Tweets {
		tweets[p.TweetID] = db.Find[struct{}](&l, s.db.Tweet(p.TweetID))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	pins.Tweets = slices.DeleteFunc(pins.Tweets, func(p model.Pinned) bool { return !tweets[p.TweetID].Found })
	return nil
}

// Unpin removes a pin. Without a pin, Unpin changes nothing.
//
// Cost: 1 read, and 1 write if the tweet was pinned.
func (s *Pins) Unpin(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "tweets.Unpin(%q, %q)", uid, id)
	return s.db.TransactOnce(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var pins model.Pins
		if _, err := db.GetIn(tx, s.ref(uid), &pins); err != nil || !pins.Has(id) {
			return err
		}
		pins.Tweets = slices.DeleteFunc(pins.Tweets, func(p model.Pinned) bool { return p.TweetID == id })
		return tx.Set(s.ref(uid), pins)
	}, s.pinned(uid, id, false))
}

// pinned returns a function for [db.DB.TransactOnce]. The function reports whether the tweet has the wanted state,
// pinned or not pinned.
//
// Cost: 1 read.
func (s *Pins) pinned(uid model.UserID, id model.TweetID, want bool) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		var pins model.Pins
		_, err := s.db.Get(ctx, s.ref(uid), &pins)
		return err == nil && pins.Has(id) == want, err
	}
}

// Of returns the pins of a user, newest first. Some of the tweets may be gone, or hidden from the caller's viewer.
//
// Cost: 1 read.
func (s *Pins) Of(ctx context.Context, uid model.UserID) (_ []model.Pinned, err error) {
	defer errs.Wrap(&err, "tweets.Of(%q)", uid)
	var pins model.Pins
	_, err = s.db.Get(ctx, s.ref(uid), &pins)
	slices.SortFunc(pins.Tweets, func(a, b model.Pinned) int {
		if n := b.PinnedAt.Compare(a.PinnedAt); n != 0 {
			return n
		}
		return b.TweetID.Compare(a.TweetID)
	})
	return pins.Tweets, err
}

// ref returns the document of a user's pins.
func (s *Pins) ref(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.PinLists, string(uid))
}
