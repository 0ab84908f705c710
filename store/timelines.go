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

// Deliver puts a tweet into the home timelines of followers on a page, 0 if there is one: a
// write each, in slices side by side. Several tweets that an author writes within a second
// are delivered together. Repeating it changes nothing.
func (s *Store) Deliver(ctx context.Context, id model.TweetID, author model.UserID, page int, followers []model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Deliver(%q, %d)", id, len(followers))
	return s.deliver(ctx, author, page, delivery{id, followers, model.Entry{AuthorID: author, At: s.time()}})
}

// Withdraw takes a tweet out of the home timelines of followers: a write each, as Deliver's.
// One that has moved to an overflow page stays there, and is passed over by readers.
func (s *Store) Withdraw(ctx context.Context, id model.TweetID, author model.UserID, page int, followers []model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Withdraw(%q, %d)", id, len(followers))
	return s.deliver(ctx, author, page, delivery{id, followers, firestore.Delete})
}

// audiencePart is a part of an author's followers, for tweets of a month.
type audiencePart struct {
	author model.UserID
	month  model.Month
	page   int
}

// delivery is a tweet on its way to followers, or back.
type delivery struct {
	id        model.TweetID
	followers []model.UserID
	entry     any // a model.Entry, or firestore.Delete
}

// deliveriesTogether is how many tweets are delivered in one write of a timeline.
const deliveriesTogether = 100

func (s *Store) deliver(ctx context.Context, author model.UserID, page int, d delivery) error {
	if len(d.followers) == 0 {
		return nil
	}
	_, err := s.deliveries.do(ctx, audiencePart{author, d.id.Month(), page}, d)
	return err
}

// deliverAll does some deliveries, of which the last prevails where two are of one tweet.
func (s *Store) deliverAll(ctx context.Context, part audiencePart, all []delivery) ([]struct{}, error) {
	entries := map[model.UserID]map[string]any{}
	for _, d := range all {
		for _, f := range d.followers {
			if entries[f] == nil {
				entries[f] = map[string]any{}
			}
			entries[f][string(d.id)] = d.entry
		}
	}
	ctx, grown := watchSizes(ctx)
	err := s.toTimelines(ctx, part.month, slices.Collect(maps.Keys(entries)), func(f model.UserID) map[string]any {
		added := 0
		for _, entry := range entries[f] {
			if entry != firestore.Delete {
				added++
			}
		}
		merge := map[string]any{"entries": entries[f]}
		if added > 0 {
			merge[sizeField] = firestore.Increment(added)
		}
		return merge
	})
	if err != nil {
		return nil, err
	}
	return make([]struct{}, len(all)), s.askSpills(ctx, s.timelineBuckets, grown)
}

// Pull makes followers' home timelines show all tweets of an author in a month
// without their being pushed: a write each.
func (s *Store) Pull(ctx context.Context, author model.UserID, m model.Month, followers []model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Pull(%q, %q, %d)", author, m, len(followers))
	return s.toTimelines(ctx, m, followers, func(model.UserID) map[string]any {
		return map[string]any{"pulled": map[string]any{string(author): true}}
	})
}

// toTimelines merges something into the month of each follower's timeline.
func (s *Store) toTimelines(ctx context.Context, m model.Month, followers []model.UserID, what func(model.UserID) map[string]any) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sliceWidth)
	for slice := range slices.Chunk(followers, sliceSize) {
		g.Go(func() error {
			b := s.batch()
			for _, f := range slice {
				merge := timelineMerge(f, m)
				maps.Copy(merge, what(f))
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
