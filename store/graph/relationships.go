package graph

import (
	"context"
	"errors"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Follow is [Store.FollowOrAsk] for a caller that does not need to know whether it made a request.
func (s *Store) Follow(ctx context.Context, follower, followed model.UserID) error {
	_, err := s.FollowOrAsk(ctx, follower, followed)
	return err
}

// FollowOrAsk makes follower follow followed. If followed is locked, it creates a follow request in place of the
// relationship. Then requested is true. A repeated follow or request changes nothing. A request of somebody who follows
// already changes nothing either. A request from before an unlock stays until follower follows, and is deleted in the
// same commit.
//
// A follower without a profile is errs.Forbidden. A followed user without a profile is errs.NotFound. Following oneself
// is errs.Invalid. If one of the two blocks the other, following is errs.Forbidden (not_allowed). A follower at the
// limit of followed users is errs.Forbidden (follow_limit). A followed user at the limit of followers is
// errs.Forbidden, too (follower_limit). A follow request beyond the limit is errs.Forbidden (request_limit).
//
// A transaction reads the blocks. So of a follow and a block at the same moment, one sees the other. See also
// [Store.Block]. FollowOrAsk reads the profile of followed past the cache, so a lock holds for every later call. The
// transaction does not read that profile, because each follow changes it.
//
// Cost: 3 reads, 2 writes and 1 delete; a request 4 reads, 1 read a 1,000 requests, and 1 write.
func (s *Store) FollowOrAsk(ctx context.Context, follower, followed model.UserID) (requested bool, err error) {
	requested, _, err = s.FollowAlso(ctx, follower, followed, nil)
	return requested, err
}

// FollowAlso is [Store.FollowOrAsk] with the update of another document in the commit of the relationship or the
// request. made is false if that existed: then the other document stays as it is.
//
// Cost: as FollowOrAsk, and 1 write for the update.
func (s *Store) FollowAlso(ctx context.Context, follower, followed model.UserID, also *db.Also) (requested, made bool,
	err error) {
	defer errs.Wrap(&err, "graph.FollowOrAsk(%q, %q)", follower, followed)
	if follower == followed {
		return false, false, errs.New(errs.Invalid, "self_follow", "you cannot follow yourself")
	}
	user, err := s.access.User(ctx, followed)
	if err != nil {
		return false, false, err
	}
	profile, err := s.access.Profile(ctx, follower)
	if err != nil {
		return false, false, err
	}
	refusal, err := s.followLimit(ctx, profile, user)
	if err == nil && refusal == nil && user.Asked() {
		refusal, err = s.requestLimit(ctx, follower, followed)
	}
	if err != nil {
		return false, false, err
	}
	relationship, request := s.db.Relationship(follower, followed), s.db.FollowRequest(follower, followed)
	if refusal != nil {
		var l db.Lookup
		follows, asks := db.Find[struct{}](&l, relationship), db.Find[struct{}](&l, request)
		if err := s.db.Read(ctx, &l); err != nil || follows.Found {
			return false, false, err
		}
		if user.Asked() && asks.Found {
			return true, false, nil
		}
		return false, false, refusal
	}
	at := s.db.Time()
	ctx, grown := s.viewers.Watch(ctx)
	err = s.db.TransactOnce(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		made = false
		var l db.Lookup
		blocked := db.Find[struct{}](&l, s.db.Block(followed, follower))
		blocks, follows := db.Find[struct{}](&l, s.db.Block(follower, followed)), &db.Found[struct{}]{}
		if user.Asked() {
			follows = db.Find[struct{}](&l, relationship)
		}
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		viewerRelationships := model.ViewerRelationship{Blocked: blocked.Found, Blocks: blocks.Found, Follows: follows.Found}
		if err := model.MayFollow(viewerRelationships); err != nil {
			return err
		}
		requested = model.MustAsk(user, viewerRelationships)
		switch {
		case requested:
			made = true
			return errors.Join(tx.Create(request, model.FollowRequest{FollowerID: follower, FollowedID: followed,
				CreatedAt: at}), also.Transaction(tx))
		case viewerRelationships.Follows:
			return nil
		}
		if err := tx.Create(relationship, model.Relationship{FollowerID: follower, FollowedID: followed,
			CreatedAt: at}); err != nil {
			return err
		}
		if err := tx.Set(s.db.Viewer(follower), viewers.Put(fields.Follows, followed, at), firestore.MergeAll); err != nil {
			return err
		}
		made = true
		return errors.Join(tx.Delete(request), also.Transaction(tx))
	}, also.Or(func(ctx context.Context) (bool, error) {
		var l db.Lookup
		follows, asks := db.Find[struct{}](&l, relationship), db.Find[struct{}](&l, request)
		err := s.db.Read(ctx, &l)
		requested = !follows.Found && asks.Found
		return follows.Found || requested && user.Asked(), err
	}))
	if db.AlreadyExists(err) {
		return requested, false, nil
	}
	grown(follower)
	return requested, made && err == nil, err
}

