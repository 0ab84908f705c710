package store

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Follow makes follower follow followed: 2 reads, which may be cached, and 1
// write. Following again changes nothing. A follower without a profile is
// errs.Forbidden, nobody to follow errs.NotFound, oneself errs.Invalid.
func (s *Store) Follow(ctx context.Context, follower, followed model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Follow(%q, %q)", follower, followed)
	if follower == followed {
		return errs.New(errs.Invalid, "self_follow", "you cannot follow yourself")
	}
	users, err := s.users.all(ctx, []model.UserID{follower, followed})
	if err != nil {
		return err
	}
	if users[followed] == nil {
		return noUser(followed)
	}
	if _, err := s.profile(ctx, follower); err != nil {
		return err
	}
	_, err = s.relationship(follower, followed).Create(ctx, model.Relationship{
		FollowerID: follower, FollowedID: followed, CreatedAt: s.time(),
	})
	if exists(err) {
		return nil
	}
	return err
}

// Unfollow ends what Follow began: 1 delete. Not following changes nothing.
func (s *Store) Unfollow(ctx context.Context, follower, followed model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Unfollow(%q, %q)", follower, followed)
	_, err = s.relationship(follower, followed).Delete(ctx)
	return err
}

// Relationship reads whether follower follows followed: 1 read. If not, it is
// errs.NotFound.
func (s *Store) Relationship(ctx context.Context, follower, followed model.UserID) (_ *model.Relationship, err error) {
	defer errs.Wrap(&err, "store.Relationship(%q, %q)", follower, followed)
	r := &model.Relationship{}
	held, err := s.get(ctx, s.relationship(follower, followed), r)
	if err != nil || !held {
		return nil, errOr(err, errs.New(errs.NotFound, "not_following", "%q does not follow %q", follower, followed))
	}
	return r, nil
}

// Followers lists who follows a user, newest first.
func (s *Store) Followers(ctx context.Context, uid model.UserID, from Cursor, limit int) (_ Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "store.Followers(%q)", uid)
	return s.relationships(ctx, "followedId", uid, from, limit)
}

// Following lists whom a user follows, newest first.
func (s *Store) Following(ctx context.Context, uid model.UserID, from Cursor, limit int) (_ Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "store.Following(%q)", uid)
	return s.relationships(ctx, "followerId", uid, from, limit)
}

func (s *Store) relationships(ctx context.Context, field string, uid model.UserID, from Cursor, limit int) (Page[model.Relationship], error) {
	q := s.fs.Collection(model.Relationships).Where(field, "==", uid)
	return page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (r model.Relationship, at Cursor, err error) {
			err = snap.DataTo(&r)
			return r, Cursor{At: r.CreatedAt, ID: snap.Ref.ID}, err
		})
}

func (s *Store) relationship(follower, followed model.UserID) *firestore.DocumentRef {
	return s.doc(model.Relationships, model.RelationshipKey(follower, followed))
}

// Block makes blockee's likes and replies to blocker's tweets be refused: 1
// write. It does not hide anything. Blocking again changes nothing.
func (s *Store) Block(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Block(%q, %q)", blocker, blockee)
	if blocker == blockee {
		return errs.New(errs.Invalid, "self_block", "you cannot block yourself")
	}
	if _, held, err := s.users.one(ctx, blockee); err != nil || !held {
		return errOr(err, noUser(blockee))
	}
	_, err = s.block(blocker, blockee).Create(ctx, model.Block{BlockerID: blocker, BlockeeID: blockee, CreatedAt: s.time()})
	if exists(err) {
		return nil
	}
	return err
}

// Unblock ends what Block began: 1 delete.
func (s *Store) Unblock(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "store.Unblock(%q, %q)", blocker, blockee)
	_, err = s.block(blocker, blockee).Delete(ctx)
	return err
}

func (s *Store) block(blocker, blockee model.UserID) *firestore.DocumentRef {
	return s.doc(model.Blocks, model.BlockKey(blocker, blockee))
}
