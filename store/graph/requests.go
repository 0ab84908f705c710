// This file returns and answers requests to follow locked users. [Store.FollowOrAsk] creates a request in place of a
// relationship, and [Store.Unfollow] withdraws it.

package graph

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Requests returns and answers follow requests. Its methods may be called concurrently. Their errors are errors of
// package errs.
type Requests struct {
	db     *db.DB
	access *access.Store
	graph  *Store
}

// NewRequests returns the follow requests of a database.
func NewRequests(d *db.DB, a *access.Store, g *Store) *Requests { return &Requests{d, a, g} }

// List returns the requests to follow a user, newest first.
//
// Cost: 1 read for each request, at least 1.
func (s *Requests) List(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.FollowRequest], err error) {
	defer errs.Wrap(&err, "graph.List(%q)", uid)
	return db.Page(ctx, s.db.Client.Collection(model.FollowRequests).Where(fields.FollowedID, "==", uid),
		firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (r model.FollowRequest, at model.Cursor, err error) {
			err = snap.DataTo(&r)
			return r, model.Cursor{At: r.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// Waiting counts the requests to follow a user, up to [model.MaxCountedRequests].
//
// Cost: 1 read.
func (s *Requests) Waiting(ctx context.Context, uid model.UserID) (_ int64, err error) {
	defer errs.Wrap(&err, "graph.Waiting(%q)", uid)
	return db.Count(ctx, s.db.Client.Collection(model.FollowRequests).Where(fields.FollowedID, "==", uid).
		Limit(model.MaxCountedRequests))
}

// Began returns when a follow, or the request for it, began; the zero time if there is neither.
//
// Cost: 2 reads.
func (s *Requests) Began(ctx context.Context, follower, followed model.UserID) (_ time.Time, err error) {
	defer errs.Wrap(&err, "graph.Began(%q, %q)", follower, followed)
	var l db.Lookup
	follows := db.Find[model.Relationship](&l, s.db.Relationship(follower, followed))
	asks := db.Find[model.FollowRequest](&l, s.db.FollowRequest(follower, followed))
	if err := s.db.Read(ctx, &l); err != nil {
		return time.Time{}, err
	}
	if follows.Found {
		return follows.Doc.Began(), nil
	}
	return asks.Doc.CreatedAt, nil
}

// Accept turns follower's request to follow uid into a relationship. One commit deletes the request and writes the
// relationship, whose time is the time of the commit. A block, an unfollow and a refusal also delete the request. So
// only one of these commits finds it. See [Store.Block] and [Store.Unfollow].
//
// If follower follows already, Accept changes nothing. Without a request Accept is errs.NotFound (request_not_found). A
// follower without a profile is errs.NotFound, and uid without a profile errs.Forbidden. Beyond the limits of
// [Store.FollowOrAsk], Accept is errs.Forbidden and the request stays.
//
// Cost: 2 writes, 1 delete, and 1 read a profile that is not cached; 1 read if uid is of another server, and 1 without
// a request.
func (s *Requests) Accept(ctx context.Context, uid, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Accept(%q, %q)", uid, follower)
	users, err := s.access.Users(ctx, []model.UserID{uid, follower})
	if err != nil {
		return err
	}
	if users[follower] == nil {
		return s.access.RequireUser(ctx, follower)
	}
	if users[uid] == nil {
		return model.MayWrite(model.NoProfile)
	}
	relationship := s.db.Relationship(follower, uid)
	failure, err := s.graph.followLimit(ctx, users[follower], users[uid])
	if err != nil {
		return err
	}
	if failure == nil {
		b, at := s.db.Batch(), s.db.Time()
		made := model.Relationship{FollowerID: follower, FollowedID: uid, CreatedAt: at}
		if uid.Remote() {
			var request model.FollowRequest
			if _, err := s.db.Get(ctx, s.db.FollowRequest(follower, uid), &request); err != nil {
				return err
			}
			made.AskedAt = request.CreatedAt
		}
		b.Create(relationship, made)
		b.Delete(s.db.FollowRequest(follower, uid), firestore.Exists)
		b.Set(s.db.Viewer(follower), viewers.Put(fields.Follows, uid, at), firestore.MergeAll)
		watched, grown := s.graph.viewers.Watch(ctx)
		if _, err := s.db.CommitOnce(watched, b, s.db.Made(relationship)); !db.NotFound(err) && !db.AlreadyExists(err) {
			grown(follower)
			return err
		}
		failure = errs.New(errs.NotFound, "request_not_found", "%q does not ask to follow you", follower)
	}
	// The follower may follow already, for example because the answer to the commit was lost and the client sent the
	// commit again.
	if found, err := s.db.Get(ctx, relationship, nil); err != nil || found {
		return err
	}
	return failure
}

// Refuse deletes the request of a user to follow uid. The user is not notified and may request again. Without a
// request, Refuse changes nothing.
//
// Cost: 1 delete, also without a request.
func (s *Requests) Refuse(ctx context.Context, uid, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Refuse(%q, %q)", uid, follower)
	return s.db.DeleteOnce(ctx, s.db.FollowRequest(follower, uid))
}
