package notices

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// log writes an event into the log, once however often it is called, and asks for
// its partition to be drained: at most 2 writes.
func (s *Writer) log(ctx context.Context, e *model.Notice) error {
	partition, _ := model.NoticePartition(e.ID)
	if _, err := s.db.Notices(partition).Doc(e.ID).Create(ctx, e); err != nil && !db.AlreadyExists(err) {
		return err
	}
	return s.askDrain(ctx, partition)
}

// Notice looks an event up by its id: 1 read. What is not there, or not any more, is
// errs.NotFound.
func (s *Reader) Notice(ctx context.Context, id string) (_ *model.Notice, err error) {
	defer errs.Wrap(&err, "notices.Notice(%q)", id)
	partition, ok := model.NoticePartition(id)
	if !ok {
		return nil, errs.New(errs.Invalid, "invalid_event_id", "an event id is 29 lower-case hexadecimal digits")
	}
	e := &model.Notice{ID: id}
	found, err := s.db.Get(ctx, s.db.Notices(partition).Doc(id), e)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errs.New(errs.NotFound, "event_not_found", "there is no event %q", id)
	}
	return e, nil
}
