package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// FanOutShare puts a new share into its sharer's month and head, and into the home timelines of the sharer's followers.
// It reads the share itself last, and withdraws the share again if it was taken back meanwhile.
//
// Each share has its own id. So late work for a withdrawn share touches no newer share of the same tweet.
//
// [Reader.Home] does not read the shares in a month of a home timeline. So a withdrawn share must leave every active
// follower's month, in any order of the events. FanOutShare and each of its pages read the share after their writes.
// If the share is gone, they take it out. If it is there, [Writer.WithdrawShare] comes later, and finds the followers
// who got it on the pages. [Writer.Link] reads the share in the transaction of its write. A follower who left sees no
// share of the user. Home reads the shares of a pulled sharer, and those from before the reader was last dormant.
//
// A share and a new follower may cross each other like a tweet and a new follower, see [Writer.FanOut].
//
// A share from before shares reached home timelines has no id, and is delivered to nobody.
//
// Cost: 3 reads, 2 writes, and 1 write an active follower or a page; a pulled share 3 reads and 3 writes.
func (w *Writer) FanOutShare(ctx context.Context, l *model.Share) (err error) {
	defer errs.Wrap(&err, "timelines.FanOutShare(%q, %q)", l.UserID, l.TweetID)
	position := l.Position()
	if position == "" {
		return nil
	}
	if err := w.previews.PutShare(ctx, l); err != nil {
		return err
	}
	a, err := w.Audience(ctx, l.UserID, position.Month())
	if err != nil {
		return err
	}
	if a.Pull {
		if err := w.previews.MarkShares(ctx, l.UserID, position.Month()); err != nil {
			return err
		}
	}
	if err := w.send(ctx, position, l.UserID, a); err != nil {
		return err
	}
	there, err := w.previews.ReconcileNewShare(ctx, l.UserID, position)
	if err != nil || there {
		return err
	}
	if err := w.previews.RemoveShare(ctx, l.UserID, position); err != nil {
		return err
	}
	return w.withdraw(ctx, position, l.UserID, 0, a.Followers) // hashed pages withdraw by themselves
}

// WithdrawShare takes a withdrawn share out of its sharer's head and month, and out of the home timelines of the
// sharer's followers. If the tweet is gone, the share stays in the timelines: readers skip it with the tweet, and a
// deleted tweet may have very many shares. A share of a deleted account stays, too.
//
// Cost: 4 reads, 2 writes, and 1 write an active follower or a page; 2 reads and 1 write if the month has expired.
func (w *Writer) WithdrawShare(ctx context.Context, l *model.Share) (err error) {
	defer errs.Wrap(&err, "timelines.WithdrawShare(%q, %q)", l.UserID, l.TweetID)
	position := l.Position()
	if position == "" || w.db.KnowsGone(l.UserID) {
		return nil
	}
	if err := w.previews.ReconcileHead(ctx, l.UserID, position); err != nil || w.expired(position) {
		return err
	}
	if err := w.previews.RemoveShare(ctx, l.UserID, position); err != nil {
		return err
	}
	there, err := w.db.Get(ctx, w.db.Tweet(l.TweetID), nil)
	if err != nil || !there {
		return err
	}
	return w.Withdraw(ctx, position, l.UserID)
}
