package functions

import (
	"context"
	"errors"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// indexTweet makes a new tweet searchable and records its tags for trends.
func (h *handlers) indexTweet(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil {
		return err
	}
	id := model.TweetID(e.DocumentID)
	var g safely.Group
	g.Go(func() error { return h.store.Search.Update(ctx, id, nil, t) })
	g.Go(func() error { return h.store.Trends.Tweet(ctx, id, nil, t, e.changed()) })
	return g.Wait()
}

// bucketTweet updates the preview, the search index and the trends after a tweet was edited, flagged or deleted. It
// then delivers a tweet that moved to another audience partition, because a moderator removed its flag or the author
// changed its audience. fanOutTweet writes the preview of a new tweet.
func (h *handlers) bucketTweet(ctx context.Context, e *Event) error {
	before, after, err := versions[model.Tweet](e)
	if err != nil || before != nil && after != nil && after.Preview().Equal(before.Preview()) {
		return err // only counts changed, as at every like
	}
	if _, err := document[model.Tweet](e); err != nil {
		return err
	}
	id := model.TweetID(e.DocumentID)
	var g safely.Group   // each part runs even if another fails: a tweet for fewer people must leave every partition
	var unsearched error // a search engine that is down must not delay delivery to followers
	g.Go(func() error { return h.store.Previews.Update(ctx, id, before, after) })
	g.Go(func() error { unsearched = h.store.Search.Update(ctx, id, before, after); return nil })
	g.Go(func() error { return h.store.Trends.Tweet(ctx, id, before, after, e.changed()) })
	if err := g.Wait(); err != nil {
		return errors.Join(err, unsearched)
	}
	if before == nil || after == nil || before.AudiencePartition() == after.AudiencePartition() ||
		after.AudiencePartition() == model.NoAudiencePartition {
		return unsearched
	}
	after.ID = id
	return errors.Join(h.store.Timelines.Return(ctx, after), unsearched)
}

// cleanUpTweet removes the documents that depend on a deleted tweet: its likes, shares and shards, its entries in home
// timelines, and its notification events.
func (h *handlers) cleanUpTweet(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil {
		return err
	}
	id := model.TweetID(e.DocumentID)
	t.ID = id
	g, ctx := safely.WithContext(ctx)
	g.Go(func() error { return h.withdrawTweet(ctx, t) })
	g.Go(func() error { return h.store.Counters.CleanUp(ctx, id, t) })
	g.Go(func() error { return h.store.Timelines.Withdraw(ctx, id.Position(), t.AuthorID) })
	return g.Wait()
}

// continueCleanUp removes the next part of the documents that depend on a deleted tweet.
func (h *handlers) continueCleanUp(ctx context.Context, e *Event) error {
	work, err := document[model.CleanUpWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Counters.ContinueCleanUp(ctx, *work)
}
