package profiles

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Update makes the previews of an edited or deleted tweet agree with the tweet, in its author's month and newest
// tweets. before and after are the tweet in the event, and one of them may be nil. Update does nothing if only counts
// changed, as after a like.
//
// Update reconciles the audience partitions that the event names. If the tweet has moved to another partition since,
// that move has an event of its own.
//
// If the author's account is deleted, the account deletion removes the previews with their months.
//
// A person who changes a tweet at the console does not set changedAt. Then Update sets changedAt, so that home pages
// show the change. If the flag changed, Update also sets moderatedAt.
//
// Cost: nothing if only counts changed; otherwise the cost of ReconcilePreview and RebuildRecent.
func (w *Writer) Update(ctx context.Context, id model.TweetID, before, after *model.Tweet) (err error) {
	defer errs.Wrap(&err, "profiles.Update(%q)", id)
	t := after
	switch {
	case after == nil:
		if t = before; w.db.KnowsGone(t.AuthorID) {
			return nil
		}
	case before == nil:
	case after.Preview().Equal(before.Preview()):
		return nil
	case after.ChangedAt.Equal(before.ChangedAt):
		var moderated []firestore.Update
		if after.IsViolative != before.IsViolative {
			moderated = []firestore.Update{{Path: model.ModeratedAt, Value: firestore.ServerTimestamp}}
		}
		if err := w.stamp(ctx, w.db.Tweet(id), moderated); err != nil {
			return err
		}
	}
	audiencePartitions := model.AudiencePartitions(before, after)
	for _, audiencePartition := range audiencePartitions {
		if _, err := w.ReconcilePreview(ctx, t.AuthorID, id, audiencePartition); err != nil {
			return err
		}
	}
	if !slices.Contains(audiencePartitions, model.OpenAudiencePartition) {
		return nil
	}
	return w.RebuildRecent(ctx, t.AuthorID)
}

// stamp sets changedAt of a tweet, and makes some updates. A deleted tweet stays deleted.
//
// Cost: 1 write.
func (w *Writer) stamp(ctx context.Context, tweet *firestore.DocumentRef, updates []firestore.Update) error {
	_, err := tweet.Update(ctx, w.db.Stamped(tweet, updates))
	if db.NotFound(err) {
		return nil
	}
	return err
}
