package profiles

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// Put writes a tweet's preview into its author's month, as the tweet was when its event
// happened. The tweet may have changed since, so [Writer.Settle] must follow. previews that
// come within a second are written together. A tweet on no audience partition has no preview.
//
// If the event is late, the tweet has most likely been edited or deleted by now, or an earlier
// delivery failed. Then Put writes no preview from the event: whoever may not see the tweet any
// more would see the preview until reconcile. Put reconciles the preview instead.
//
// Cost: 1 write; 3 writes for a tweet for followers. A late event costs what [Writer.ReconcilePreview] costs.
func (w *Writer) Put(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "profiles.Put(%q)", t.ID)
	if t.AudiencePartition() == model.NoAudiencePartition {
		return nil
	}
	preview := previewWrite{t.ID, new(t.Preview())}
	if w.db.Time().Sub(t.ID.Time()) > lateAfter {
		preview.put = nil
	}
	_, err = w.puts.Do(ctx, authorMonth{t.AuthorID, t.ID.Month(), t.AudiencePartition()}, preview)
	return err
}

// lateAfter is the age of a new tweet from which on its event counts as late. Most events
// come within 2 s.
const lateAfter = 10 * time.Second

// ReconcilePreview makes the preview of a tweet in its author's month on an audience partition agree with the tweet
// as it is now: a tweet that belongs on the audience partition has a preview there, and every other has none. It
// tells whether the tweet is there. The transaction reads the tweet alone, and writes blind
// into the month. previews that come within a second are reconciled together.
//
// Each audience partition is reconciled by itself. A tweet that moves from one to the other has an event that
// names both, see [Writer.Update]. So whoever handles an event that names one audience partition need not
// look at the other.
//
// Cost: 3 reads and 1 write; 1 write more for a tweet in the range of an overflow
// document, and 2 more for a tweet for followers.
// Each further tweet within the same second costs 1 read.
func (w *Writer) ReconcilePreview(ctx context.Context, author model.UserID, id model.TweetID,
	audiencePartition model.AudiencePartition) (found bool, err error) {
	defer errs.Wrap(&err, "profiles.ReconcilePreview(%q, %d)", id, audiencePartition)
	return w.puts.Do(ctx, authorMonth{author, id.Month(), audiencePartition}, previewWrite{id: id})
}

// previewWrite is a preview that is put into a month. Without a preview it is a tweet whose preview
// is reconciled.
type previewWrite struct {
	id  model.TweetID
	put *model.TweetPreview
}

// previewsTogether is how many bytes of previews are written at once. The limit leaves a month
// time to overflow before it has 1 MiB.
const previewsTogether = 64 << 10

// weight is about how many bytes a preview has. A preview that is to be reconciled is not known
// yet, and weighs more than most previews.
func (c previewWrite) weight() int {
	if c.put == nil {
		return previewsTogether / 16
	}
	n := 200 + len(c.put.Summary) + len(c.put.Snippet) + len(c.put.SnippetTree)
	for _, tag := range c.put.Tags {
		n += len(tag)
	}
	return n
}

// writePreviews puts and reconciles previews in a month. For each preview that it reconciles, it tells
// whether the tweet is there.
func (w *Writer) writePreviews(ctx context.Context, m authorMonth, writes []previewWrite) ([]bool, error) {
	put, reconciled := map[string]any{}, map[model.TweetID]bool{}
	for _, write := range writes {
		if write.put != nil {
			put[string(write.id)] = *write.put
		} else {
			reconciled[write.id] = false
		}
	}
	ctx, grown := bucket.Watch(ctx)
	if len(reconciled) == 0 {
		b := w.db.Batch()
		b.Set(w.tweetMonth(m), previewMerge(m, put, len(put)), firestore.MergeAll)
		for ref, mark := range w.followerMarks(m) {
			b.Set(ref, mark, firestore.MergeAll)
		}
		if _, err := b.Commit(ctx); err != nil {
			return nil, err
		}
	} else if err := w.reconcilePreviews(ctx, m, put, reconciled); err != nil {
		return nil, err
	}
	found := make([]bool, len(writes))
	for i, write := range writes {
		found[i] = reconciled[write.id]
	}
	return found, w.buckets[m.audiencePartition].AskOverflows(ctx, grown)
}

// followerMarks are what a commit that puts a preview for followers writes into the author's
// open documents: that there is one. So a reader who finds no mark need not look for a month
// for followers. A mark stays when the last such preview goes.
func (w *Writer) followerMarks(m authorMonth) map[*firestore.DocumentRef]map[string]any {
	if m.audiencePartition != model.FollowersAudiencePartition {
		return nil
	}
	return map[*firestore.DocumentRef]map[string]any{
		w.tweetMonth(authorMonth{m.author, m.month, model.OpenAudiencePartition}): {"userId": m.author, "month": m.month,
			"followers": true},
		w.db.UserRecent(m.author): {"followers": true},
	}
}

// previewMerge is some previews, and deletions of previews, as a merge into a month. The month's
// size counts the put previews.
func previewMerge(m authorMonth, previews map[string]any, put int) map[string]any {
	merge := map[string]any{"userId": m.author, "month": m.month, "tweets": previews}
	if put > 0 {
		merge[bucket.SizeField] = firestore.Increment(put)
	}
	return merge
}
