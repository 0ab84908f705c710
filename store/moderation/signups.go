package moderation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/users"
)

// SignUps lists the sign-ups that wait for approval, oldest first.
//
// Cost: 1 read for each, at least 1.
func (s *Store) SignUps(ctx context.Context, from model.Cursor, limit int) (_ model.Page[*model.SignUp], err error) {
	defer errs.Wrap(&err, "moderation.SignUps")
	page, err := db.Page(ctx, s.db.Client.Collection(model.SignUps).Query, firestore.FieldPath{fields.CreatedAt},
		firestore.Asc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.SignUp, model.Cursor, error) {
			is := &model.SignUp{UserID: model.UserID(snap.Ref.ID)}
			err := snap.DataTo(is)
			return is, model.Cursor{At: is.CreatedAt, ID: snap.Ref.ID}, err
		})
	if err != nil {
		return page, err
	}
	waiting := page.Items[:0]
	for _, is := range page.Items {
		if is.Waits(s.db.Now()) {
			waiting = append(waiting, is)
		}
	}
	page.Items = waiting
	return page, nil
}

// Approve makes the profile of a sign-up that waits, and its entry of the audit log, in one commit that removes the
// sign-up. A repetition finds the profile, and makes no entry. A username that somebody else took meanwhile is
// errs.Exists (username_taken): the sign-up waits on. A sign-up that was refused is errs.Conflict (sign_up_refused).
//
// Cost: 1 read more than that of [users.Store.CreateUser], 1 write and 1 delete more.
func (s *Store) Approve(ctx context.Context, by Actor, uid model.UserID) (u *users.FullUser, err error) {
	defer errs.Wrap(&err, "moderation.Approve(%q)", uid)
	is, err := s.users.SignUp(ctx, uid)
	if errs.KindOf(err) == errs.NotFound {
		return s.approved(ctx, uid)
	}
	if err != nil {
		return nil, err
	}
	if is.Refused {
		return nil, errs.New(errs.Conflict, "sign_up_refused", "this sign-up was refused")
	}
	entry := s.entry(by, model.ActApproveSignUp, uid)
	entry.After = map[string]string{"username": is.Username}
	u, err = s.users.CreateUser(ctx, uid, is.NewUser(), s.logIn(entry), func(tx *firestore.Transaction) error {
		return tx.Delete(s.db.SignUp(uid), firestore.Exists)
	})
	switch {
	case errs.CodeOf(err) == "user_exists": // approved meanwhile, or made without an approval that was needed before
		if err := s.users.TakeBack(ctx, uid); err != nil {
			return nil, err
		}
		return s.users.FullUser(ctx, uid)
	case db.NotFound(err): // approved or taken back meanwhile
		return s.approved(ctx, uid)
	}
	s.done(ctx, entry, err)
	return u, err
}

// approved returns the profile of a user without a sign-up: an approval made it, whose answer may have been lost.
// Without a profile there was no sign-up.
func (s *Store) approved(ctx context.Context, uid model.UserID) (*users.FullUser, error) {
	u, err := s.users.FullUser(ctx, uid)
	if errs.KindOf(err) == errs.NotFound {
		return nil, model.NoSignUp()
	}
	return u, err
}

// Refuse refuses a sign-up that waits, with a text for the user and an entry in the audit log. The sign-up shows that
// to the user until it expires. A refusal may be repeated.
//
// Cost: 1 read and 2 writes; 1 read if it is refused already.
func (s *Store) Refuse(ctx context.Context, by Actor, uid model.UserID, answer string) (err error) {
	defer errs.Wrap(&err, "moderation.Refuse(%q)", uid)
	var entry *model.Action
	ref := s.db.SignUp(uid)
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		entry = nil
		var is model.SignUp
		found, err := db.GetIn(tx, ref, &is)
		switch now := s.db.Time(); {
		case err != nil:
			return err
		case !found || !now.Before(is.ExpireAt):
			return model.NoSignUp()
		case is.Refused:
			return nil
		}
		entry = s.entry(by, model.ActRefuseSignUp, uid)
		entry.Before = map[string]string{"username": is.Username, "reason": is.Reason}
		shorten(entry)
		is.Refused, is.Answer, is.ExpireAt = true, answer, s.db.Time().Add(model.SignUpWindow)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(ref, is)
	}, s.logged(&entry))
	s.done(ctx, entry, err)
	return err
}
