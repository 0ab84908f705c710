package functions

import (
	"context"
	"errors"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// indexTweet lets searches find a new tweet, and notes what it uses for trends.
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

// bucketTweet makes the previews of an edited, flagged or deleted tweet agree with the tweet, and
// by what searches find it, and what trends know of it. Then bucketTweet delivers a tweet that came
// to an audience partition, because it is not flagged any more or has another audience. The preview
// of a new tweet belongs to fanOutTweet.
func (h *handlers) bucketTweet(ctx context.Context, e *Event) error {
	before, after, err := versions[model.Tweet](e)
	if err != nil || before != nil && after != nil && after.Preview().Equal(before.Preview()) {
		return err // only counts changed, as at every like
	}
	if _, err := document[model.Tweet](e); err != nil {
		return err
	}
	id := model.TweetID(e.DocumentID)
	var g safely.Group   // none stops another: a tweet for fewer people must leave all of them, whatever fails
	var unsearched error // a search engine that is down keeps a tweet from no follower
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

// cleanUpTweet removes what a deleted tweet leaves behind: its likes, shares and shards,
// its entries in home timelines, and what users were told of it.
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
	g.Go(func() error { return h.store.Timelines.Withdraw(ctx, id, t.AuthorID) })
	return g.Wait()
}

// continueCleanUp goes on removing what a deleted tweet left behind.
func (h *handlers) continueCleanUp(ctx context.Context, e *Event) error {
	work, err := document[model.CleanUpWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Counters.ContinueCleanUp(ctx, *work)
}
