package facts

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Share notes that uid passes a tweet on. Sharing again changes nothing. A deleted tweet is
// errs.Gone and an unknown tweet errs.NotFound.
//
// Cost: 1 read and 1 write; 2 reads if the tweet is gone.
// A share that is there already costs no write.
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

// Unshare removes a share. Without a share Unshare changes nothing.
//
// Cost: 1 delete, also without a share.
func (s *Store) Unshare(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.Unshare(%q, %q)", uid, id)
	_, err = s.db.Share(uid, id).Delete(ctx)
	return err
}

// RemoveShares deletes the shares of a tweet that is gone, 200 in a commit, until over
// answers true. It tells whether all shares are gone.
//
// Cost: 1 read and 1 delete for each share, and 1 read.
func (s *Store) RemoveShares(ctx context.Context, id model.TweetID, over func() bool) (done bool, err error) {
	defer errs.Wrap(&err, "facts.RemoveShares(%q)", id)
	return s.removeReactions(ctx, model.Shares, id, over, func(*db.Batch, model.Like) {})
}
