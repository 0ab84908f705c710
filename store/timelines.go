package store

import (
	"context"
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
	return s.toTimelines(ctx, id, followers, model.Entry{AuthorID: author, At: s.time()})
}

// Withdraw takes a tweet out of the home timelines of followers: a write each.
func (s *Store) Withdraw(ctx context.Context, id model.TweetID, followers []model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Withdraw(%q, %d)", id, len(followers))
	return s.toTimelines(ctx, id, followers, firestore.Delete)
}

func (s *Store) toTimelines(ctx context.Context, id model.TweetID, followers []model.UserID, entry any) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sliceWidth)
	for slice := range slices.Chunk(followers, sliceSize) {
		g.Go(func() error {
			b := s.batch()
			for _, f := range slice {
				merge := timelineMerge(f, id.Month())
				merge["entries"] = map[string]any{string(id): entry}
				b.Set(s.timeline(f, id.Month()), merge, firestore.MergeAll)
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

// Backfill gives a new follower the author's tweets, and hides those older than
// from; zero hides none. It is one transaction that reads the relationship, and does
// nothing and answers false unless that is still rel. 1 read, and a write for each
// month of the window.
func (s *Store) Backfill(ctx context.Context, rel *model.Relationship, ids []model.TweetID, from time.Time) (done bool, err error) {
	defer errs.Wrap(&err, "store.Backfill(%q, %q)", rel.FollowerID, rel.FollowedID)
	at := s.time()
	err = s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var now model.Relationship
		held, err := decode(tx.Get(s.relationship(rel.FollowerID, rel.FollowedID)))(&now)
		if err != nil {
			return err
		}
		if done = held && now.CreatedAt.Equal(rel.CreatedAt); !done {
			return nil
		}
		_, months := s.window()
		for _, m := range months {
			merge := timelineMerge(rel.FollowerID, m)
			entries := map[string]any{}
			for _, id := range ids {
				if id.Month() == m {
					entries[string(id)] = model.Entry{AuthorID: rel.FollowedID, At: at}
				}
			}
			if len(entries) > 0 {
				merge["entries"] = entries
			}
			var mark any = firestore.Delete
			if !from.IsZero() {
				mark = from
			}
			merge["dropped"] = map[string]any{string(rel.FollowedID): mark}
			if err := tx.Set(s.timeline(rel.FollowerID, m), merge, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
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

// Home reads a page of a user's home timeline, newest first, of tweets older than
// before if that is not empty. A page of 20 costs 22
// reads, fewer by each tweet that is cached, and two more for each further month
// that it touches. next is empty at the end.
func (s *Store) Home(ctx context.Context, uid model.UserID, before model.TweetID, limit int) (items []Seen, next model.TweetID, err error) {
	defer errs.Wrap(&err, "store.Home(%q)", uid)
	oldest, months := s.window()
	for i, m := range months {
		if before != "" && m > before.Month() {
			continue
		}
		timeline, reactions, err := s.homeMonth(ctx, uid, m)
		if err != nil {
			return nil, "", err
		}
		var ids []model.TweetID
		for _, id := range model.Newest(timeline.Entries, 0) {
			old := before != "" && id.Compare(before) >= 0
			if !old && !id.Time().Before(oldest) && timeline.Shows(id, timeline.Entries[id].AuthorID) {
				ids = append(ids, id)
			}
		}
		// Entries of tweets that were deleted a moment ago are skipped, and the
		// page is filled up with the next.
		for len(ids) > 0 {
			if len(items) == limit {
				return items, items[limit-1].ID, nil
			}
			n := min(limit-len(items), len(ids))
			tweets, err := s.tweets.all(ctx, ids[:n])
			if err != nil {
				return nil, "", err
			}
			for _, id := range ids[:n] {
				if t := tweets[id]; t != nil && !t.IsViolative {
					items = append(items, Seen{ID: id, Tweet: t, Liked: reactions.Tweets[id].Liked})
				}
			}
			ids = ids[n:]
		}
		if len(items) == limit && i+1 < len(months) {
			return items, items[limit-1].ID, nil
		}
	}
	return items, "", nil
}

// homeMonth reads a month of a home timeline and of its owner's reactions: 2 reads
// in one round trip.
func (s *Store) homeMonth(ctx context.Context, uid model.UserID, m model.Month) (*model.Timeline, *model.ReactionMonth, error) {
	snaps, err := s.fs.GetAll(ctx, []*firestore.DocumentRef{s.timeline(uid, m), s.reactionMonth(uid, m)})
	if err != nil {
		return nil, nil, err
	}
	timeline, reactions := &model.Timeline{}, &model.ReactionMonth{}
	if _, err := decode(snaps[0], nil)(timeline); err != nil {
		return nil, nil, err
	}
	if _, err := decode(snaps[1], nil)(reactions); err != nil {
		return nil, nil, err
	}
	return timeline, reactions, nil
}

func (s *Store) timeline(uid model.UserID, m model.Month) *firestore.DocumentRef {
	return s.doc(model.Timelines, model.MonthKey(uid, m))
}
