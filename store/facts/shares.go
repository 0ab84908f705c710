package facts

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Share notes that uid passes a tweet on: 1 read and 1 write. Sharing again changes
// nothing. A tweet that is deleted or unknown is errs.Gone or NotFound.
func (s *Store) Share(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.Share(%q, %q)", uid, id)
	var t model.Tweet
	found, err := s.db.Get(ctx, s.db.Tweet(id), &t)
	if err != nil {
		return err
	}
	if !found {
		return s.gone(ctx, id)
	}
	_, err = s.db.Share(uid, id).Create(ctx, model.Like{UserID: uid, TweetID: id, AuthorID: t.AuthorID, CreatedAt: s.db.Time()})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}

// Unshare ends what Share began: 1 delete. Without a share it changes nothing.
func (s *Store) Unshare(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.Unshare(%q, %q)", uid, id)
	_, err = s.db.Share(uid, id).Delete(ctx)
	return err
}

// RemoveShares deletes the shares of a tweet that is gone, a few hundred at a time: a
// read and a delete each.
func (s *Store) RemoveShares(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.RemoveShares(%q)", id)
	return s.removeReactions(ctx, model.Shares, id, func(*db.Batch, model.Like) {})
}
