package functions

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/model"
)

// bucketTweet makes the card of an edited or deleted tweet, in its author's month
// and recent tweets, agree with the tweet. Where only counts changed, as at every
// like, nothing is read or written. The card of a new tweet is fanOutTweet's. A change by a
// hand that does not know of changedAt is stamped, so that home pages show it.
func (h *handlers) bucketTweet(ctx context.Context, c *Change) error {
	before, after, err := versions[model.Tweet](c)
	if err != nil {
		return err
	}
	if after != nil && before != nil && after.Card().Equal(before.Card()) {
		return nil
	}
	t, err := document[model.Tweet](c)
	if err != nil {
		return err
	}
	if before != nil && after != nil && after.ChangedAt.Equal(before.ChangedAt) {
		if err := h.store.StampTweet(ctx, model.TweetID(c.ID)); err != nil {
			return err
		}
	}
	if _, err := h.store.SettleCard(ctx, t.AuthorID, model.TweetID(c.ID)); err != nil {
		return err
	}
	return h.store.RebuildRecent(ctx, t.AuthorID)
}

// cleanUpTweet removes what hangs on a deleted tweet: its entries in home timelines,
// its likes and shares, and the shards of its counts.
func (h *handlers) cleanUpTweet(ctx context.Context, c *Change) error {
	t, err := document[model.Tweet](c)
	if err != nil {
		return err
	}
	id := model.TweetID(c.ID)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return h.store.RemoveLikes(ctx, id) })
	g.Go(func() error { return h.store.RemoveShares(ctx, id) })
	g.Go(func() error { return h.store.RemoveShards(ctx, model.Tweets, c.ID) })
	g.Go(func() error {
		audience, err := h.store.Audience(ctx, t.AuthorID, id.Month())
		if err != nil || audience.Pulled { // nothing was pushed, or readers pass over it
			return err
		}
		if audience.Pages > 0 {
			return h.store.StartFanOut(ctx, id, t.AuthorID, audience.Pages, model.FanOutWithdraw)
		}
		return h.store.Withdraw(ctx, id, t.AuthorID, 0, audience.Followers)
	})
	return g.Wait()
}
