package notifications

import (
	"cmp"
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// log writes a pending notification event into the event log and enqueues a flush of its partition. The event is in the
// log once, however often log is called. The commit that creates it also has the count. If the notification event is
// there already, another commit has or gets the count; and if the event is not pending, there is nothing to flush.
//
// Cost: at most 2 writes, and what the count costs. 1 read for a notification event that is there; 1 more with a count.
func (s *Writer) log(ctx context.Context, n *model.NotificationEvent, c *count) error {
	partition, _ := model.NotificationEventPartition(n.ID)
	ref, flush := s.db.NotificationEvents(partition).Doc(n.ID), true
	err := s.db.Update(ctx, func(ctx context.Context) error {
		pending := *n
		flush = true
		c.mark(&pending)
		b := s.db.Batch()
		b.Create(ref, pending)
		c.add(b, nil, true)
		_, failure := b.Commit(ctx)
		switch {
		case failure == nil:
			return c.done(ctx)
		case !db.AlreadyExists(failure) && (c.effect == nil || !db.NotFound(failure)):
			return failure
		case db.AlreadyExists(failure) && c.effect != nil:
			var found bool
			var err error
			if found, flush, err = s.countLogged(ctx, ref, c); err != nil {
				return err
			} else if !found { // the idempotency record is there
				return cmp.Or(c.failed(ctx, failure), db.Late(failure))
			}
		case db.NotFound(failure):
			return cmp.Or(c.failed(ctx, failure), db.Late(failure))
		}
		// A slow process that ended may have put it on despite a block.
		_, err := s.blockedSince(ctx, []model.NotificationEvent{*n})
		return err
	})
	if err != nil || !flush {
		return err
	}
	return s.enqueueFlush(ctx, partition)
}

// NotificationEvent reads a notification event by its id. An id of another form is errs.Invalid. A notification event
// that is not in the event log, or no longer, is errs.NotFound.
//
// Cost: 1 read.
func (s *Reader) NotificationEvent(ctx context.Context, id string) (_ *model.NotificationEvent, err error) {
	defer errs.Wrap(&err, "notifications.NotificationEvent(%q)", id)
	partition, ok := model.NotificationEventPartition(id)
	if !ok {
		return nil, errs.New(errs.Invalid, "invalid_event_id", "an event id is 29 lower-case hexadecimal digits")
	}
	n := &model.NotificationEvent{ID: id}
	found, err := s.db.Get(ctx, s.db.NotificationEvents(partition).Doc(id), n)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errs.New(errs.NotFound, "event_not_found", "there is no event %q", id)
	}
	return n, nil
}
