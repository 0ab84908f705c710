package notifications

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/counters"
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
// 1 read for each of the next. 1 read and 1 delete more for a notification of version 0.1.0 that is in no list.
func (s *Writer) Withdraw(ctx context.Context, n *model.NotificationEvent) (err error) {
	return s.WithdrawAndCount(ctx, n, nil)
}

// WithdrawAndCount is [Writer.Withdraw] for an event that is also counted, as [Writer.NotifyAndCount] counts. Without a
// notification event the effect is committed with an idempotency record.
//
// Only a counted event of a hot user waits for others to share a commit. A withdrawal without a count is often one of
// many that one event causes, or comes from a shared commit itself. It is pending at once.
//
// Cost: what Withdraw costs, and 1 write for each counted document. 1 or 2 writes more if the notification event is not
// on its notification, and if the source document is older than half a day.
func (s *Writer) WithdrawAndCount(ctx context.Context, n *model.NotificationEvent, e *counters.Effect) (err error) {
	defer errs.Wrap(&err, "notifications.Withdraw(%q)", n.ID)
	if n.UserID.Remote() && e == nil {
		return nil
	} else if n.UserID.Remote() {
		return e.Commit(ctx)
	}
	n = s.kept(n)
	if e != nil {
		if err := e.Prepare(ctx); err != nil {
			return err
		}
	}
	c, now := s.count(n, e), s.db.Now()
	if n.UserID == n.Payload.UserID || !now.Before(n.ExpireAt) || s.db.KnowsGone(n.UserID) {
		return c.alone(ctx)
	}
	partition, _ := model.NotificationEventPartition(n.ID)
	ref := s.db.NotificationEvents(partition).Doc(n.ID)
	cold := s.contention.Shard(s.hot(n)) == contention.Cold
	crowd := e != nil && !s.contention.Busy(s.hot(n))
	for {
		var found *db.Found[model.NotificationEvent]
		if !cold && crowd {
			is, err := s.crowds.Do(ctx, n.UserID, together{n: n, c: c, off: true})
			if is.done || err != nil {
				return err
			}
			if err := gate.Return(ctx); err != nil {
				return err
			}
			found, crowd = is.read, false
		}
		if found == nil {
			if found, err = db.As[model.NotificationEvent](ref.Get(ctx)); err != nil {
				return err
			}
		}
		done, err := s.tryWithdraw(ctx, ref, found, n, c, cold, now.Sub(n.At) < lateFor)
		if done || err != nil {
			return err
		}
		cold = false // another process writes the user's notifications, or the notification event
	}
}

// tryWithdraw returns false if one of the documents changed since it was read, or if a counted document is gone.
func (s *Writer) tryWithdraw(ctx context.Context, ref *firestore.DocumentRef, found *db.Found[model.NotificationEvent],
	n *model.NotificationEvent, c *count, cold, late bool) (bool, error) {
	logged, same := &found.Doc, firestore.LastUpdateTime(found.Snap.UpdateTime)
	if err := c.read(ctx, logged); err != nil {
		return false, err
	}
	b, flush, taken := s.db.Batch(), false, false
	switch logged.ID = ref.ID; {
	case !found.Found && !late:
		return true, c.alone(ctx)
	case !found.Found:
		dropped := *n
		dropped.Pending, dropped.Dropped, dropped.Between = false, true, ""
		c.mark(&dropped)
		b.Create(ref, dropped)
	case logged.Filtered:
		b.Update(ref, c.marked(logged, firestore.Update{Path: fields.Filtered, Value: firestore.Delete},
			firestore.Update{Path: fields.Between, Value: firestore.Delete}), same)
		if err := s.takeFromRequests(ctx, b, logged); err != nil {
			return false, err
		}
	case logged.Withdrawn || logged.Dropped:
		// The process that withdrew a pending notification event may have enqueued no flush.
		flush = logged.Pending && logged.Withdrawn
		if c.effect == nil {
			return true, s.flushIf(ctx, flush, n)
		}
		if updates := c.marked(logged); len(updates) > 0 {
			b.Update(ref, updates, same)
		}
	case logged.Pending:
		taken = true
		b.Update(ref, c.marked(logged, firestore.Update{Path: fields.Dropped, Value: true},
			firestore.Update{Path: fields.Pending, Value: firestore.Delete},
			firestore.Update{Path: fields.Between, Value: firestore.Delete}), same)
	case cold:
		off := []model.NotificationEvent{*logged}
		off[0].Withdrawn = true
		done, err := s.change(ctx, off, func(b *db.Batch) {
			b.Update(ref, c.marked(logged, became(&off[0])...), same)
			c.add(b, logged, true)
		})
		if !done || err != nil {
			return done, err
		}
		return true, c.done(ctx)
	default:
		flush, taken = true, true
		b.Update(ref, c.marked(logged, firestore.Update{Path: fields.Withdrawn, Value: true},
			firestore.Update{Path: fields.Pending, Value: true}), same)
	}
	c.add(b, logged, taken)
	switch _, err := b.Commit(ctx); {
	case db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err):
		return false, c.failed(ctx, err)
	case err != nil:
		return false, err
	}
	if err := c.done(ctx); err != nil {
		return false, err
	}
	return true, s.flushIf(ctx, flush, n)
}

// flushIf enqueues a flush of the partition of a notification event, if the flush is needed.
func (s *Writer) flushIf(ctx context.Context, needed bool, n *model.NotificationEvent) error {
	if !needed {
		return nil
	}
	return s.enqueueFlush(ctx, model.NotificationEventPartitionOf(n.UserID))
}
