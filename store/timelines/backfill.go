package timelines

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// choose chooses what a follower sees of an author's cards: all since the follow, and of
// those before it the newest RecentTweets, none older than the window. If there were
// more, from is the time of the oldest chosen, before which the author's tweets stay
// hidden: some may be in the timeline from an earlier follow.
func choose[V any](cards map[model.TweetID]V, followed, oldest time.Time) (ids []model.TweetID, from time.Time) {
	before := 0
	for _, id := range model.Newest(cards, 0) {
		at := id.Time()
		if at.Before(oldest) {
			break
		}
		if at.Before(followed) {
			if before == model.RecentTweets {
				return ids, ids[len(ids)-1].Time()
			}
			before++
		}
		ids = append(ids, id)
	}
	return ids, time.Time{}
}

// backfill is what a follower gets of an author.
type backfill struct {
	rel    *model.Relationship
	ids    []model.TweetID
	from   time.Time // the author's older tweets are hidden; zero hides none
	pulled map[string]pullState
}

// backfillsTogether is how many authors' tweets are written into a timeline at once.
const backfillsTogether = 50

// writeBackfills writes what a follower gets of some authors into their timeline. It is one
// transaction that reads the relationships, leaves those out that are not what they were any
// more, and tells which it wrote. A read for each, and a write for each month of the window.
func (w *Writer) writeBackfills(ctx context.Context, follower model.UserID, all []backfill) (done []bool, err error) {
	at := w.db.Time()
	ctx, grown := bucket.Watch(ctx)
	refs := make([]*firestore.DocumentRef, len(all))
	for i, b := range all {
		refs[i] = w.db.Relationship(follower, b.rel.FollowedID)
	}
	err = w.db.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		done = make([]bool, len(all))
		var current []backfill
		for i, b := range all {
			var now model.Relationship
			found, err := db.Decode(snaps[i], nil)(&now)
			if err != nil {
				return err
			}
			if done[i] = found && now.CreatedAt.Equal(b.rel.CreatedAt); done[i] {
				current = append(current, b)
			}
		}
		if len(current) == 0 {
			return nil
		}
		_, months := w.db.HomeWindow()
		for _, m := range months {
			if err := tx.Set(w.db.Timeline(follower, m), backfillMerge(follower, m, current, at), firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return done, w.buckets.AskSpills(ctx, grown)
}

func backfillMerge(follower model.UserID, m model.Month, all []backfill, at time.Time) map[string]any {
	entries, dropped, pulled := map[string]any{}, map[string]any{}, map[string]any{}
	for _, b := range all {
		author := b.rel.FollowedID
		for _, id := range b.ids {
			if id.Month() == m {
				entries[string(id)] = model.Entry{AuthorID: author, At: at}
			}
		}
		dropped[string(author)] = firestore.Delete
		if !b.from.IsZero() {
			dropped[string(author)] = b.from
		}
		if b.pulled[string(m)] != "" {
			pulled[string(author)] = true
		}
	}
	merge := timelineMerge(follower, m)
	merge["dropped"] = dropped
	if len(entries) > 0 {
		merge["entries"], merge[bucket.SizeField] = entries, firestore.Increment(len(entries))
	}
	if len(pulled) > 0 {
		merge["pulled"] = pulled
	}
	return merge
}
