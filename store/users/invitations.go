package users

import (
	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// useInvitation adds to the commit of a new profile that it uses an invitation. In a transaction an invitation is never
// used more often than it may be. For a user who has a profile the error is db.AlreadyExists also with an invitation
// that is used up.
//
// Cost: 1 read; 1 read more for an invitation by which nobody may sign up.
func (s *Store) useInvitation(tx *firestore.Transaction, uid model.UserID, code model.InvitationCode) error {
	ref := s.db.Invitation(code)
	is, err := db.As[model.Invitation](tx.Get(ref))
	if err != nil {
		return err
	}
	if !is.Found || !is.Doc.Open(s.db.Now()) {
		there, err := db.As[model.User](tx.Get(s.db.User(uid)))
		switch {
		case err != nil:
			return err
		case there.Found: // perhaps made by an earlier attempt of this commit
			return status.Error(codes.AlreadyExists, "the user has a profile")
		}
		return model.InvalidInvitation()
	}
	return tx.Update(ref, []firestore.Update{{Path: fields.Uses, Value: is.Doc.Uses + 1}})
}

func userExists() error {
	return errs.New(errs.Exists, "user_exists", "you have a profile already; change it with PATCH")
}
