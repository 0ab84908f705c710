package facts

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Share notes that uid passes a tweet on. Sharing again changes nothing. A user without a
// profile is errs.Forbidden, and so is a tweet whose author blocks the user. A deleted tweet
// is errs.Gone, and an unknown or hidden tweet errs.NotFound.
//
// Cost: 2 reads and 1 write; 1 read and 1 write for the user's own tweet.
// A share that is there already costs no write.
// A user whose profile this process does not remember costs 1 read more.
func (s *Store) Share(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.Share(%q, %q)", uid, id)
	if err := s.MayWrite(ctx, uid); err != nil {
		return err
	}
	e, err := s.encounter(ctx, uid, id, false)
	if err != nil {
		return err
	}
	if err := model.MayShare(uid, e.tweet, e.ties); err != nil {
		return err
	}
	_, err = s.db.Share(uid, id).Create(ctx, model.Like{UserID: uid, TweetID: id, AuthorID: e.tweet.AuthorID, CreatedAt: s.db.Time()})
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

// RemoveMarks deletes shares or bookmarks of a deleted tweet, as [Store.RemoveLikes] does likes.
//
// Cost: 1 read and 1 delete for each share or bookmark, at least 1 read.
func (s *Store) RemoveMarks(ctx context.Context, collection string, id model.TweetID, over func() bool) (done bool, err error) {
	defer errs.Wrap(&err, "facts.RemoveMarks(%s, %q)", collection, id)
	return s.removeReactions(ctx, collection, id, over, func(*db.Batch, model.Like) {})
}
