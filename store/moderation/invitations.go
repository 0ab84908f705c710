package moderation

import (
	"context"
	"strconv"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Invite makes an invitation for a number of people until a time, with its entry in the audit log. One of another form
// is errs.Invalid.
//
// Cost: 2 writes.
func (s *Store) Invite(ctx context.Context, by Actor, note string, uses int, until time.Time) (_ *model.Invitation,
	err error) {
	defer errs.Wrap(&err, "moderation.Invite(%q)", by.UID)
	now := s.db.Time()
	is, err := model.Invitation{Code: model.NewInvitationCode(), By: by.UID, Note: note, MaxUses: uses, CreatedAt: now,
		ExpireAt: until.UTC().Truncate(time.Microsecond)}.Clean(now)
	if err != nil {
		return nil, err
	}
	entry := s.entry(by, model.ActInvite, "")
	entry.After = invitationTold(&is)
	ref := s.db.Invitation(is.Code)
	b := s.db.Batch()
	b.Set(ref, is) // nobody else has the code
	s.log(b, entry)
	_, err = s.db.CommitOnce(ctx, b, s.db.Made(ref))
	s.done(ctx, entry, err)
	return &is, err
}

// Uninvite removes an invitation, with an entry in the audit log. Without the invitation it changes nothing. Users who
// signed up by it stay.
//
// Cost: 1 read, and 1 write and 1 delete if the invitation exists.
func (s *Store) Uninvite(ctx context.Context, by Actor, code model.InvitationCode) (err error) {
	defer errs.Wrap(&err, "moderation.Uninvite")
	var entry *model.Action
	ref := s.db.Invitation(code)
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		entry = nil
		is := &model.Invitation{Code: code}
		if found, err := db.GetIn(tx, ref, is); err != nil || !found {
			return err
		}
		entry = s.entry(by, model.ActUninvite, "")
		entry.Before = invitationTold(is)
		shorten(entry)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Delete(ref)
	}, s.db.Gone(ref))
	s.done(ctx, entry, err)
	return err
}

// Invitations lists invitations, newest first. Those that have expired are gone a day later or so.
//
// Cost: 1 read for each invitation, at least 1.
func (s *Store) Invitations(ctx context.Context, from model.Cursor, limit int) (_ model.Page[model.Invitation],
	err error) {
	defer errs.Wrap(&err, "moderation.Invitations")
	return db.Page(ctx, s.db.Client.Collection(model.Invitations).Query, firestore.FieldPath{fields.CreatedAt},
		firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (i model.Invitation, at model.Cursor, err error) {
			err = snap.DataTo(&i)
			i.Code = model.InvitationCode(snap.Ref.ID)
			return i, model.Cursor{At: i.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// invitationTold is what the audit log says of an invitation. It has the beginning of the code alone, by which nobody
// signs up.
func invitationTold(is *model.Invitation) map[string]string {
	return map[string]string{"code": string(is.Code[:4]) + "…", "note": is.Note, "maxUses": strconv.Itoa(is.MaxUses),
		"uses": strconv.Itoa(is.Uses), "expireAt": is.ExpireAt.Format(time.RFC3339)}
}
