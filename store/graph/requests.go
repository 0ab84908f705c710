// Package requests answers requests to follow users who are locked. Package facts makes them, in
// the place of relationships, and withdraws them.
package graph

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Requests lists and answers requests to follow. Its methods may be called concurrently. Their errors
// are those of package errs.
type Requests struct {
	db    *db.DB
	facts *facts.Store
}

// NewRequests returns the requests to follow of a database.
func NewRequests(d *db.DB, f *facts.Store) *Requests { return &Requests{d, f} }

// List lists who asks to follow a user, newest first.
//
// Cost: 1 read for each request, at least 1.
func (s *Requests) List(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.FollowRequest], err error) {
	defer errs.Wrap(&err, "graph.List(%q)", uid)
	return db.Page(ctx, s.db.Client.Collection(model.FollowRequests).Where("followedId", "==", uid),
		firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (r model.FollowRequest, at model.Cursor, err error) {
			err = snap.DataTo(&r)
			return r, model.Cursor{At: r.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// Accept makes a follower of a user who asks to follow uid. One commit takes the request and
// writes the relationship, which is as new as the commit. A commit of [facts.Store.Block], of
// [facts.Store.Unfollow] or of a refusal takes the request, too: only one of them finds it. Accepting a
// follower changes nothing. Without a request it is errs.NotFound (request_not_found). A follower
// without a profile is errs.NotFound, and uid without one errs.Forbidden. Beyond the limits of
// following it is errs.Forbidden, as in [facts.Store.FollowOrAsk], and the request stays.
//
// Cost: 1 write and 1 delete, and 1 read for each profile that is not cached. 1 read if there is
// no request. A follower near the limit costs what following costs there.
func (s *Requests) Accept(ctx context.Context, uid, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Accept(%q, %q)", uid, follower)
	users, err := s.facts.Users(ctx, []model.UserID{uid, follower})
	if err != nil {
		return err
	}
	if users[follower] == nil {
		return s.facts.RequireUser(ctx, follower)
	}
	if users[uid] == nil {
		return model.MayWrite(model.NoProfile)
	}
	relationship := s.db.Relationship(follower, uid)
	failure, err := s.facts.FollowLimit(ctx, users[follower], users[uid])
	if err != nil {
		return err
	}
	if failure == nil {
		b := s.db.Batch()
		b.Create(relationship, model.Relationship{FollowerID: follower, FollowedID: uid, CreatedAt: s.db.Time()})
		b.Delete(s.db.FollowRequest(follower, uid), firestore.Exists)
		if _, err := s.db.CommitOnce(ctx, b, s.db.Made(relationship)); !db.NotFound(err) && !db.AlreadyExists(err) {
			return err
		}
		failure = errs.New(errs.NotFound, "request_not_found", "%q does not ask to follow you", follower)
	}
	// The follower may follow already, also because the answer to the commit was lost and the
	// client sent the commit once more.
	if found, err := s.db.Get(ctx, relationship, nil); err != nil || found {
		return err
	}
	return failure
}

// Refuse takes the request of a user to follow uid. The user may ask again, and is not told.
// Without a request Refuse changes nothing.
//
// Cost: 1 delete, also without a request.
func (s *Requests) Refuse(ctx context.Context, uid, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Refuse(%q, %q)", uid, follower)
	return s.db.DeleteOnce(ctx, s.db.FollowRequest(follower, uid))
}
