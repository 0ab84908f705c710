package notifications

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// log writes a pending notification event into the event log and enqueues a flush of its partition. The event is in the
// log once, however often log is called.
//
// Cost: at most 2 writes. 1 read for a notification event that is there.
func (s *Writer) log(ctx context.Context, n *model.NotificationEvent) error {
	partition, _ := model.NotificationEventPartition(n.ID)
	if _, err := s.db.NotificationEvents(partition).Doc(n.ID).Create(ctx, n); err != nil && !db.AlreadyExists(err) {
		return err
	} else if err != nil { // a slow process that ended may have put it on despite a block
		if err := s.blockedSince(ctx, []model.NotificationEvent{*n}); err != nil {
			return err
		}
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
