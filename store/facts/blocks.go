package facts

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Block makes [Store.Like] and [Store.CreateTweet] refuse the blockee's likes of the
// blocker's tweets, and replies to them. A block hides nothing. Blocking again changes
// nothing. A blockee without a profile is errs.NotFound, and blocking oneself
// errs.Invalid.
//
// Cost: 1 write, and 1 read if the blockee's profile is not cached.
// A block that is there already costs no write.
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

// Unblock removes a block. Without a block Unblock changes nothing.
//
// Cost: 1 delete, also without a block.
func (s *Store) Unblock(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "facts.Unblock(%q, %q)", blocker, blockee)
	_, err = s.db.Block(blocker, blockee).Delete(ctx)
	return err
}
