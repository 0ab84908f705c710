package profiles

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Update makes the previews of an edited or deleted tweet agree with the tweet, in its
// author's month and newest tweets. before and after are the tweet as its event says; one
// of them may be nil. Where only counts changed, as at every like, Update does nothing.
//
// Update reconciles the audience partitions on which the event saw the tweet. If the tweet has moved to
// another since, that has an event of its own, which comes.
//
// The previews of an author who has left are removed with their months, by the account deletion.
//
// A person who changes a tweet at the console does not set changedAt. Then Update sets
// it, so that home pages show the change, and moderatedAt with a flag.
//
// Cost: nothing where only counts changed; otherwise what [Writer.ReconcilePreview] costs for each
// audience partition, what [Writer.RebuildRecent] costs if one of them is the open one, and 1 write for a
// tweet that was not stamped.
// Nothing for a deleted tweet, if this process knows that the author is gone.
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

// stamp sets changedAt of a tweet, and makes some updates. A tweet that is gone stays gone.
//
// Cost: 1 write.
func (w *Writer) stamp(ctx context.Context, tweet *firestore.DocumentRef, updates []firestore.Update) error {
	_, err := tweet.Update(ctx, w.db.Stamped(tweet, updates))
	if db.NotFound(err) {
		return nil
	}
	return err
}
