package profiles

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// Put writes a tweet's preview into its author's month, with the tweet's data at the time of the event. The tweet may
// have changed since, so the caller must call [Writer.Reconcile] next. Put writes previews of one second together. A
// tweet in no audience partition has no preview.
//
// A late event means that the tweet was probably edited or deleted since, or that an earlier delivery failed. Then Put
// does not write the event's data, because a user who may not see the tweet any more would see the preview until
// Reconcile. Put reconciles the preview instead.
//
// Cost: 1 write; 2 writes for a tweet for followers; for a late event the cost of [Writer.ReconcilePreview].
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

// lateAfter is the age of a new tweet at which its event counts as late. Most events come within 2 s.
const lateAfter = 10 * time.Second

// ReconcilePreview makes the preview of a tweet in its author's month of one audience partition agree with the present
// tweet. A tweet of that partition has a preview there, and every other tweet has none. found reports whether the tweet
// exists. The transaction reads only the tweet, and writes the month without a read. Previews of one second are
// reconciled together.
//
// Each audience partition is reconciled separately. A tweet that moves between partitions has an event that names both,
// see [Writer.Update]. So the handler of an event that names one partition need not read the other.
//
// Cost: 3 reads and 1 write; 1 read for each further tweet of the same second.
func (w *Writer) ReconcilePreview(ctx context.Context, author model.UserID, id model.TweetID,
	audiencePartition model.AudiencePartition) (found bool, err error) {
	defer errs.Wrap(&err, "profiles.ReconcilePreview(%q, %d)", id, audiencePartition)
	return w.puts.Do(ctx, authorMonth{author, id.Month(), audiencePartition}, previewWrite{id: id})
}

// previewWrite is a preview to be put into a month. Without a preview, it is a tweet whose preview is to be reconciled.
type previewWrite struct {
	id  model.TweetID
	put *model.TweetPreview
}

// previewsTogether is the number of bytes of previews that are written at once. The limit leaves a month time to
// overflow before it reaches 1 MiB.
const previewsTogether = 64 << 10

// weight returns about how many bytes a preview has. A preview to be reconciled is not known yet, and weighs more than
// most previews.
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

// writePreviews puts and reconciles previews in a month. For each reconciled preview, the result says whether the tweet
// exists.
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

// followerMarks returns a mark for the author's open month that a preview for followers exists. The commit of such
// a preview writes the mark. So a reader who finds no mark need not read the months for followers. A mark stays when
// the last preview for followers is deleted.
func (w *Writer) followerMarks(m authorMonth) map[*firestore.DocumentRef]map[string]any {
	if m.audiencePartition != model.FollowersAudiencePartition {
		return nil
	}
	return map[*firestore.DocumentRef]map[string]any{
		w.tweetMonth(authorMonth{m.author, m.month, model.OpenAudiencePartition}): {
			fields.UserID: m.author, fields.Month: m.month, fields.Followers: true},
	}
}

// previewMerge returns previews and deletions of previews as a merge into a month. Only new previews count in the
// month's size.
func previewMerge(m authorMonth, previews map[string]any, put int) map[string]any {
	merge := map[string]any{fields.UserID: m.author, fields.Month: m.month, fields.Tweets: previews}
	if put > 0 {
		merge[bucket.SizeField] = firestore.Increment(put)
	}
	return merge
}
