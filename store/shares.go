package store

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Share notes that uid passes a tweet on: 1 read and 1 write. Sharing again changes
// nothing. A tweet that is deleted or unknown is errs.Gone or NotFound.
func (s *Store) Share(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.Share(%q, %q)", uid, id)
	var t model.Tweet
	held, err := s.get(ctx, s.tweet(id), &t)
	if err != nil || !held {
		return errOr(err, s.gone(ctx, id))
	}
	_, err = s.share(uid, id).Create(ctx, model.Like{UserID: uid, TweetID: id, AuthorID: t.AuthorID, CreatedAt: s.time()})
	if exists(err) {
		return nil
	}
	return err
}

// Unshare ends what Share began: 1 delete. Without a share it changes nothing.
func (s *Store) Unshare(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.Unshare(%q, %q)", uid, id)
	_, err = s.share(uid, id).Delete(ctx)
	return err
}

// RemoveShares deletes the shares of a tweet that is gone, a few hundred at a time: a
// read and a delete each.
func (s *Store) RemoveShares(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "store.RemoveShares(%q)", id)
	return s.removeReactions(ctx, model.Shares, id, func(*firestore.WriteBatch, model.Like) {})
}

func (s *Store) share(uid model.UserID, id model.TweetID) *firestore.DocumentRef {
	return s.doc(model.Shares, model.ReactionKey(uid, id))
}
