package store

import (
	"context"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// maxCause is how many characters of a cause a dead letter keeps.
const maxCause = 4_000

// Bury keeps an event that a function cannot handle, in the place of what is there
// from an earlier delivery to the same function: 1 write. ID, DiedAt and ExpireAt are
// filled in; data of more than model.MaxDeadEventData bytes is not kept.
func (s *Store) Bury(ctx context.Context, e model.DeadEvent) (err error) {
	defer errs.Wrap(&err, "store.Bury(%q, %q)", e.EventID, e.Function)
	if len(e.Data) > model.MaxDeadEventData {
		e.Data, e.Truncated = nil, true
	}
	for _, text := range []*string{&e.EventID, &e.Type, &e.Subject, &e.Source, &e.Cause} {
		*text = strings.ToValidUTF8(*text, "\ufffd") // or the database would refuse it
	}
	e.Cause = model.Snippet(e.Cause, maxCause)
	e.DiedAt = s.time()
	e.ExpireAt = e.DiedAt.Add(model.DeadEventWindow)
	_, err = s.doc(model.DeadEvents, model.EffectKey(e.EventID, e.Function)).Set(ctx, e)
	return err
}

// DeadEvents lists the dead letters, the last that died first, without their data: a
// read each.
func (s *Store) DeadEvents(ctx context.Context, from Cursor, limit int) (_ Page[model.DeadEvent], err error) {
	defer errs.Wrap(&err, "store.DeadEvents")
	q := s.fs.Collection(model.DeadEvents).
		Select("eventId", "function", "type", "subject", "source", "time", "truncated", "cause", "diedAt", "expireAt")
	return page(ctx, q, firestore.FieldPath{"diedAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (model.DeadEvent, Cursor, error) {
			e, err := deadEvent(snap)
			return *e, Cursor{At: e.DiedAt, ID: e.ID}, err
		})
}

// DeadEvent reads a dead letter: 1 read. One that is not there is errs.NotFound.
func (s *Store) DeadEvent(ctx context.Context, id string) (_ *model.DeadEvent, err error) {
	defer errs.Wrap(&err, "store.DeadEvent(%q)", id)
	absent := errs.New(errs.NotFound, "dead_event_not_found", "there is no dead event %q", id)
	if id == "" || strings.Contains(id, "/") {
		return nil, absent
	}
	snap, err := s.doc(model.DeadEvents, id).Get(ctx)
	if missing(err) {
		return nil, absent
	}
	if err != nil {
		return nil, err
	}
	return deadEvent(snap)
}

// Exhume removes a dead letter as it was read: 1 delete. One that was buried again since,
// or removed, is errs.Conflict, and stays as it is.
func (s *Store) Exhume(ctx context.Context, e *model.DeadEvent) (err error) {
	defer errs.Wrap(&err, "store.Exhume(%q)", e.ID)
	_, err = s.doc(model.DeadEvents, e.ID).Delete(ctx, firestore.LastUpdateTime(e.Version))
	if missing(err) || outdated(err) {
		return &errs.Error{Kind: errs.Conflict, Code: "buried_again", Msg: "this event died again meanwhile, or somebody else removed it", Err: err}
	}
	return err
}

func deadEvent(snap *firestore.DocumentSnapshot) (*model.DeadEvent, error) {
	e := &model.DeadEvent{ID: snap.Ref.ID, Version: snap.UpdateTime}
	return e, snap.DataTo(e)
}
