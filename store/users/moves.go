package users

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// SetAliases sets the addresses of the accounts on other servers that are the user's, too, at most [model.MaxAliases].
// Such an account may move here. More of them are errs.Invalid (too_many_aliases), and an unknown user is
// errs.NotFound.
//
// Cost: 2 reads, and 1 write for other addresses.
func (s *Store) SetAliases(ctx context.Context, uid model.UserID, addresses []string) (err error) {
	defer errs.Wrap(&err, "users.SetAliases(%q)", uid)
	if len(addresses) > model.MaxAliases {
		return errs.New(errs.Invalid, "too_many_aliases", "a user has at most %d other accounts", model.MaxAliases)
	}
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		user, detail := db.Find[struct{}](&l, s.db.User(uid)),
			db.Find[model.UserDetail](&l, s.db.Doc(model.UserDetails, string(uid)))
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		if !user.Found {
			return model.NoUser(uid)
		}
		if slices.Equal(detail.Doc.Aliases, addresses) {
			return nil
		}
		return tx.Set(detail.Snap.Ref, map[string]any{fields.Aliases: addresses}, firestore.MergeAll)
	})
}

// SetMovedTo says to where a user moved; an empty address is nowhere. An unknown user is errs.NotFound.
//
// Cost: 1 write.
func (s *Store) SetMovedTo(ctx context.Context, uid model.UserID, address string) (err error) {
	defer errs.Wrap(&err, "users.SetMovedTo(%q)", uid)
	var value any = address
	if address == "" {
		value = firestore.Delete
	}
	_, err = s.db.User(uid).Update(ctx, []firestore.Update{{Path: fields.MovedTo, Value: value}})
	if db.NotFound(err) {
		return model.NoUser(uid)
	}
	s.access.ForgetUser(uid)
	return err
}
