package timelines

import (
	"context"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// A fan-out writes sliceSize followers in a commit, and sliceWidth commits at once.
const (
	sliceSize  = 100
	sliceWidth = 8
)

// deliver puts a tweet or a share into the home timelines of followers on a page. An author's only page has the number
// 0. deliver writes the slices of followers side by side. It delivers an author's tweets of one second together. A
// repeated delivery changes nothing that the reader sees: it writes the entry anew, and adds to the month's size again.
//
// Cost: 1 write a follower.
func (w *Writer) deliver(ctx context.Context, position model.Position, author model.UserID, page int,
	followers []model.UserID) error {
	return w.change(ctx, author, page, delivery{position, followers, author})
}

// withdraw takes a tweet or a share out of the home timelines of followers. An entry in an overflow document stays
// there. Readers skip that entry, because its tweet or share is gone.
//
// Cost: 1 write a follower.
func (w *Writer) withdraw(ctx context.Context, position model.Position, author model.UserID, page int,
	followers []model.UserID) error {
	return w.change(ctx, author, page, delivery{position, followers, firestore.Delete})
}

// audiencePart names the followers on one page of an author as the audience of one month's tweets.
type audiencePart struct {
	author model.UserID
	month  model.Month
	page   int
}

// delivery puts a tweet or a share into home timelines, or takes it out.
type delivery struct {
	position  model.Position // of the tweet or share
	followers []model.UserID
	entry     any // the author or sharer to put in, or firestore.Delete to take out
}

// deliveriesTogether is the largest number of deliveries that one write of a timeline joins.
const deliveriesTogether = 100

// change makes a delivery together with other deliveries to the same followers.
func (w *Writer) change(ctx context.Context, author model.UserID, page int, d delivery) error {
	if len(d.followers) == 0 {
		return nil
	}
	_, err := w.deliveries.Do(ctx, audiencePart{author, d.position.Month(), page}, d)
	return err
}

// deliverAll makes several deliveries. If two deliveries have the same position, the last one wins.
//
// Cost: 1 write a follower.
func (w *Writer) deliverAll(ctx context.Context, part audiencePart, all []delivery) ([]struct{}, error) {
	entries := map[model.UserID]map[model.Position]any{}
	for _, d := range all {
		for _, f := range d.followers {
			if entries[f] == nil {
				entries[f] = map[model.Position]any{}
			}
			entries[f][d.position] = d.entry
		}
	}
	ctx, grown := bucket.Watch(ctx)
	err := w.toTimelines(ctx, part.month, slices.Collect(maps.Keys(entries)), func(f model.UserID) map[string]any {
		added, tweets, shares := 0, map[string]any{}, map[string]any{}
		for position, entry := range entries[f] {
			if position.IsShare() {
				shares[string(position)] = entry
			} else {
				tweets[string(position)] = entry
			}
			if entry != firestore.Delete {
				added++
			}
		}
		merge := map[string]any{}
		if len(tweets) > 0 {
			merge[fields.Entries] = tweets
		}
		if len(shares) > 0 {
			merge[model.SharesField] = shares
		}
		if added > 0 {
			merge[bucket.SizeField] = firestore.Increment(added)
		}
		return merge
	})
	if err != nil {
		return nil, err
	}
	return make([]struct{}, len(all)), w.buckets.AskOverflows(ctx, grown)
}

// toTimelines calls what for each follower, and merges the result into the month of the follower's home timeline. A
// slice of followers that fails does not stop the other slices.
//
// Cost: 1 write a follower.
func (w *Writer) toTimelines(ctx context.Context, m model.Month, followers []model.UserID,
	what func(model.UserID) map[string]any) error {
	var g safely.Group
	g.SetLimit(sliceWidth)
	for slice := range slices.Chunk(followers, sliceSize) {
		g.Go(func() error { return w.toSlice(ctx, m, slice, what) })
	}
	return g.Wait()
}

// toSlice writes one slice of followers in one commit, if the database accepts it. A timeline that is too large does
// not fail the other timelines: toSlice moves its old entries to overflow documents and writes it again.
func (w *Writer) toSlice(ctx context.Context, m model.Month, slice []model.UserID,
	what func(model.UserID) map[string]any) error {
	parts := db.Parts[model.UserID]{Most: sliceSize, Add: func(b *db.Batch, f model.UserID) error {
		merge := timelineMerge(f, m)
		maps.Copy(merge, what(f))
		b.Set(w.db.Timeline(f, m), merge, firestore.MergeAll)
		return nil
	}}
	parts.Alone = func(f model.UserID, refused error) error {
		relieved, err := w.buckets.Relieve(ctx, model.MonthKey(f, m))
		if err != nil {
			return err
		}
		if !relieved {
			return refused
		}
		return w.toSlice(ctx, m, []model.UserID{f}, what)
	}
	_, err := parts.Commit(ctx, w.db, slice)
	return err
}

// timelineMerge returns the fields that every write of a timeline's month sets, because any write may be the first.
func timelineMerge(uid model.UserID, m model.Month) map[string]any {
	return map[string]any{fields.UserID: uid, fields.Month: m, fields.ExpireAt: model.TimelineExpiry(m)}
}

// drop hides an author's tweets in a reader's home timeline. It runs inside the given transaction.
//
// Cost: 1 write a month of the window.
func (w *Writer) drop(tx *firestore.Transaction, uid, author model.UserID) error {
	for _, m := range w.db.LinkMonths() {
		merge := timelineMerge(uid, m)
		merge[fields.Dropped] = map[string]any{string(author): model.Never}
		if err := tx.Set(w.db.Timeline(uid, m), merge, firestore.MergeAll); err != nil {
			return err
		}
	}
	return nil
}
