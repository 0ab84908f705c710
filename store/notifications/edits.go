package notifications

import (
	"context"
	"errors"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// toldAtOnce is how many users are told of an edit side by side.
const toldAtOnce = 8

// NotifyEdit tells the users who share a tweet that its author has edited it. r is what the edit
// replaced. A user hears once a day of edits of a tweet, and hears nothing of an edit from before
// the share, nor of one that left text and summary as they were. Of more than
// [model.MaxEditTold] users the last who shared the tweet are told: the work has a bound, and one
// event does all of it. A tweet that is hidden or gone by now tells nobody. One user who cannot be
// notified does not keep the others from it.
//
// Cost: 2 reads.
func (s *Writer) NotifyEdit(ctx context.Context, id model.TweetID, r *model.Revision) (err error) {
	defer errs.Wrap(&err, "notifications.NotifyEdit(%q)", id)
	read, err := s.db.Client.GetAll(ctx, []*firestore.DocumentRef{s.db.Tweet(id),
		s.db.Doc(model.TweetDetails, string(id))})
	if err != nil {
		return err
	}
	var t model.Tweet
	var d model.TweetDetail
	if found, err := db.Decode(read[0], nil)(&t); err != nil || !found {
		return err
	}
	if found, err := db.Decode(read[1], nil)(&d); err != nil || !found {
		return err
	}
	if t.AudiencePartition() != model.OpenAudiencePartition || d.Content == r.Content && t.Summary == r.Summary {
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

// editNotificationEvents are the notification events of an edit that are on no notification yet.
func (s *Writer) editNotificationEvents(ctx context.Context, id model.TweetID,
	r *model.Revision) (owed []*model.NotificationEvent, err error) {
	q := s.db.Client.Collection(model.Shares).Where("tweetId", "==", id).OrderBy("createdAt", firestore.Desc).
		Limit(model.MaxEditTold)
	shares, err := q.Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	var refs []*firestore.DocumentRef
	for _, snap := range shares {
		var share model.Like
		if err := snap.DataTo(&share); err != nil {
			return nil, err
		}
		if share.UserID == r.AuthorID || share.CreatedAt.After(r.ReplacedAt) {
			continue
		}
		n := model.EditNotificationEvent(id, r.AuthorID, share.UserID, r.ReplacedAt, s.zone)
		partition, _ := model.NotificationEventPartition(n.ID)
		owed, refs = append(owed, n), append(refs, s.db.NotificationEvents(partition).Doc(n.ID))
	}
	if len(refs) == 0 {
		return nil, nil
	}
	logged, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	left := owed[:0]
	for i, n := range owed {
		// Of a pending notification event nobody may have asked for the flush.
		if pending, _ := logged[i].DataAt("pending"); !logged[i].Exists() || pending == true {
			left = append(left, n)
		}
	}
	return left, nil
}
