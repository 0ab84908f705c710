package notifications

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// blockReconciles is the age of a block at which WithdrawBlocked searches for notification events. By then a process
	// that read before the block has usually put its notification events on, and the search finds them. A slower process
	// reads the block again itself.
	blockReconciles = 2 * time.Second

	// withdrawnTogether is how many notification events one query of WithdrawBlocked reads. withdrawnAtOnce is how many of
	// them are withdrawn concurrently.
	withdrawnTogether, withdrawnAtOnce = 100, 8
)

// WithdrawBlocked withdraws the notification events between two users of whom one has blocked the other, read or
// unread, from the notifications of both. Notification events of orders stay. WithdrawBlocked does nothing if the block
// is gone by now, and an unblock restores nothing. Notification events that come later are dropped. A call that failed
// halfway may be repeated: it does not find notification events again that are withdrawn.
//
// Cost: 5 reads, 1 read for each notification event, and the cost of [Writer.Withdraw] for each that is withdrawn.
func (s *Writer) WithdrawBlocked(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "notifications.WithdrawBlocked(%q, %q)", blocker, blockee)
	block, err := s.db.Block(blocker, blockee).Get(ctx)
	if db.NotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := db.Pause(ctx, blockReconciles-block.ReadTime.Sub(block.UpdateTime)); err != nil {
		return err
	}
	for _, pair := range [][2]model.UserID{{blocker, blockee}, {blockee, blocker}} {
		if err := s.withdrawBetween(ctx, block, pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// withdrawBetween withdraws the notification events of a user by an actor while a block between the two is there.
//
// Cost: 1 read, 1 read for each notification event, at least 1, and what is withdrawn.
func (s *Writer) withdrawBetween(ctx context.Context, block *firestore.DocumentSnapshot, notified,
	actor model.UserID) error {
	q := s.db.NotificationEvents(model.NotificationEventPartitionOf(notified)).
		Where(fields.Between, "==", model.BlockKey(notified, actor)).
		OrderBy(firestore.DocumentID, firestore.Asc).Limit(withdrawnTogether)
	for page := q; ; {
		// Notification events that come after an unblock stay.
		switch is, err := block.Ref.Get(ctx); {
		case db.NotFound(err):
			return nil
		case err != nil:
			return err
		case !is.UpdateTime.Equal(block.UpdateTime):
			return nil // the event of the other block does it
		}
		snaps, err := page.Documents(ctx).GetAll()
		if err != nil {
			return err
		}
		var on []*model.NotificationEvent
		for _, snap := range snaps {
			n := &model.NotificationEvent{}
			if err := snap.DataTo(n); err != nil {
				return err
			}
			n.ID = snap.Ref.ID
			on = append(on, n)
		}
		_, err = sideBySide(withdrawnAtOnce, on, func(n *model.NotificationEvent) (bool, error) {
			return true,
				s.Withdraw(ctx, n)
		})
		if err != nil || len(snaps) < withdrawnTogether {
			return err
		}
		page = q.StartAfter(snaps[len(snaps)-1])
	}
}

// blockedSince withdraws the given notification events that were put on a notification while its owner and the
// actor got a block between them, and returns the ids of those that it withdrew.
//
// Cost: 2 reads for each user, and what [Writer.Withdraw] costs for each notification event that it withdraws.
func (s *Writer) blockedSince(ctx context.Context,
	notificationEvents []model.NotificationEvent) (map[string]bool, error) {
	var l db.Lookup
	blocks := map[model.UserID][2]*db.Found[struct{}]{}
	for i := range notificationEvents {
		n := &notificationEvents[i]
		if by := n.Payload.UserID; blocks[by][0] == nil && (!n.Dropped || n.Filtered) && !n.Withdrawn {
			blocks[by] = [2]*db.Found[struct{}]{db.Find[struct{}](&l, s.db.Block(n.UserID, by)),
				db.Find[struct{}](&l, s.db.Block(by, n.UserID))}
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	off := map[string]bool{}
	for i := range notificationEvents {
		n := &notificationEvents[i]
		is := blocks[n.Payload.UserID]
		if (!n.Dropped || n.Filtered) && !n.Withdrawn && (is[0].Found || is[1].Found) && n.Type.Blockable() {
			if err := s.Withdraw(ctx, n); err != nil {
				return nil, err
			}
			off[n.ID] = true
		}
	}
	return off, nil
}
