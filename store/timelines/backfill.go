package timelines

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/timelines/internal/followerpages"
)

// choose returns the ids of an author's previews that a follower sees. These are all tweets since the follow and the
// newest RecentTweets from before the follow. No chosen tweet is older than the window. If there are more tweets from
// before the follow, from is the time of the oldest chosen tweet. Tweets before that time stay hidden, because an
// earlier follow may have left some of them in the timeline.
func choose[V any](previews map[model.TweetID]V, followed, oldest time.Time) (ids []model.TweetID, from time.Time) {
	before := 0
	for _, id := range model.Newest(previews, 0) {
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

// backfill holds the tweets and shares of one author that a follower gets.
type backfill struct {
	rel       *model.Relationship
	positions []model.Position // of tweets and shares
	from      time.Time        // the author's older tweets are hidden; zero hides none
	pulled    map[string]followerpages.PullState
	check     bool // leave out shares that do not exist
}

// backfillsTogether is the largest weight that one transaction writes into a timeline. An entry weighs 1, and each
// author adds authorWeight. The limit leaves a month time to overflow.
const (
	backfillsTogether = 2_000
	authorWeight      = 10
)

// weight returns the backfill's part of the transaction's weight.
func (b backfill) weight() int { return authorWeight + len(b.positions) }

// writeBackfills writes backfills of several authors into the follower's home timeline, in one transaction. The
// transaction reads the relationships. It leaves out an author if the relationship differs from the one in the
// backfill. It also reads the shares, and leaves out those that do not exist. done says for each backfill whether it
// was written.
//
// Cost: 1 read an author, 1 read a share to be checked, and 1 write a month of the window.
func (w *Writer) writeBackfills(ctx context.Context, follower model.UserID, all []backfill) (done []bool, err error) {
	ctx, grown := bucket.Watch(ctx)
	err = w.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		rels, shares := make([]*db.Found[model.Relationship], len(all)), make([]foundShares, len(all))
		for i, b := range all {
			rels[i] = db.Find[model.Relationship](&l, w.db.Relationship(follower, b.rel.FollowedID))
			shares[i] = w.findShares(&l, b)
		}
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		done = make([]bool, len(all))
		var current []backfill
		for i, now := range rels {
			if done[i] = now.Found && now.Doc.CreatedAt.Equal(all[i].rel.CreatedAt); done[i] {
				current = append(current, shares[i].existing(all[i]))
			}
		}
		if len(current) == 0 {
			return nil
		}
		for _, m := range w.db.LinkMonths() {
			if err := tx.Set(w.db.Timeline(follower, m), backfillMerge(follower, m, current), firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return done, w.buckets.AskOverflows(ctx, grown)
}

// foundShares are the documents of some shares, by position.
type foundShares map[model.Position]*db.Found[model.Share]

// findShares adds the shares of a backfill to a lookup, if they are to be checked.
func (w *Writer) findShares(l *db.Lookup, b backfill) foundShares {
	shares := foundShares{}
	for _, position := range b.positions {
		if b.check && position.IsShare() {
			shares[position] = db.Find[model.Share](l, w.db.Share(b.rel.FollowedID, position.Tweet()))
		}
	}
	return shares
}

// existing returns the backfill without the shares that do not exist. A missing share has no position, and another
// share of the same tweet has another.
func (f foundShares) existing(b backfill) backfill {
	b.positions = slices.DeleteFunc(slices.Clone(b.positions), func(position model.Position) bool {
		is, checked := f[position]
		return checked && is.Doc.Position() != position
	})
	return b
}

// backfillMerge returns the backfills of one month as a merge into the timeline's month. An author who was hidden is
// shown again, from the backfill's time on.
func backfillMerge(follower model.UserID, m model.Month, all []backfill) map[string]any {
	entries, shares, dropped, pulled := map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}
	for _, b := range all {
		author := b.rel.FollowedID
		for _, position := range b.positions {
			switch {
			case position.Month() != m:
			case position.IsShare():
				shares[string(position)] = author
			default:
				entries[string(position)] = author
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
	merge[fields.Dropped] = dropped
	if len(entries) > 0 {
		merge[fields.Entries] = entries
	}
	if len(shares) > 0 {
		merge[model.SharesField] = shares
	}
	if n := len(entries) + len(shares); n > 0 {
		merge[bucket.SizeField] = firestore.Increment(n)
	}
	if len(pulled) > 0 {
		merge[fields.Pulled] = pulled
	}
	return merge
}
