package users

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// invitationAttempts is the number of attempts to sign up by an invitation that others use at the same moment.
const invitationAttempts = 20

// useInvitation adds to the commit of a new profile that it uses an invitation. The commit fails if the invitation
// changes meanwhile: so it is never used more often than it may be. For a user who has a profile the error is
// errs.Exists also with an invitation that is used up, perhaps by the same user.
//
// Cost: 1 read; 1 read more for an invitation by which nobody may sign up.
func (s *Store) useInvitation(ctx context.Context, b *db.Batch, uid model.UserID, code model.InvitationCode) error {
	ref := s.db.Invitation(code)
	is, err := db.As[model.Invitation](ref.Get(ctx))
	if err != nil {
		return err
	}
	if !is.Found || !is.Doc.Open(s.db.Now()) {
		there, err := s.db.Get(ctx, s.db.User(uid), nil)
		switch {
		case err != nil:
			return err
		case there:
			return userExists()
		}
		return model.InvalidInvitation()
	}
	b.Update(ref, []firestore.Update{{Path: fields.Uses, Value: is.Doc.Uses + 1}},
		firestore.LastUpdateTime(is.Snap.UpdateTime))
	return nil
}

func userExists() error {
	return errs.New(errs.Exists, "user_exists", "you have a profile already; change it with PATCH")
}
