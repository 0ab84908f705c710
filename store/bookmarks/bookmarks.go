// Package bookmarks keeps the tweets that a user wants to find again. A bookmark is a fact
// that concerns its user alone: nobody else sees it, no count has it, and nobody is notified.
package bookmarks

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Store keeps bookmarks. Its methods may be called concurrently. Their errors are those of
// package errs.
type Store struct {
	db    *db.DB
	facts *facts.Store
}

// New returns the bookmarks of a database. Only packages below store have a [db.DB].
func New(d *db.DB, f *facts.Store) *Store { return &Store{d, f} }

// Bookmark keeps a tweet for a viewer who sees it. Bookmarking again changes nothing: the
// bookmark keeps its place in the list. A user without a profile is errs.Forbidden. A
// deleted tweet is errs.Gone, and an unknown or hidden tweet errs.NotFound.
//
// Cost: 1 read and 1 write; no write if the bookmark is there.
// A tweet that is gone costs 2 reads and no write. A tweet for followers costs 1 read more.
// A user whose profile this process does not remember costs 1 read more.
func (s *Store) Bookmark(ctx context.Context, by model.Viewer, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "bookmarks.Bookmark(%q, %q)", by.ID, id)
	if err := s.facts.MayWrite(ctx, by.ID); err != nil {
		return err
	}
	// A cached tweet may be gone, with all its bookmarks.
	s.facts.Forget(id)
	if err := s.facts.RequireTweet(ctx, id, by); err != nil {
		return err
	}
	t, err := s.facts.Cached(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.ref(by.ID, id).Create(ctx, model.Like{UserID: by.ID, TweetID: id, AuthorID: t.AuthorID, CreatedAt: s.db.Time()})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}

// Unbookmark removes a bookmark. Without a bookmark Unbookmark changes nothing.
//
// Cost: 1 delete, also without a bookmark.
func (s *Store) Unbookmark(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "bookmarks.Unbookmark(%q, %q)", uid, id)
	return s.facts.RemoveMark(ctx, model.Bookmarks, uid, id)
}

// Bookmarked tells which of some tweets a user keeps.
//
// Cost: 1 read a tweet.
func (s *Store) Bookmarked(ctx context.Context, uid model.UserID, ids []model.TweetID) (_ map[model.TweetID]bool, err error) {
	defer errs.Wrap(&err, "bookmarks.Bookmarked(%q, %d)", uid, len(ids))
	return s.db.Marked(ctx, model.Bookmarks, uid, ids)
}

// Of lists the bookmarks of a user, newest first. Some may be of tweets that are gone, or
// hidden from the user by now.
//
// Cost: 1 read for each bookmark, at least 1.
func (s *Store) Of(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.Like], err error) {
	defer errs.Wrap(&err, "bookmarks.Of(%q)", uid)
	q := s.db.Client.Collection(model.Bookmarks).Where("userId", "==", uid)
	return db.Page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (b model.Like, at model.Cursor, err error) {
			err = snap.DataTo(&b)
			return b, model.Cursor{At: b.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// ref names a bookmark.
func (s *Store) ref(uid model.UserID, id model.TweetID) *firestore.DocumentRef {
	return s.db.Doc(model.Bookmarks, model.ReactionKey(uid, id))
}
