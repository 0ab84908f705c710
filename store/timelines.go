package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// How a fan-out writes: slices of so many followers, so many of them at once.
const (
	sliceSize  = 100
	sliceWidth = 8
)

// Deliver puts a tweet into the home timelines of followers: a write each, in
// slices side by side. Repeating it changes nothing.
func (s *Store) Deliver(ctx context.Context, id model.TweetID, author model.UserID, followers []model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Deliver(%q, %d)", id, len(followers))
	ctx, grown := watchSizes(ctx)
	err = s.toTimelines(ctx, id.Month(), followers, map[string]any{
		"entries": map[string]any{string(id): model.Entry{AuthorID: author, At: s.time()}},
		sizeField: firestore.Increment(1),
	})
	if err != nil {
		return err
	}
	return s.askSpills(ctx, s.timelineBuckets, grown)
}

// Withdraw takes a tweet out of the home timelines of followers: a write each. One
// that has moved to an overflow page stays there, and is passed over by readers.
func (s *Store) Withdraw(ctx context.Context, id model.TweetID, followers []model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Withdraw(%q, %d)", id, len(followers))
	return s.toTimelines(ctx, id.Month(), followers, map[string]any{"entries": map[string]any{string(id): firestore.Delete}})
}

// Pull makes followers' home timelines show all tweets of an author in a month
// without their being pushed: a write each.
func (s *Store) Pull(ctx context.Context, author model.UserID, m model.Month, followers []model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Pull(%q, %q, %d)", author, m, len(followers))
	return s.toTimelines(ctx, m, followers, map[string]any{"pulled": map[string]any{string(author): true}})
}

func (s *Store) toTimelines(ctx context.Context, m model.Month, followers []model.UserID, what map[string]any) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sliceWidth)
	for slice := range slices.Chunk(followers, sliceSize) {
		g.Go(func() error {
			b := s.batch()
			for _, f := range slice {
				merge := timelineMerge(f, m)
				maps.Copy(merge, what)
				b.Set(s.timeline(f, m), merge, firestore.MergeAll)
			}
			_, err := b.Commit(ctx)
			return err
		})
	}
	return g.Wait()
}

// timelineMerge holds what every write to a timeline's month sets, since any of
// them may be the first.
func timelineMerge(uid model.UserID, m model.Month) map[string]any {
	return map[string]any{"userId": uid, "month": m, "expireAt": model.TimelineExpiry(m)}
}

// drop hides an author's tweets in a timeline, as a part of a transaction: a write
// for each month of the window.
func (s *Store) drop(tx *firestore.Transaction, uid, author model.UserID) error {
	_, months := s.window()
	for _, m := range months {
		merge := timelineMerge(uid, m)
		merge["dropped"] = map[string]any{string(author): model.Never}
		if err := tx.Set(s.timeline(uid, m), merge, firestore.MergeAll); err != nil {
			return err
		}
	}
	return nil
}

// window is when the oldest tweet that a home timeline shows now may have been
// written, and the months since, newest first.
func (s *Store) window() (oldest time.Time, months []model.Month) {
	now := s.now()
	oldest = now.Add(-model.TimelineWindow)
	return oldest, model.MonthsBetween(oldest, now)
}

func (s *Store) timeline(uid model.UserID, m model.Month) *firestore.DocumentRef {
	return s.doc(model.Timelines, model.MonthKey(uid, m))
}
