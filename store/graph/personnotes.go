package graph

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// PutNote keeps a user's note on another, which only the user sees. An empty text removes the note. A longer text than
// [model.MaxPersonNote], and a note on oneself, are errs.Invalid. A user without a profile is errs.Forbidden. Another
// user without a profile is errs.NotFound, unless the text is empty.
//
// Cost: 1 write, and 1 read for each of the two profiles that is not cached; 1 delete for an empty text.
func (s *Store) PutNote(ctx context.Context, uid, about model.UserID, text string) (_ model.PersonNote, err error) {
	defer errs.Wrap(&err, "graph.PutNote(%q, %q)", uid, about)
	n := model.PersonNote{UserID: uid, AboutID: about, UpdatedAt: s.db.Time()}
	if uid == about {
		return n, errs.New(errs.Invalid, "self_note", "a note is about somebody else")
	}
	if n.Text, err = model.CleanPersonNote(text); err != nil {
		return n, err
	}
	if n.Text == "" {
		return model.PersonNote{}, s.RemoveNote(ctx, uid, about)
	}
	if err := s.access.RequireUser(ctx, about); err != nil {
		return n, err
	}
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return n, err
	}
	b, ref := s.db.Batch(), s.db.PersonNote(uid, about)
	b.Set(ref, n)
	_, err = s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
		var is model.PersonNote
		_, err := s.db.Get(ctx, ref, &is)
		return is.Text == n.Text && is.UpdatedAt.Equal(n.UpdatedAt), err
	})
	return n, err
}

// Note reads a user's note on another. Without a note the text is empty.
//
// Cost: 1 read.
func (s *Store) Note(ctx context.Context, uid, about model.UserID) (n model.PersonNote, err error) {
	defer errs.Wrap(&err, "graph.Note(%q, %q)", uid, about)
	_, err = s.db.Get(ctx, s.db.PersonNote(uid, about), &n)
	return n, err
}

// RemoveNote removes a user's note on another. Without a note RemoveNote changes nothing.
//
// Cost: 1 delete.
func (s *Store) RemoveNote(ctx context.Context, uid, about model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.RemoveNote(%q, %q)", uid, about)
	return s.db.DeleteOnce(ctx, s.db.PersonNote(uid, about))
}
