package functions

import (
	"context"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// countFollow counts a relationship in followedCount of the follower and followerCount of the followed user. An
// unfollow withdraws the notification event of the follow.
func (h *handlers) countFollow(ctx context.Context, e *Event) error {
	rel, err := document[model.Relationship](e)
	if err != nil {
		return err
	}
	var g safely.Group
	g.Go(func() error {
		return h.store.Counters.CountFollow(ctx, e.idempotencyRecord(), rel.FollowerID, rel.FollowedID, e.sign())
	})
	if e.Type == Deleted {
		g.Go(func() error { return h.store.NotificationEvents.Withdraw(ctx, followNotificationEvent(rel)) })
	}
	return g.Wait()
}

// countUser counts a profile in the total number of users.
func (h *handlers) countUser(ctx context.Context, e *Event) error {
	return h.store.Counters.CountUser(ctx, e.idempotencyRecord(), e.sign())
}

// countTweet counts a tweet in tweetCount of its author.
func (h *handlers) countTweet(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil {
		return err
	}
	return h.store.Counters.CountTweet(ctx, e.idempotencyRecord(), t.AuthorID, e.sign())
}

// countTags counts a tweet in tweetCount of each tag that the tweet gained or lost, and in its author's tag usage.
func (h *handlers) countTags(ctx context.Context, e *Event) error {
	before, after, err := versions[model.Tweet](e)
	if err != nil {
		return err
	}
	added, removed := model.TagDiff(before, after)
	if len(added)+len(removed) == 0 {
		return nil
	}
	t, err := document[model.Tweet](e)
	if err != nil {
		return err
	}
	by := make(map[string]int64, len(added)+len(removed))
	labels := map[string]string{}
	for _, tag := range added {
		by[tag] = 1
		labels[tag] = after.TagLabels[tag]
	}
	for _, tag := range removed {
		by[tag] = -1
		labels[tag] = before.TagLabels[tag]
	}
	return h.store.Counters.CountTags(ctx, e.idempotencyRecord(), t.AuthorID, by, labels)
}

// countReply counts a reply in replyCount of the tweet to which it replies.
func (h *handlers) countReply(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil || t.ReplyTo == nil {
		return err
	}
	return h.store.Counters.CountReply(ctx, e.idempotencyRecord(), *t.ReplyTo, e.sign())
}

// countQuote counts a quote in quoteCount of the tweet that it quotes.
func (h *handlers) countQuote(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil || t.QuoteOf == "" {
		return err
	}
	return h.store.Counters.CountQuote(ctx, e.idempotencyRecord(), t.QuoteOf, e.sign())
}

// countLike counts a like in likeCount of the tweet, and records it for trends. A deleted like withdraws its
// notification event, and so does a deleted share. This function withdraws it because it receives the event anyway.
func (h *handlers) countLike(ctx context.Context, e *Event) error {
	l, err := document[model.Like](e)
	if err != nil {
		return err
	}
	return h.countReaction(ctx, e, model.NotificationLike, l, func() error {
		return h.store.Counters.CountLike(ctx, e.idempotencyRecord(), l, e.sign())
	})
}

// countShare counts a share in shareCount of the tweet, and records it for trends.
func (h *handlers) countShare(ctx context.Context, e *Event) error {
	l, err := document[model.Share](e)
	if err != nil {
		return err
	}
	return h.countReaction(ctx, e, model.NotificationShare, l, func() error {
		return h.store.Counters.CountShare(ctx, e.idempotencyRecord(), l, e.sign())
	})
}

func (h *handlers) countReaction(ctx context.Context, e *Event, kind model.NotificationKind, l model.TrendReaction,
	count func() error) error {
	var g safely.Group
	g.Go(count)
	g.Go(func() error { return h.store.Trends.Mark(ctx, l, e.Type != Deleted, e.changed()) })
	if e.Type == Deleted {
		g.Go(func() error {
			return h.store.NotificationEvents.Withdraw(ctx, reactionNotificationEvent(kind, l.Base()))
		})
	}
	return g.Wait()
}

// countVote counts a vote in the counts of the poll.
func (h *handlers) countVote(ctx context.Context, e *Event) error {
	v, err := document[model.Vote](e)
	if err != nil {
		return err
	}
	return h.store.Counters.CountVote(ctx, e.idempotencyRecord(), v, e.sign())
}

// rollUp adds the shards of a hot document to the document's counts. It runs about once a second while the document is
// hot.
func (h *handlers) rollUp(ctx context.Context, e *Event) error {
	work, err := document[model.RollUpWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Counters.RollUp(ctx, *work)
}

// rollUpAgain enqueues a roll-up again that a process claimed and did not finish.
func (h *handlers) rollUpAgain(ctx context.Context, e *Event) error {
	work, err := document[model.ClaimedRollUp](e)
	if err != nil {
		return err
	}
	work.Record = e.DocumentID
	return h.store.Counters.RollUpAgain(ctx, *work)
}
