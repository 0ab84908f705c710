package notifications

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// log writes a pending notice into the event log, once however often log is called for the
// notice, and asks for a drain of its partition.
//
// Cost: at most 2 writes. 1 read for a notice that is there.
func (s *Writer) log(ctx context.Context, n *model.Notice) error {
	partition, _ := model.NoticePartition(n.ID)
	if _, err := s.db.Notices(partition).Doc(n.ID).Create(ctx, n); err != nil && !db.AlreadyExists(err) {
		return err
	} else if err != nil { // a process that was slow, and ended, may have put it on beside a block
		if err := s.blockedSince(ctx, []model.Notice{*n}); err != nil {
			return err
		}
	}
	return s.askDrain(ctx, partition)
}

// Notice looks a notice up by its id. An id of another form is errs.Invalid. A notice that
// is not in the event log, or not any more, is errs.NotFound.
//
// Cost: 1 read.
func (s *Reader) Notice(ctx context.Context, id string) (_ *model.Notice, err error) {
	defer errs.Wrap(&err, "notifications.Notice(%q)", id)
	partition, ok := model.NoticePartition(id)
	if !ok {
		return nil, errs.New(errs.Invalid, "invalid_event_id", "an event id is 29 lower-case hexadecimal digits")
	}
	n := &model.Notice{ID: id}
	found, err := s.db.Get(ctx, s.db.Notices(partition).Doc(id), n)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errs.New(errs.NotFound, "event_not_found", "there is no event %q", id)
	}
	return n, nil
}
