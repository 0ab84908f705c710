package moderation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Note writes a note on a user, for moderators. A note never changes. The audit log has the act, without the text. A
// user without a profile can have notes.
//
// Cost: 2 writes.
func (s *Store) Note(ctx context.Context, by Actor, uid model.UserID, text string) (_ *model.UserNote, err error) {
	defer errs.Wrap(&err, "moderation.Note(%q)", uid)
	if err := model.ValidateNote(text); err != nil {
		return nil, err
	}
	entry := s.entry(by, model.ActNote, uid)
	n := &model.UserNote{ID: entry.ID, UserID: uid, By: by.UID, Text: text}
	b := s.db.Batch()
	b.Set(s.db.Doc(model.UserNotes, n.ID), n)
	s.log(b, entry)
	results, err := b.Commit(ctx)
	if err != nil {
		return nil, err
	}
	s.done(ctx, entry, nil)
	n.At = results[0].UpdateTime
	return n, nil
}

// Notes lists the notes on a user, newest first.
//
// Cost: 1 read for each note, at least 1.
func (s *Store) Notes(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.UserNote], err error) {
	defer errs.Wrap(&err, "moderation.Notes(%q)", uid)
	q := s.db.Client.Collection(model.UserNotes).Where(fields.UserID, "==", uid)
	return db.Page(ctx, q, firestore.FieldPath{fields.At}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (n model.UserNote, at model.Cursor, err error) {
			err = snap.DataTo(&n)
			n.ID = snap.Ref.ID
			return n, model.Cursor{At: n.At, ID: n.ID}, err
		})
}
