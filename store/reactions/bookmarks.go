// This file stores bookmarks: the tweets that a user wants to find again. A bookmark is a source document that concerns
// only its user. No other user sees it and no count includes it. Nobody is notified.

package reactions

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Bookmarks stores bookmarks. Its methods may be called concurrently. Their errors are errors of package errs.
type Bookmarks struct {
	db        *db.DB
	access    *access.Store
	reactions *Store
}

// NewBookmarks returns the bookmarks of a database. Only packages below store have a [db.DB].
func NewBookmarks(d *db.DB, a *access.Store, r *Store) *Bookmarks { return &Bookmarks{d, a, r} }

// Bookmark bookmarks a tweet for a viewer who sees it. Bookmarking again changes nothing, and the bookmark keeps its
// position in the list. A user without a profile is errs.Forbidden. A deleted tweet is errs.Gone, and an unknown or
// hidden tweet errs.NotFound.
//
// Cost: 1 read and 2 writes; no write if the bookmark exists; 2 reads and no write if the tweet is gone.
func (s *Bookmarks) Bookmark(ctx context.Context, by model.Viewer, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "reactions.Bookmark(%q, %q)", by.ID, id)
	if err := s.access.MayWrite(ctx, by.ID); err != nil {
		return err
	}
	// A cached tweet may be gone, with all its bookmarks.
	s.access.ForgetTweet(id)
	if err := s.access.RequireTweet(ctx, id, by); err != nil {
		return err
	}
	t, err := s.access.Cached(ctx, id)
	if err != nil {
		return err
	}
	return s.reactions.Add(ctx, model.Bookmark{UserID: by.ID, TweetID: id, AuthorID: t.AuthorID,
		CreatedAt: s.db.Time()})
}

// Unbookmark removes a bookmark. Without a bookmark, Unbookmark changes nothing.
//
// Cost: 1 write and 1 delete; nothing without a bookmark.
func (s *Bookmarks) Unbookmark(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "reactions.Unbookmark(%q, %q)", uid, id)
	return s.reactions.Remove(ctx, model.ReactionBookmark, uid, id)
}

// Of returns the bookmarks of a user, newest first. Some of the tweets may be gone, or hidden from the user by now.
//
// Cost: 1 read for each bookmark, at least 1.
func (s *Bookmarks) Of(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.Bookmark], err error) {
	defer errs.Wrap(&err, "reactions.Of(%q)", uid)
	q := s.db.Client.Collection(model.Bookmarks).Where(fields.UserID, "==", uid)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (b model.Bookmark, at model.Cursor, err error) {
			err = snap.DataTo(&b)
			return b, model.Cursor{At: b.CreatedAt, ID: snap.Ref.ID}, err
		})
}
