package notifications

import (
	"context"
	"errors"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// toldAtOnce is how many users are notified of an edit concurrently.
const toldAtOnce = 8

// NotifyEdit notifies the users who share a tweet that its author has edited it. r is the revision that the edit
// replaced. A user is notified of edits of a tweet once a day. A user is not notified of an edit before the share, or
// of an edit that kept text and summary. If more than [model.MaxEditTold] users share the tweet, the last of them are
// notified: the work has a bound, and one event does all of it. Edits of a hidden or deleted tweet notify no user. A
// user who cannot be notified does not stop the notification of the others.
//
// Cost: 2 reads. For each notified user also 2 reads and what [Writer.Notify] costs, at most [model.MaxEditTold] times.
func (s *Writer) NotifyEdit(ctx context.Context, id model.TweetID, r *model.Revision) (err error) {
	defer errs.Wrap(&err, "notifications.NotifyEdit(%q)", id)
	var l db.Lookup
	t, d := db.Find[model.Tweet](&l, s.db.Tweet(id)),
		db.Find[model.TweetDetail](&l, s.db.Doc(model.TweetDetails, string(id)))
	if err := s.db.Read(ctx, &l); err != nil || !t.Found || !d.Found {
		return err
	}
	if t.Doc.AudiencePartition() != model.OpenAudiencePartition ||
		d.Doc.Content == r.Content && t.Doc.Summary == r.Summary {
		return nil
	}
	owed, err := s.editNotificationEvents(ctx, id, r)
	if err != nil {
		return err
	}
	failed := make([]error, len(owed))
	var g safely.Group
	g.SetLimit(toldAtOnce)
	for i, n := range owed {
		g.Go(func() error {
			failed[i] = safely.Do(func() error { return s.Notify(ctx, n) })
			return nil
		})
	}
	_ = g.Wait()
	return errors.Join(failed...)
}

// editNotificationEvents returns the notification events of an edit that are on no notification yet.
func (s *Writer) editNotificationEvents(ctx context.Context, id model.TweetID,
	r *model.Revision) (owed []*model.NotificationEvent, err error) {
	q := s.db.Client.Collection(model.Shares).Where(fields.TweetID, "==", id).OrderBy(fields.CreatedAt, firestore.Desc).
		Limit(model.MaxEditTold)
	shares, err := q.Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	var l db.Lookup
	var logged []*db.Found[model.NotificationEvent]
	for _, snap := range shares {
		var share model.Share
		if err := snap.DataTo(&share); err != nil {
			return nil, err
		}
		if share.UserID == r.AuthorID || share.CreatedAt.After(r.ReplacedAt) {
			continue
		}
		n := model.EditNotificationEvent(id, r.AuthorID, share.UserID, r.ReplacedAt, s.zone)
		partition, _ := model.NotificationEventPartition(n.ID)
		owed = append(owed, n)
		logged = append(logged, db.Find[model.NotificationEvent](&l, s.db.NotificationEvents(partition).Doc(n.ID)))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	left := owed[:0]
	for i, was := range logged {
		// The process that wrote a pending notification event may have enqueued no flush.
		if !was.Found || was.Doc.Pending {
			left = append(left, owed[i])
		}
	}
	return left, nil
}