// Unfollow removes a relationship, or withdraws a follow request. Without either, Unfollow changes nothing.
//
// Cost: 2 deletes and 1 write, also without a relationship.
func (s *Store) Unfollow(ctx context.Context, follower, followed model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Unfollow(%q, %q)", follower, followed)
	relationship, request := s.db.Relationship(follower, followed), s.db.FollowRequest(follower, followed)
	b := s.db.Batch()
	b.Delete(relationship)
	b.Delete(request)
	b.Set(s.db.Viewer(follower), viewers.Remove(fields.Follows, followed), firestore.MergeAll)
	_, err = s.db.CommitOnce(ctx, b, s.db.Gone(relationship, request))
	return err
}

// RemoveFollower ends that a follower follows a user, as [Store.Unfollow] by the follower does, who is not told. It
// refuses a follow request of the follower, too. The follower may follow again.
//
// Without a relationship or a request RemoveFollower writes nothing: no caller makes a document of another user, who
// need not exist.
//
// Cost: 2 reads, and 2 deletes and 1 write if there is a relationship or a request.
func (s *Store) RemoveFollower(ctx context.Context, uid, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.RemoveFollower(%q, %q)", uid, follower)
	var l db.Lookup
	follows := db.Find[struct{}](&l, s.db.Relationship(follower, uid))
	asks := db.Find[struct{}](&l, s.db.FollowRequest(follower, uid))
	if err := s.db.Read(ctx, &l); err != nil || !follows.Found && !asks.Found {
		return err
	}
	return s.Unfollow(ctx, follower, uid)
}

// Relationship returns the relationship in which follower follows followed. A missing relationship is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) Relationship(ctx context.Context, follower, followed model.UserID) (_ *model.Relationship, err error) {
	defer errs.Wrap(&err, "graph.Relationship(%q, %q)", follower, followed)
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

// Followers returns the relationships of a user's followers, newest first. The newest model.ListedFollowers come from
// the user's list, which a function writes a moment after each follow, unfollow and block. Older ones come from a
// query, and so do all if there is no list.
//
// Cost: 1 read; 1 read more for each relationship that is not in the list, at least 1 for a page that goes beyond it.
func (s *Store) Followers(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (page model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "graph.Followers(%q)", uid)
	var list model.FollowerList
	if _, err := s.db.Get(ctx, s.db.FollowerList(uid), &list); err != nil {
		return page, err
	}
	page = pageOf(list.Relationships(uid), from, limit)
	if list.Whole || len(page.Items) == limit {
		if !list.Whole {
			page.Next = page.Items[limit-1].Cursor() // there are older ones
		}
		return page, nil
	}
	if n := len(page.Items); n > 0 {
		from = page.Items[n-1].Cursor()
	}
	older, err := s.relationships(ctx, "followedId", uid, from, limit-len(page.Items))
	page.Items, page.Next = append(page.Items, older.Items...), older.Next
	return page, err
}

// pageOf returns the page of a whole list that begins after a cursor.
func pageOf(all []model.Relationship, from model.Cursor, limit int) (page model.Page[model.Relationship]) {
	if !from.IsZero() {
		all = slices.DeleteFunc(all, func(r model.Relationship) bool { return r.Cursor().Compare(from) >= 0 })
	}
	page.Items = all[:min(limit, len(all))]
	if len(all) > limit {
		page.Next = page.Items[limit-1].Cursor()
	}
	return page
}

// Following returns a user's relationships with the followed users, newest first. They come from the user's graph,
// whose document every follow and unfollow writes in its own commit. Following asks for the relationships themselves if
// that document lacks entries.
//
// Cost: 1 read; 1 read more for each relationship, at least 1, if the document lacks entries.
func (s *Store) Following(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (page model.Page[model.Relationship], err error) {
	defer errs.Wrap(&err, "graph.Following(%q)", uid)
	v, err := s.viewers.Peek(ctx, uid)
	if err != nil {
		return page, err
	}
	if !v.Whole {
		return s.relationships(ctx, "followerId", uid, from, limit)
	}
	all := make([]model.Relationship, 0, len(v.Follows))
	for other, since := range v.Follows {
		all = append(all, model.Relationship{FollowerID: uid, FollowedID: other, CreatedAt: since})
	}
	slices.SortFunc(all, model.CompareNewest)
	return pageOf(all, from, limit), nil
}

func (s *Store) relationships(ctx context.Context, field string, uid model.UserID, from model.Cursor,
	limit int) (model.Page[model.Relationship], error) {
	q := s.db.Client.Collection(model.Relationships).Where(field, "==", uid)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (r model.Relationship, at model.Cursor, err error) {
			err = snap.DataTo(&r)
			return r, model.Cursor{At: r.CreatedAt, ID: snap.Ref.ID}, err
		})
}
