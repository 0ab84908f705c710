package notifications

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/contention"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// lateFor is how long after a write its event may still come: a day, and an hour for clocks.
const lateFor = 25 * time.Hour

// Withdraw takes the notification event of a deleted source document off its notification. The actor leaves the
// notification, unless it has other notification events by the same user. A notification without actors is in no list
// and does not count as unread. The notification event leaves once, however often Withdraw is called. If Withdraw comes
// before Notify, Withdraw writes the notification event into the log as dropped, and Notify does nothing. So the order
// of the two events makes no difference.
//
// Cost: 2 reads and 2 writes; 1 read and 1 write more for a user with a document. If a full list of records loses one,
// 1 read for each of the next.
func (s *Writer) Withdraw(ctx context.Context, n *model.NotificationEvent) (err error) {
	defer errs.Wrap(&err, "notifications.Withdraw(%q)", n.ID)
	now := s.db.Now()
	if n.UserID == n.Payload.UserID || !now.Before(n.ExpireAt) || s.db.KnowsGone(n.UserID) {
		return nil
	}
	partition, _ := model.NotificationEventPartition(n.ID)
	ref := s.db.NotificationEvents(partition).Doc(n.ID)
	cold := s.contention.Shard(s.notification(n).Path) == contention.Cold
	for {
		done, err := s.tryWithdraw(ctx, ref, n, cold, now.Sub(n.At) < lateFor)
		if done || err != nil {
			return err
		}
		cold = false // another process writes the notification, or the notification event
	}
}

// tryWithdraw returns false if one of the documents changed since it was read.
func (s *Writer) tryWithdraw(ctx context.Context, ref *firestore.DocumentRef, n *model.NotificationEvent, cold,
	late bool) (bool, error) {
	found, err := db.As[model.NotificationEvent](ref.Get(ctx))
	if err != nil {
		return false, err
	}
	logged, same := &found.Doc, firestore.LastUpdateTime(found.Snap.UpdateTime)
	switch logged.ID = ref.ID; {
	case !found.Found && !late:
		return true, nil
	case !found.Found:
		dropped := *n
		dropped.Pending, dropped.Dropped, dropped.Between = false, true, ""
		_, err = ref.Create(ctx, dropped)
	case logged.Pending && logged.Withdrawn: // the process that withdrew it may have enqueued no flush
		return true, s.enqueueFlush(ctx, model.NotificationEventPartitionOf(n.UserID))
	case logged.Dropped || logged.Withdrawn:
		return true, nil
	case logged.Pending:
		_, err = ref.Update(ctx, []firestore.Update{{Path: fields.Dropped, Value: true},
			{Path: fields.Pending, Value: firestore.Delete}, {Path: fields.Between, Value: firestore.Delete}}, same)
	case cold:
		off := []model.NotificationEvent{*logged}
		off[0].Withdrawn = true
		return s.change(ctx, off, func(b *db.Batch) {
			b.Update(ref, became(&off[0]), same)
		})
	default:
		_, err = ref.Update(ctx, []firestore.Update{{Path: fields.Withdrawn, Value: true},
			{Path: fields.Pending, Value: true}}, same)
		if err == nil {
			err = s.enqueueFlush(ctx, model.NotificationEventPartitionOf(n.UserID))
		}
	}
	if db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) {
		return false, nil
	}
	return err == nil, err
}
