package moderation

import (
	"context"
	"time"

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
	return db.Page(ctx, s.db.SignUpsThatWait(s.db.Now()), firestore.FieldPath{fields.WaitsSince}, firestore.Asc, from,
		limit,
		func(snap *firestore.DocumentSnapshot) (*model.SignUp, model.Cursor, error) {
			is := &model.SignUp{UserID: model.UserID(snap.Ref.ID)}
			err := snap.DataTo(is)
			return is, model.Cursor{At: is.WaitsSince, ID: snap.Ref.ID}, err
		})
}

// Approve makes the profile of a sign-up that waits, and its entry of the audit log, in one commit that removes the
// sign-up. A repetition finds the profile, and makes no entry. seen is the time of the last request of the user that
// the administrator has seen; zero for any. A later one is errs.Conflict (sign_up_changed), and so is a sign-up that
// was refused (sign_up_refused).
//
// Cost: 4 reads, 7 writes and 1 delete; the rest is that of [users.Store.CreateUser].
func (s *Store) Approve(ctx context.Context, by Actor, uid model.UserID, seen time.Time) (u *users.FullUser,
	err error) {
	defer errs.Wrap(&err, "moderation.Approve(%q)", uid)
	is, err := s.users.SignUp(ctx, uid)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return s.approved(ctx, uid)
	case err != nil:
		return nil, err
	case !seen.IsZero() && !seen.Equal(is.AskedAt):
		return nil, model.SignUpChanged()
	}
	entry := s.entry(by, model.ActApproveSignUp, uid)
	entry.After = map[string]string{"username": is.Username}
	u, err = s.users.Approve(ctx, is, s.logIn(entry))
	switch errs.CodeOf(err) {
	case "user_exists": // approved meanwhile, or made without an approval that was needed before
		if err := s.users.TakeBack(ctx, uid); err != nil {
			return nil, err
		}
		return s.users.FullUser(ctx, uid)
	case "sign_up_not_found": // approved or taken back meanwhile
		return s.approved(ctx, uid)
	case "sign_up_refused":
		return nil, errs.New(errs.Conflict, "sign_up_refused", "this sign-up was refused")
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

// Refuse refuses a sign-up that waits, with a text for the user and an entry in the audit log, and frees the username.
// The sign-up shows the refusal to the user until it expires. A refusal may be repeated.
//
// Cost: 2 reads, 2 writes and 1 delete; 1 read if it is refused already.
func (s *Store) Refuse(ctx context.Context, by Actor, uid model.UserID, answer string) (err error) {
	defer errs.Wrap(&err, "moderation.Refuse(%q)", uid)
	var entry *model.Action
	ref := s.db.SignUp(uid)
	err = s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		entry = nil
		var is model.SignUp
		found, err := db.GetIn(tx, ref, &is)
		now := s.db.Time()
		switch {
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
		if err := s.users.Release(tx, &is); err != nil {
			return err
		}
		is.Refuse(answer, now)
		if err := tx.Set(s.db.Doc(model.AdminActions, entry.ID), entry); err != nil {
			return err
		}
		return tx.Set(ref, is)
	}, s.logged(&entry))
	s.done(ctx, entry, err)
	return err
}
