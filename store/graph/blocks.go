package graph

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Block makes the store refuse the blockee's likes, shares and replies to the blocker's tweets. In the same commit it
// ends the relationships and the follow requests between the two users, in both directions. While signed in, each of
// the two does not see the other in lists, see [Store.Quiet]; a visitor sees what is public. Functions remove the past
// actions of each from the notifications of the other, and tell the blockee's graph of the block.
//
// Blocking again changes nothing. A blocker without a profile is errs.Forbidden. A blockee without a profile is
// errs.NotFound. Blocking oneself is errs.Invalid.
//
// Cost: 3 writes, 4 deletes, and 1 read a profile that is not cached. No write if the block exists.
func (s *Store) Block(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Block(%q, %q)", blocker, blockee)
	if blocker == blockee {
		return errs.New(errs.Invalid, "self_block", "you cannot block yourself")
	}
	if err := s.access.RequireUser(ctx, blockee); err != nil {
		return err
	}
	if err := s.access.MayWrite(ctx, blocker); err != nil {
		return err
	}
	b, block := s.db.Batch(), s.db.Block(blocker, blockee)
	b.Create(block, model.Block{BlockerID: blocker, BlockeeID: blockee, CreatedAt: s.db.Time()})
	b.Delete(s.db.Relationship(blocker, blockee))
	b.Delete(s.db.Relationship(blockee, blocker))
	b.Delete(s.db.FollowRequest(blocker, blockee))
	b.Delete(s.db.FollowRequest(blockee, blocker))
	merge := viewers.Put(fields.Blocks, blockee, true)
	merge[fields.Follows] = map[string]any{string(blockee): firestore.Delete}
	b.Set(s.db.Viewer(blocker), merge, firestore.MergeAll)
	// Also without a relationship: a follow of this moment would leave an entry, which profiles and home pages trust.
	b.Set(s.db.Viewer(blockee), viewers.Remove(fields.Follows, blocker), firestore.MergeAll)
	ctx, grown := s.viewers.Watch(ctx)
	if _, err = s.db.CommitOnce(ctx, b, s.db.Made(block)); db.AlreadyExists(err) {
		return nil
	}
	grown(blocker)
	return err
}

// Unblock removes a block. Without a block, Unblock changes nothing.
//
// Cost: 1 delete and 1 write, also without a block.
func (s *Store) Unblock(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Unblock(%q, %q)", blocker, blockee)
	b, block := s.db.Batch(), s.db.Block(blocker, blockee)
	b.Delete(block)
	b.Set(s.db.Viewer(blocker), viewers.Remove(fields.Blocks, blockee), firestore.MergeAll)
	_, err = s.db.CommitOnce(ctx, b, s.db.Gone(block))
	return err
}

// Blocks returns the users whom a user blocks, newest block first. Only that user may see the list.
//
// Cost: 1 read for each block, at least 1.
func (s *Store) Blocks(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.Block],
	err error) {
	defer errs.Wrap(&err, "graph.Blocks(%q)", uid)
	return s.blocks(ctx, fields.BlockerID, uid, from, limit)
}

// Blockers returns the blocks of a user by others, newest block first. Only administrators may see the list. A user
// without a profile has none: an account deletion removes them.
//
// Cost: 1 read for each block, at least 1.
func (s *Store) Blockers(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.Block], err error) {
	defer errs.Wrap(&err, "graph.Blockers(%q)", uid)
	return s.blocks(ctx, fields.BlockeeID, uid, from, limit)
}

// blocks returns the blocks in which a user has a side: the field blockerId or blockeeId.
func (s *Store) blocks(ctx context.Context, side string, uid model.UserID, from model.Cursor,
	limit int) (model.Page[model.Block], error) {
	return db.Page(ctx, s.db.Client.Collection(model.Blocks).Where(side, "==", uid),
		firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (b model.Block, at model.Cursor, err error) {
			err = snap.DataTo(&b)
			return b, model.Cursor{At: b.CreatedAt, ID: snap.Ref.ID}, err
		})
}
