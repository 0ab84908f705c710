package users

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// AskToJoin keeps a profile until an administrator approves it, see [model.SignUp]. A user who asks again changes what
// waits, and keeps the place in the list. The failures are those of [Store.CreateUser]; a sign-up that was refused is
// errs.Forbidden (sign_up_refused) until it expires.
//
// Cost: 4 reads and 1 write; 1 read more with a consent to terms, or with an AI model.
func (s *Store) AskToJoin(ctx context.Context, uid model.UserID, n model.NewUser, reason string) (is *model.SignUp,
	err error) {
	defer errs.Wrap(&err, "users.AskToJoin(%q)", uid)
	if n, err = n.Clean(); err != nil {
		return nil, err
	}
	if n.TermsVersion != 0 {
		if err := s.currentTerms(ctx, n.TermsVersion); err != nil {
			return nil, err
		}
	}
	if err := s.aiModel(ctx, n.AIModel); err != nil {
		return nil, err
	}
	now := s.db.Time()
	if is, err = model.NewSignUp(uid, n, reason, now); err != nil {
		return nil, err
	}
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		user, was := db.Find[struct{}](&l, s.db.User(uid)), db.Find[model.SignUp](&l, s.db.SignUp(uid))
		name := db.Find[model.Username](&l, s.db.Doc(model.Usernames, n.Username))
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		if _, err := s.mayJoin(tx, uid); err != nil {
			return err
		}
		switch {
		case user.Found:
			return userExists()
		case name.Found && name.Doc.UID != "":
			return errs.New(errs.Exists, "username_taken", "username %q is taken", n.Username)
		case was.Found && was.Doc.Refused && now.Before(was.Doc.ExpireAt):
			return errs.New(errs.Forbidden, "sign_up_refused", "an administrator refused the sign-up")
		case was.Found && was.Doc.Waits(now):
			is.CreatedAt, is.ExpireAt = was.Doc.CreatedAt, was.Doc.ExpireAt
		}
		return tx.Set(s.db.SignUp(uid), is)
	})
	return is, err
}

// SignUp returns the sign-up of a user that waits, or that was refused. Without one it is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) SignUp(ctx context.Context, uid model.UserID) (_ *model.SignUp, err error) {
	defer errs.Wrap(&err, "users.SignUp(%q)", uid)
	is := &model.SignUp{UserID: uid}
	found, err := s.db.Get(ctx, s.db.SignUp(uid), is)
	if err == nil && (!found || !s.db.Now().Before(is.ExpireAt)) {
		err = model.NoSignUp()
	}
	return is, err
}

// TakeBack removes the sign-up of a user, who does not want to join any more. One that was refused stays.
//
// Cost: 1 read, and 1 delete if it waits.
func (s *Store) TakeBack(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "users.TakeBack(%q)", uid)
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.SignUp
		found, err := db.GetIn(tx, s.db.SignUp(uid), &is)
		if err != nil || !found || is.Refused {
			return err
		}
		return tx.Delete(s.db.SignUp(uid))
	})
}
