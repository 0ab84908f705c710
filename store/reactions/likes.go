package reactions

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Like makes uid like a tweet. Liking again changes nothing. A user without a profile is errs.Forbidden, and so is a
// tweet that does not accept this like. A deleted tweet is errs.Gone, and an unknown or hidden tweet errs.NotFound.
//
// Cost: 3 reads and 2 writes; 1 read and 2 writes for the user's own tweet; no write if the like exists.
func (s *Store) Like(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	_, err = s.LikeAlso(ctx, uid, id, nil)
	return err
}

// LikeAlso is [Store.Like] with the update of another document in the commit of the like. made is false if the like
// existed: then the other document stays as it is.
//
// Cost: as Like, and 1 write for the update.
func (s *Store) LikeAlso(ctx context.Context, uid model.UserID, id model.TweetID, also *db.Also) (made bool,
	err error) {
	defer errs.Wrap(&err, "reactions.Like(%q, %q)", uid, id)
	e, err := s.access.CheckReaction(ctx, uid, id, model.NotificationLike, true)
	if err != nil {
		return false, err
	}
	if err := model.MayLike(uid, e.Tweet, e.Author, e.ViewerRelationships); err != nil {
		return false, err
	}
	return s.add(ctx, model.Like{UserID: uid, TweetID: id, AuthorID: e.Tweet.AuthorID,
		CreatedAt: s.db.Time(), Language: e.Tweet.TrendLanguage(), AllowedAt: e.AllowedAt}, also)
}

// Unlike removes a like. Without a like, Unlike changes nothing.
//
// Cost: 1 write and 1 delete; nothing without a like.
func (s *Store) Unlike(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "reactions.Unlike(%q, %q)", uid, id)
	return s.Remove(ctx, model.ReactionLike, uid, id)
}

// LikesOf returns the likes of a tweet, newest first.
//
// Cost: 1 read for each like, at least 1.
func (s *Store) LikesOf(ctx context.Context, id model.TweetID, from model.Cursor, limit int) (_ model.Page[model.Like],
	err error) {
	defer errs.Wrap(&err, "reactions.LikesOf(%q)", id)
	return s.likes(ctx, s.db.Client.Collection(model.Likes).Where(fields.TweetID, "==", id), from, limit)
}

// LikesBy returns the likes of a user, newest first.
//
// Cost: 1 read for each like, at least 1.
func (s *Store) LikesBy(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.Like],
	err error) {
	defer errs.Wrap(&err, "reactions.LikesBy(%q)", uid)
	return s.likes(ctx, s.db.Client.Collection(model.Likes).Where(fields.UserID, "==", uid), from, limit)
}

func (s *Store) likes(ctx context.Context, q firestore.Query, from model.Cursor, limit int) (model.Page[model.Like],
	error) {
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (l model.Like, at model.Cursor, err error) {
			err = snap.DataTo(&l)
			return l, model.Cursor{At: l.CreatedAt, ID: snap.Ref.ID}, err
		})
}
