package facts

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Follow is [Store.FollowOrAsk] for a caller that does not ask whether the follower follows by
// now.
func (s *Store) Follow(ctx context.Context, follower, followed model.UserID) error {
	_, err := s.FollowOrAsk(ctx, follower, followed)
	return err
}

// FollowOrAsk makes follower follow followed. If followed is locked, it makes a request in the
// place of the relationship, and requested is true. Following or asking again changes nothing, and
// neither does asking of a follower. A request from before an unlocking stays until follower
// follows, and goes in the same commit.
//
// A follower without a profile is errs.Forbidden, a followed user without a profile
// errs.NotFound, and following oneself errs.Invalid. While one of the two blocks the other,
// following is errs.Forbidden (not_allowed). A follower who follows as many users as allowed is
// errs.Forbidden (follow_limit). A followed user with as many followers as allowed is
// errs.Forbidden too (follower_limit). So are more requests than allowed (request_limit).
//
// A transaction reads the blocks. So of a follow and a block at the same moment one sees the
// other, see [Store.Block]. The profile of followed is read past the cache: a lock holds for every
// call that begins after it. The transaction does not read it, because a profile changes with each follow.
//
// Cost: 3 reads, 1 write and 1 delete, and 1 read for the follower's profile if it is not cached.
// A relationship that is there already costs no write and no delete.
// A request costs 4 reads, 1 read for each 1,000 requests of the follower and for each 1,000 to
// followed, at least 2, and 1 write; no write if it is there already.
// A follower within 1 % of the limit costs 1 read more for each 1,000 users followed.
// A refusal for a limit costs no write, and 2 reads in the place of those of the transaction.
func (s *Store) FollowOrAsk(ctx context.Context, follower, followed model.UserID) (requested bool, err error) {
	defer errs.Wrap(&err, "facts.FollowOrAsk(%q, %q)", follower, followed)
	if follower == followed {
		return false, errs.New(errs.Invalid, "self_follow", "you cannot follow yourself")
	}
	user, err := s.User(ctx, followed)
	if err != nil {
		return false, err
	}
	profile, err := s.profile(ctx, follower)
	if err != nil {
		return false, err
	}
	refusal, err := s.FollowLimit(ctx, profile, user)
	if err == nil && refusal == nil && user.Locked {
		refusal, err = s.requestLimit(ctx, follower, followed)
	}
	if err != nil {
		return false, err
	}
	relationship, request := s.db.Relationship(follower, followed), s.db.FollowRequest(follower, followed)
	if refusal != nil {
		snaps, err := s.db.Client.GetAll(ctx, []*firestore.DocumentRef{relationship, request})
		if err != nil || snaps[0].Exists() {
			return false, err
		}
		if user.Locked && snaps[1].Exists() {
			return true, nil
		}
		return false, refusal
	}
	at := s.db.Time()
	err = s.db.TransactOnce(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		refs := []*firestore.DocumentRef{s.db.Block(followed, follower), s.db.Block(follower, followed)}
		if user.Locked {
			refs = append(refs, relationship)
		}
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		viewerRelationships := model.ViewerRelationship{Blocked: snaps[0].Exists(), Blocks: snaps[1].Exists(),
			Follows: user.Locked && snaps[2].Exists()}
		if err := model.MayFollow(viewerRelationships); err != nil {
			return err
		}
		requested = model.MustAsk(user, viewerRelationships)
		switch {
		case requested:
			return tx.Create(request, model.FollowRequest{FollowerID: follower, FollowedID: followed, CreatedAt: at})
		case viewerRelationships.Follows:
			return nil
		}
		if err := tx.Create(relationship, model.Relationship{FollowerID: follower, FollowedID: followed,
			CreatedAt: at}); err != nil {
			return err
		}
		return tx.Delete(request)
	}, func(ctx context.Context) (bool, error) {
		snaps, err := s.db.Client.GetAll(ctx, []*firestore.DocumentRef{relationship, request})
		if err != nil {
			return false, err
		}
		requested = !snaps[0].Exists() && snaps[1].Exists()
		return snaps[0].Exists() || requested && user.Locked, nil
	})
	if db.AlreadyExists(err) {
		return requested, nil
	}
	return requested, err
}

// FollowLimit returns the error of a limit that one more relationship would pass.
//
// The counts of the profiles decide. They are a little late. So near the limit FollowLimit
// counts the relationships of the follower. A followed user may get a few followers more
// than allowed.
//
// Cost: nothing; near the limit 1 read for each 1,000 users whom the follower follows.
func (s *Store) FollowLimit(ctx context.Context, follower, followed *model.User) (refusal, err error) {
	if most := s.o.Limits.Followers; followed.FollowerCount >= int64(most) {
		return errs.New(errs.Forbidden, "follower_limit", "%s has %d followers, and nobody may have more", followed.Username,
			most), nil
	}
	most := int64(s.o.Limits.Follows)
	if follower.FollowedCount < most-max(most/100, 20) {
		return nil, nil
	}
	q := s.db.Client.Collection(model.Relationships).Where("followerId", "==", follower.ID)
	n, err := db.Count(ctx, q)
	if err != nil || n < most {
		return nil, err
	}
	return errs.New(errs.Forbidden, "follow_limit", "%s follows %d users, and nobody may follow more", follower.Username,
		most), nil
}

// Unfollow removes a relationship, or withdraws a request. Without either Unfollow changes
// nothing.
//
// Cost: 2 deletes, also without a relationship.
func (s *Store) Unfollow(ctx context.Context, follower, followed model.UserID) (err error) {
	defer errs.Wrap(&err, "facts.Unfollow(%q, %q)", follower, followed)
	return s.db.DeleteOnce(ctx, s.db.Relationship(follower, followed), s.db.FollowRequest(follower, followed))
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
func (s *Store) Followers(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "facts.Followers(%q)", uid)
	return s.relationships(ctx, "followedId", uid, from, limit)
}

// Following lists a user's relationships with the users followed, newest first.
//
// Cost: 1 read for each relationship, at least 1.
func (s *Store) Following(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "facts.Following(%q)", uid)
	return s.relationships(ctx, "followerId", uid, from, limit)
}

// FollowedSince lists a user's relationships with the users whom the user followed after a
// time, newest first.
//
// Cost: 1 read for each relationship, at least 1.
func (s *Store) FollowedSince(ctx context.Context, uid model.UserID, since time.Time, from model.Cursor,
	limit int) (_ model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "facts.FollowedSince(%q)", uid)
	return s.relationshipsOf(ctx, s.db.Client.Collection(model.Relationships).Where("followerId", "==", uid).Where(
		"createdAt", ">", since), from, limit)
}

func (s *Store) relationships(ctx context.Context, field string, uid model.UserID, from model.Cursor,
	limit int) (model.Page[model.Relationship], error) {
	return s.relationshipsOf(ctx, s.db.Client.Collection(model.Relationships).Where(field, "==", uid), from, limit)
}

func (s *Store) relationshipsOf(ctx context.Context, q firestore.Query, from model.Cursor,
	limit int) (model.Page[model.Relationship], error) {
	return db.Page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (r model.Relationship, at model.Cursor, err error) {
			err = snap.DataTo(&r)
			return r, model.Cursor{At: r.CreatedAt, ID: snap.Ref.ID}, err
		})
}
