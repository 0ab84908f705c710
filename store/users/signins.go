package users

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// SignIns reads the newest sign-ins of an account. The result is not nil unless there is an error.
//
// Cost: 1 read.
func (s *Store) SignIns(ctx context.Context, uid model.UserID) (_ *model.SignIns, err error) {
	defer errs.Wrap(&err, "users.SignIns(%q)", uid)
	is := &model.SignIns{}
	_, err = s.db.Get(ctx, s.signIns(uid), is)
	return is, err
}

// AddSignIn keeps a sign-in of an account, with or without a profile. A sign-in of the same second changes nothing.
//
// Cost: 1 read, and 1 write if the sign-in is new.
func (s *Store) AddSignIn(ctx context.Context, uid model.UserID, one model.SignIn) (err error) {
	defer errs.Wrap(&err, "users.AddSignIn(%q)", uid)
	ref := s.signIns(uid)
	return s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.SignIns
		if _, err := db.GetIn(tx, ref, &is); err != nil || !is.Add(one) {
			return err
		}
		return tx.Set(ref, is)
	}, func(ctx context.Context) (bool, error) {
		is, err := s.SignIns(ctx, uid)
		return err == nil && !is.Add(one), err
	})
}

// signIns names the document of an account's sign-ins.
func (s *Store) signIns(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.SignInLists, string(uid))
}
