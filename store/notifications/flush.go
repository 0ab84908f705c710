package notifications

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// flushTime is how long a flush goes on to the next user. The next flush does the rest. So one flush for many users
// ends in time though the database is slow.
const flushTime = 4 * time.Second

// flushSize is how many notification events of a partition a flush puts onto notifications at a time.
const flushSize = 100

// enqueueFlush leaves a work document for a partition, or finds one there. A work document that is there is not claimed
// yet, so the flush will see every notification event that is in the log by now.
//
// Cost: at most 1 write.
func (s *Writer) enqueueFlush(ctx context.Context, partition string) error {
	_, err := s.db.Ask(ctx, s.db.Doc(model.Flushes, partition), model.FlushWork{Partition: partition,
		ExpireAt: s.db.WorkExpiry()})
	return err
}

// FlushAll puts all pending notification events of a partition onto their notifications.
//
// Cost: 1 read; 1 read and 1 write for each notification event.
func (s *Writer) FlushAll(ctx context.Context, partition string) (err error) {
	defer errs.Wrap(&err, "notifications.FlushAll(%q)", partition)
	for {
		snaps, err := s.pending(ctx, partition)
		if err != nil || len(snaps) == 0 {
			return err
		}
		if _, err := s.putOn(ctx, snaps, never); err != nil {
			return err
		}
	}
}

func never() bool { return false }

// Flush waits for more notification events, and then puts up to 100 pending notification events of a partition onto
// their notifications. If there may be more, or no time is left, Flush leaves another work document. So the list of a
// user's notifications is written once for each work document, however many notification events there are.
//
// Flush claims its work document before it reads notification events. So a notification event that Flush misses leaves
// another work document. If another process claimed the work already, Flush puts no notification event onto a
// notification, and leaves another work document if notification events are pending. If Flush claimed the next work
// document instead, flushes would multiply while the user is hot.
//
// Cost: 1 delete; what [Writer.FlushAll] costs for up to 100 notification events; at most 1 write.
func (s *Writer) Flush(ctx context.Context, w model.FlushWork) (err error) {
	defer errs.Wrap(&err, "notifications.Flush(%q)", w.Partition)
	if err := db.Pause(ctx, s.after); err != nil {
		return err
	}
	mine, err := s.db.Take(ctx, s.db.Doc(model.Flushes, w.Partition), w.WrittenAt)
	if err != nil {
		return err
	}
	snaps, err := s.pending(ctx, w.Partition)
	if err != nil || len(snaps) == 0 {
		return err
	}
	if mine {
		until := time.Now().Add(s.FlushTime)
		all, err := s.putOn(ctx, snaps, func() bool { return time.Now().After(until) })
		if err != nil || all && len(snaps) < flushSize {
			return err
		}
	}
	return s.enqueueFlush(ctx, w.Partition)
}

// pending reads up to flushSize pending notification events of a partition.
//
// Cost: 1 read for each notification event, at least 1.
func (s *Writer) pending(ctx context.Context, partition string) ([]*firestore.DocumentSnapshot, error) {
	return s.db.All(ctx, s.db.NotificationEvents(partition).Where(fields.Pending, "==", true).Limit(flushSize))
}

// putOn puts notification events of any users onto their notifications until over returns true. It returns whether it
// put all of them on. It finishes at least one user.
func (s *Writer) putOn(ctx context.Context, snaps []*firestore.DocumentSnapshot, over func() bool) (all bool,
	err error) {
	users := map[model.UserID][]*firestore.DocumentSnapshot{}
	for _, snap := range snaps {
		var n model.NotificationEvent
		if err := snap.DataTo(&n); err != nil {
			return false, err
		}
		users[n.UserID] = append(users[n.UserID], snap)
	}
	left := len(users)
	for _, notificationEvents := range users {
		if err := s.putOnOne(ctx, notificationEvents); err != nil {
			return false, err
		}
		if left--; left > 0 && over() {
			return false, nil
		}
	}
	return true, nil
}

// putOnOne puts notification events of one user onto their notifications, and takes withdrawn ones off. One commit
// writes the notifications, their actors, and the notification events, which are no longer pending. Notification events
// between users of whom one has blocked the other are not put on, nor are events that the user's settings refuse. The
// commit fails unless every document is unchanged since it was read. Nothing is locked. If another process was first,
// putOnOne starts again with the notification events that are still pending.
func (s *Writer) putOnOne(ctx context.Context, snaps []*firestore.DocumentSnapshot) error {
	for {
		ok, err := s.tryPutOnOne(ctx, snaps)
		if ok || err != nil {
			return err
		}
		refs := make([]*firestore.DocumentRef, len(snaps))
		for i, snap := range snaps {
			refs[i] = snap.Ref
		}
		if snaps, err = s.db.Client.GetAll(ctx, refs); err != nil {
			return err
		}
		snaps = slices.DeleteFunc(snaps, func(snap *firestore.DocumentSnapshot) bool {
			pending, _ := snap.DataAt(fields.Pending)
			return !snap.Exists() || pending != true
		})
		if len(snaps) == 0 {
			return nil
		}
	}
}

// tryPutOnOne returns false and writes nothing if another process was first.
func (s *Writer) tryPutOnOne(ctx context.Context, snaps []*firestore.DocumentSnapshot) (bool, error) {
	notificationEvents := make([]model.NotificationEvent, len(snaps))
	for i, snap := range snaps {
		if err := snap.DataTo(&notificationEvents[i]); err != nil {
			return false, err
		}
		notificationEvents[i].ID = snap.Ref.ID
	}
	return s.change(ctx, notificationEvents, func(b *db.Batch) {
		for i, snap := range snaps {
			b.Update(snap.Ref, became(&notificationEvents[i]), firestore.LastUpdateTime(snap.UpdateTime))
		}
	})
}

// became returns the updates for the outcome of a notification event that was pending.
func became(n *model.NotificationEvent) []firestore.Update {
	return []firestore.Update{
		{Path: fields.Pending, Value: firestore.Delete}, {Path: fields.Dropped, Value: db.OrDelete(true, !n.Dropped)},
		{Path: fields.Filtered, Value: db.OrDelete(true, !n.Filtered)},
		{Path: fields.Withdrawn, Value: db.OrDelete(true, !n.Withdrawn)},
		{Path: fields.Between, Value: db.OrDelete(n.Between, n.Between == "")},
		{Path: fields.On, Value: db.OrDelete(n.On, n.On == "")},
		{Path: fields.Reading, Value: db.OrDelete(n.Reading, n.Reading == 0)},
	}
}
