// This file keeps poison events, which a function cannot handle, for operators. A dead letter is such an event with the
// reason. A function acknowledges the event when it has written the dead letter, because otherwise the event would come
// again for a day.

package ops

import (
	"context"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// DeadLetters keeps dead letters. Its methods may be called concurrently. Their errors are those
// of package errs.
type DeadLetters struct {
	db *db.DB
}

// NewDeadLetters returns the dead letters of a database.
func NewDeadLetters(d *db.DB) *DeadLetters { return &DeadLetters{db: d} }

// maxCause is how many characters of a cause a dead letter keeps.
const maxCause = 4_000

// Bury writes a dead letter for a poison event. It replaces the dead letter of an earlier delivery to the same
// function. Bury sets DiedAt and ExpireAt, and shortens Cause. Data of more than model.MaxDeadLetterData bytes is left
// out, and Truncated says so.
//
// Cost: 1 write.
func (s *DeadLetters) Bury(ctx context.Context, e model.DeadLetter) (err error) {
	defer errs.Wrap(&err, "ops.Bury(%q, %q)", e.EventID, e.Function)
	if len(e.Data) > model.MaxDeadLetterData {
		e.Data, e.Truncated = nil, true
	}
	for _, text := range []*string{&e.EventID, &e.Type, &e.Subject, &e.Source, &e.Cause} {
		*text = strings.ToValidUTF8(*text, "\ufffd") // the database refuses other text
	}
	e.Cause = model.Snippet(e.Cause, maxCause)
	e.DiedAt = s.db.Time()
	e.ExpireAt = e.DiedAt.Add(model.DeadLetterWindow)
	_, err = s.db.Doc(model.DeadLetters, model.IdempotencyRecordKey(e.EventID, e.Function)).Set(ctx, e)
	return err
}

// List lists the dead letters without their data, the newest first.
//
// Cost: 1 read for each dead letter, at least 1.
func (s *DeadLetters) List(ctx context.Context, from model.Cursor, limit int) (_ model.Page[model.DeadLetter],
	err error) {
	defer errs.Wrap(&err, "ops.List")
	q := s.db.Client.Collection(model.DeadLetters).
		Select(fields.EventID, fields.Function, fields.Type, fields.Subject, fields.Source, fields.Time, fields.Truncated,
			fields.Cause, fields.DiedAt, fields.ExpireAt)
	return db.Page(ctx, q, firestore.FieldPath{fields.DiedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (model.DeadLetter, model.Cursor, error) {
			e, err := decode(snap)
			return *e, model.Cursor{At: e.DiedAt, ID: e.ID}, err
		})
}

// Get reads a dead letter with its data. An unknown dead letter is errs.NotFound.
//
// Cost: 1 read.
func (s *DeadLetters) Get(ctx context.Context, id string) (_ *model.DeadLetter, err error) {
	defer errs.Wrap(&err, "ops.Get(%q)", id)
	absent := errs.New(errs.NotFound, "dead_letter_not_found", "there is no dead letter %q", id)
	if id == "" || strings.Contains(id, "/") {
		return nil, absent
	}
	snap, err := s.db.Doc(model.DeadLetters, id).Get(ctx)
	if db.NotFound(err) {
		return nil, absent
	}
	if err != nil {
		return nil, err
	}
	return decode(snap)
}

// Remove removes a dead letter that is as the caller read it. If the dead letter was written again since, Remove is
// errs.Conflict and changes nothing. A missing dead letter is no error: if the answer to a commit is lost, the client
// deletes once more.
//
// Cost: 1 delete; 1 read if the dead letter is not as the caller read it.
func (s *DeadLetters) Remove(ctx context.Context, e *model.DeadLetter) (err error) {
	defer errs.Wrap(&err, "ops.Remove(%q)", e.ID)
	ref := s.db.Doc(model.DeadLetters, e.ID)
	_, err = ref.Delete(ctx, firestore.LastUpdateTime(e.Version))
	if !db.NotFound(err) && !db.Outdated(err) {
		return err
	}
	there, failed := s.db.Get(ctx, ref, nil)
	if failed != nil || !there {
		return failed
	}
	return &errs.Error{Kind: errs.Conflict, Code: "buried_again", Msg: "this event died again meanwhile", Err: err}
}

// decode decodes a dead letter.
func decode(snap *firestore.DocumentSnapshot) (*model.DeadLetter, error) {
	e := &model.DeadLetter{ID: snap.Ref.ID, Version: snap.UpdateTime}
	return e, snap.DataTo(e)
}
