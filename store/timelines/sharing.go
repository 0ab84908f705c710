package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// FanOutShare puts a new share into its sharer's month, and into the home timelines of the
// sharer's followers. It reads the share itself last, and takes back what it wrote if the share
// was taken back meanwhile.
//
// A share is named by its own id. So whatever is late for a share that was taken back touches
// no newer share of the same tweet. Who pages through a home timeline asks the fact of each
// share, see [Reader.Home]: what FanOutShare left somewhere by mistake is not shown.
//
// A share and a new follower who cross each other meet as a tweet does, see [Writer.FanOut].
//
// A share from before shares reached home timelines has no id, and goes nowhere.
//
// Cost: 2 reads, 1 write, and 1 write a follower who is active; with hashed pages 3 reads, 1
// write, and 1 write a page. Cost of a pulled share: 2 reads and 2 writes; the first of a month
// what a tweet costs more, see [Writer.FanOut].
// A share that is gone costs 1 write more, and 1 write a follower to whom it was pushed.
func (w *Writer) FanOutShare(ctx context.Context, l *model.Like) (err error) {
	defer errs.Wrap(&err, "timelines.FanOutShare(%q, %q)", l.UserID, l.TweetID)
	position := l.Place()
	if position == "" {
		return nil
	}
	if err := w.previews.PutShare(ctx, l); err != nil {
		return err
	}
	a, err := w.pages.Audience(ctx, l.UserID, position.Month(), w.pullAbove)
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
	there, err := w.there(ctx, position, l.UserID)
	if err != nil || there {
		return err
	}
	if err := w.previews.RemoveShare(ctx, l.UserID, position); err != nil {
		return err
	}
	return w.withdraw(ctx, position, l.UserID, 0, a.Followers) // hashed pages withdraw by themselves
}

// WithdrawShare takes a share that was taken back out of its sharer's month, and out of the
// home timelines of the sharer's followers. A share whose tweet is gone stays in these: readers
// pass over it, as over the tweet, and a deleted tweet may have very many shares. So does a
// share of a user who has left.
//
// Cost: 2 reads, 1 write, and 1 write a follower who is active; with hashed pages 3 reads, 1
// write, and 1 write a page. Cost of a pulled share: 2 reads and 1 write.
// A share whose tweet is gone costs 1 read and 1 write.
// If this process knows that the sharer is gone, or if the month has expired: nothing.
func (w *Writer) WithdrawShare(ctx context.Context, l *model.Like) (err error) {
	defer errs.Wrap(&err, "timelines.WithdrawShare(%q, %q)", l.UserID, l.TweetID)
	position := l.Place()
	if position == "" || w.db.KnowsGone(l.UserID) || w.expired(position) {
		return nil
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
