package profiles

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Update makes the previews of an edited or deleted tweet agree with the tweet, in its author's month and head. before
// and after are the tweet in the event, and one of them may be nil. Update does nothing for a flag that was set and is
// removed already.
//
// Update reconciles the audience partitions that the event names. If the tweet has moved to another partition since,
// that move has an event of its own.
//
// If the author's account is deleted, the account deletion removes the previews with their months.
//
// Cost: nothing if nothing changed; otherwise the cost of ReconcilePreview and ReconcileHead.
func (w *Writer) Update(ctx context.Context, id model.TweetID, before, after *model.Tweet) (err error) {
	defer errs.Wrap(&err, "profiles.Update(%q)", id)
	t := after
	switch {
	case after == nil:
		if t = before; w.db.KnowsGone(t.AuthorID) {
			return nil
		}
	case before != nil && after.Preview().Equal(before.Preview()):
		return nil
	}
	audiencePartitions := model.AudiencePartitions(before, after)
	for _, audiencePartition := range audiencePartitions {
		if _, err := w.ReconcilePreview(ctx, t.AuthorID, id, audiencePartition); err != nil {
			return err
		}
	}
	if len(audiencePartitions) == 0 {
		return nil
	}
	return w.ReconcileHead(ctx, t.AuthorID, id.Position())
}
