package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Like makes uid like a tweet. Liking again changes nothing. A user without a profile is
// errs.Forbidden, and so is a tweet that does not take this like. A deleted tweet is
// errs.Gone, and an unknown or hidden tweet errs.NotFound.
//
// Cost: 4 reads and 2 writes; 1 read and 2 writes for the user's own tweet.
// A like that is there already costs no write.
// A user whose profile this process does not remember costs 1 read more.
func (s *Store) Like(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.Like(%q, %q)", uid, id)
	if err := s.MayWrite(ctx, uid); err != nil {
		return err
	}
	e, err := s.Encounter(ctx, uid, id, true)
	if err != nil {
		return err
	}
	if err := model.MayLike(uid, e.Tweet, e.Author, e.Ties); err != nil {
		return err
	}
	b := s.db.Batch()
	b.Create(s.db.Like(uid, id), model.Like{UserID: uid, TweetID: id, AuthorID: e.Tweet.AuthorID, CreatedAt: s.db.Time(), Language: e.Tweet.TrendLanguage()})
	b.Set(s.db.ReactionMonth(uid, id.Month()), s.noteLike(uid, id), firestore.MergeAll)
	ctx, sizes := bucket.Watch(ctx)
	if _, err = b.Commit(ctx); db.AlreadyExists(err) {
		return nil
	}
	s.learnFull(uid, id, sizes)
	return err
}

// Unlike removes a like. Without a like Unlike changes nothing.
//
// Cost: 1 write and 1 delete; nothing without a like.
func (s *Store) Unlike(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.Unlike(%q, %q)", uid, id)
	b := s.db.Batch()
	b.Delete(s.db.Like(uid, id), firestore.Exists)
	b.Set(s.db.ReactionMonth(uid, id.Month()), noteUnlike(uid, id), firestore.MergeAll)
	if _, err = b.Commit(ctx); db.NotFound(err) {
		return nil
	}
	return err
}

// LikesOf lists the likes of a tweet, newest first.
//
// Cost: 1 read for each like, at least 1.
func (s *Store) LikesOf(ctx context.Context, id model.TweetID, from model.Cursor, limit int) (_ model.Page[model.Like], err error) {
	defer errs.Wrap(&err, "facts.LikesOf(%q)", id)
	return s.likes(ctx, s.db.Client.Collection(model.Likes).Where("tweetId", "==", id), from, limit)
}

// LikesBy lists the likes of a user, newest first.
//
// Cost: 1 read for each like, at least 1.
func (s *Store) LikesBy(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[model.Like], err error) {
	defer errs.Wrap(&err, "facts.LikesBy(%q)", uid)
	return s.likes(ctx, s.db.Client.Collection(model.Likes).Where("userId", "==", uid), from, limit)
}

func (s *Store) likes(ctx context.Context, q firestore.Query, from model.Cursor, limit int) (model.Page[model.Like], error) {
	return db.Page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (l model.Like, at model.Cursor, err error) {
			err = snap.DataTo(&l)
			return l, model.Cursor{At: l.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// RemoveLikes deletes the likes of a tweet that is gone, 200 in a commit, until over answers
// true. It tells whether all are gone that were there when it began.
//
// Cost: 1 read, 1 delete and 1 write for each like, at least 1 read.
func (s *Store) RemoveLikes(ctx context.Context, id model.TweetID, over func() bool) (done bool, err error) {
	defer errs.Wrap(&err, "facts.RemoveLikes(%q)", id)
	return s.removeReactions(ctx, model.Likes, id, over, func(b *db.Batch, l model.Like) {
		b.Set(s.db.ReactionMonth(l.UserID, id.Month()), noteUnlike(l.UserID, id), firestore.MergeAll)
	})
}

// RemoveMark deletes a share or a bookmark of a user. Without one it changes nothing.
//
// Cost: 1 delete.
func (s *Store) RemoveMark(ctx context.Context, collection string, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.RemoveMark(%s, %q, %q)", collection, uid, id)
	_, err = s.db.Doc(collection, model.ReactionKey(uid, id)).Delete(ctx)
	return err
}

// RemoveMarks deletes shares or bookmarks of a deleted tweet, as [Store.RemoveLikes] does likes.
//
// Cost: 1 read and 1 delete for each share or bookmark, at least 1 read.
func (s *Store) RemoveMarks(ctx context.Context, collection string, id model.TweetID, over func() bool) (done bool, err error) {
	defer errs.Wrap(&err, "facts.RemoveMarks(%s, %q)", collection, id)
	return s.removeReactions(ctx, collection, id, over, func(*db.Batch, model.Like) {})
}

// removeReactions deletes the likes, shares or bookmarks of a tweet until over answers true. Each
// deletion stands in one commit with the writes that also adds.
func (s *Store) removeReactions(ctx context.Context, collection string, id model.TweetID, over func() bool, also func(*db.Batch, model.Like)) (done bool, err error) {
	q := s.db.Client.Collection(collection).Where("tweetId", "==", id).Limit(200)
	for {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err == nil, err
		}
		b := s.db.Batch()
		for _, snap := range snaps {
			var l model.Like
			if err := snap.DataTo(&l); err != nil {
				return false, err
			}
			b.Delete(snap.Ref)
			also(b, l)
		}
		if _, err := b.Commit(ctx); err != nil || len(snaps) < 200 || over() {
			return err == nil && len(snaps) < 200, err
		}
	}
}
