package timelines

import (
	"context"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// How a fan-out writes: slices of so many followers, so many of them at once.
const (
	sliceSize  = 100
	sliceWidth = 8
)

// deliver puts a tweet into the home timelines of followers on a page, 0 if there is one
// page, in slices side by side. Tweets that an author writes within a second are
// delivered together. To deliver again changes nothing.
//
// Cost: 1 write a follower.
func (w *Writer) deliver(ctx context.Context, id model.TweetID, author model.UserID, page int, followers []model.UserID) error {
	return w.change(ctx, author, page, delivery{id, followers, model.Entry{AuthorID: author, At: w.db.Time()}})
}

// withdraw takes a tweet out of the home timelines of followers. An entry that moved to
// an overflow document stays there, and readers pass over it.
//
// Cost: 1 write a follower.
func (w *Writer) withdraw(ctx context.Context, id model.TweetID, author model.UserID, page int, followers []model.UserID) error {
	return w.change(ctx, author, page, delivery{id, followers, firestore.Delete})
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

func (w *Writer) change(ctx context.Context, author model.UserID, page int, d delivery) error {
	if len(d.followers) == 0 {
		return nil
	}
	_, err := w.deliveries.Do(ctx, audiencePart{author, d.id.Month(), page}, d)
	return err
}

// deliverAll does some deliveries, of which the last prevails where two are of one tweet.
func (w *Writer) deliverAll(ctx context.Context, part audiencePart, all []delivery) ([]struct{}, error) {
	entries := map[model.UserID]map[string]any{}
	for _, d := range all {
		for _, f := range d.followers {
			if entries[f] == nil {
				entries[f] = map[string]any{}
			}
			entries[f][string(d.id)] = d.entry
		}
	}
	ctx, grown := bucket.Watch(ctx)
	err := w.toTimelines(ctx, part.month, slices.Collect(maps.Keys(entries)), func(f model.UserID) map[string]any {
		added := 0
		for _, entry := range entries[f] {
			if entry != firestore.Delete {
				added++
			}
		}
		merge := map[string]any{"entries": entries[f]}
		if added > 0 {
			merge[bucket.SizeField] = firestore.Increment(added)
		}
		return merge
	})
	if err != nil {
		return nil, err
	}
	return make([]struct{}, len(all)), w.buckets.AskSpills(ctx, grown)
}

// toTimelines merges something into the month of each follower's timeline.
func (w *Writer) toTimelines(ctx context.Context, m model.Month, followers []model.UserID, what func(model.UserID) map[string]any) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sliceWidth)
	for slice := range slices.Chunk(followers, sliceSize) {
		g.Go(func() error {
			b := w.db.Batch()
			for _, f := range slice {
				merge := timelineMerge(f, m)
				maps.Copy(merge, what(f))
				b.Set(w.db.Timeline(f, m), merge, firestore.MergeAll)
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
func (w *Writer) drop(tx *firestore.Transaction, uid, author model.UserID) error {
	_, months := w.db.HomeWindow()
	for _, m := range months {
		merge := timelineMerge(uid, m)
		merge["dropped"] = map[string]any{string(author): model.Never}
		if err := tx.Set(w.db.Timeline(uid, m), merge, firestore.MergeAll); err != nil {
			return err
		}
	}
	return nil
}
