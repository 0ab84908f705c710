package facts

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Block makes blockee's likes and replies to blocker's tweets be refused: 1
// write. It does not hide anything. Blocking again changes nothing.
func (s *Store) Block(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "facts.Block(%q, %q)", blocker, blockee)
	if blocker == blockee {
		return errs.New(errs.Invalid, "self_block", "you cannot block yourself")
	}
	if _, found, err := s.users.One(ctx, blockee); err != nil {
		return err
	} else if !found {
		return noUser(blockee)
	}
	_, err = s.db.Block(blocker, blockee).Create(ctx, model.Block{BlockerID: blocker, BlockeeID: blockee, CreatedAt: s.db.Time()})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}

// Unblock ends what Block began: 1 delete.
func (s *Store) Unblock(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "facts.Unblock(%q, %q)", blocker, blockee)
	_, err = s.db.Block(blocker, blockee).Delete(ctx)
	return err
}
