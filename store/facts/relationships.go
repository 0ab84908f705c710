package facts

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Follow makes follower follow followed. Following again changes nothing. A follower
// without a profile is errs.Forbidden, a followed user without a profile errs.NotFound,
// and following oneself errs.Invalid. While one of the two blocks the other, following is
// errs.Forbidden (not_allowed). A follower who follows as many users as allowed is
// errs.Forbidden (follow_limit). A followed user with as many followers as allowed is
// errs.Forbidden too (follower_limit).
//
// A transaction reads the blocks. So of a follow and a block at the same moment one sees the
// other, see [Store.Block].
//
// Cost: 2 reads and 1 write, and 1 read for each profile that is not cached.
// A relationship that is there already costs no write.
// A follower within 1 % of the limit costs 1 read more for each 1,000 users followed.
// A refusal for a limit costs no write, and 1 read in the place of 2.
func (s *Store) Follow(ctx context.Context, follower, followed model.UserID) (err error) {
	defer errs.Wrap(&err, "facts.Follow(%q, %q)", follower, followed)
	if follower == followed {
		return errs.New(errs.Invalid, "self_follow", "you cannot follow yourself")
	}
	users, err := s.users.All(ctx, []model.UserID{follower, followed})
	if err != nil {
		return err
	}
	if users[followed] == nil {
		return noUser(followed)
	}
	profile, err := s.profile(ctx, follower)
	if err != nil {
		return err
	}
	if refusal, err := s.followLimit(ctx, profile, users[followed]); err != nil {
		return err
	} else if refusal != nil {
		if found, err := s.db.Get(ctx, s.db.Relationship(follower, followed), nil); err != nil || found {
			return err
		}
		return refusal
	}
	at := s.db.Time()
	err = s.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		blocks, err := tx.GetAll([]*firestore.DocumentRef{s.db.Block(followed, follower), s.db.Block(follower, followed)})
		if err != nil {
			return err
		}
		if err := model.MayFollow(model.Ties{Blocked: blocks[0].Exists(), Blocks: blocks[1].Exists()}); err != nil {
			return err
		}
		return tx.Create(s.db.Relationship(follower, followed), model.Relationship{FollowerID: follower, FollowedID: followed, CreatedAt: at})
	})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}

// followLimit returns the error of a limit that one more relationship would pass.
//
// The counts of the profiles decide. They are a little late. So near the limit followLimit
// counts the relationships of the follower. A followed user may get a few followers more
// than allowed.
//
// Cost: nothing; near the limit 1 read for each 1,000 users whom the follower follows.
func (s *Store) followLimit(ctx context.Context, follower, followed *model.User) (refusal, err error) {
	if most := s.limits.Followers; followed.FollowerCount >= int64(most) {
		return errs.New(errs.Forbidden, "follower_limit", "this user has %d followers, and nobody may have more", most), nil
	}
	most := int64(s.limits.Follows)
	if follower.FollowedCount < most-max(most/100, 20) {
		return nil, nil
	}
	q := s.db.Client.Collection(model.Relationships).Where("followerId", "==", follower.ID)
	n, err := db.Count(ctx, q)
	if err != nil || n < most {
		return nil, err
	}
	return errs.New(errs.Forbidden, "follow_limit", "you follow %d users, and nobody may follow more", most), nil
}

// Unfollow removes a relationship. Without a relationship Unfollow changes nothing.
//
// Cost: 1 delete, also without a relationship.
func (s *Store) Unfollow(ctx context.Context, follower, followed model.UserID) (err error) {
	defer errs.Wrap(&err, "facts.Unfollow(%q, %q)", follower, followed)
	_, err = s.db.Relationship(follower, followed).Delete(ctx)
	return err
}

// Relationship reads the fact that follower follows followed. A missing fact is
// errs.NotFound.
//
// Cost: 1 read.
func (s *Store) Relationship(ctx context.Context, follower, followed model.UserID) (_ *model.Relationship, err error) {
	defer errs.Wrap(&err, "facts.Relationship(%q, %q)", follower, followed)
	r := &model.Relationship{}
	found, err := s.db.Get(ctx, s.db.Relationship(follower, followed), r)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errs.New(errs.NotFound, "not_following", "%q does not follow %q", follower, followed)
	}
	return r, nil
}

// Followers lists the relationships of a user's followers, newest first.
//
// Cost: 1 read for each relationship, at least 1.
func (s *Store) Followers(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "facts.Followers(%q)", uid)
	return s.relationships(ctx, "followedId", uid, from, limit)
}

// Following lists a user's relationships with the users followed, newest first.
//
// Cost: 1 read for each relationship, at least 1.
func (s *Store) Following(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "facts.Following(%q)", uid)
	return s.relationships(ctx, "followerId", uid, from, limit)
}

// FollowedSince lists a user's relationships with the users whom the user followed after a
// time, newest first.
//
// Cost: 1 read for each relationship, at least 1.
func (s *Store) FollowedSince(ctx context.Context, uid model.UserID, since time.Time, from model.Cursor, limit int) (_ model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "facts.FollowedSince(%q)", uid)
	return s.relationshipsOf(ctx, s.db.Client.Collection(model.Relationships).Where("followerId", "==", uid).Where("createdAt", ">", since), from, limit)
}

func (s *Store) relationships(ctx context.Context, field string, uid model.UserID, from model.Cursor, limit int) (model.Page[model.Relationship], error) {
	return s.relationshipsOf(ctx, s.db.Client.Collection(model.Relationships).Where(field, "==", uid), from, limit)
}

func (s *Store) relationshipsOf(ctx context.Context, q firestore.Query, from model.Cursor, limit int) (model.Page[model.Relationship], error) {
	return db.Page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (r model.Relationship, at model.Cursor, err error) {
			err = snap.DataTo(&r)
			return r, model.Cursor{At: r.CreatedAt, ID: snap.Ref.ID}, err
		})
}
