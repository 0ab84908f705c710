package functions

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// countFollow keeps followedCount of the follower and followerCount of the followed.
func (h *handlers) countFollow(ctx context.Context, c *Change) error {
	rel, err := document[model.Relationship](c)
	if err != nil {
		return err
	}
	return h.store.CountFollow(ctx, c.effect(), rel.FollowerID, rel.FollowedID, c.sign())
}

// countTweet keeps the author's tweetCount and tagsUsed.
func (h *handlers) countTweet(ctx context.Context, c *Change) error {
	t, err := document[model.Tweet](c)
	if err != nil {
		return err
	}
	return h.store.CountTweet(ctx, c.effect(), t.AuthorID, slices.Collect(maps.Keys(t.Tags)), c.sign())
}

// countTags keeps tweetCount of the tags that a tweet got or lost.
func (h *handlers) countTags(ctx context.Context, c *Change) error {
	before, after, err := versions[model.Tweet](c)
	if err != nil {
		return err
	}
	added, removed := model.TagDiff(before, after)
	if len(added)+len(removed) == 0 {
		return nil
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
	return h.store.CountTags(ctx, c.effect(), by, labels)
}

// countReply keeps replyCount of the tweet that was replied to.
func (h *handlers) countReply(ctx context.Context, c *Change) error {
	t, err := document[model.Tweet](c)
	if err != nil || t.ReplyTo == nil {
		return err
	}
	return h.store.CountReply(ctx, c.effect(), *t.ReplyTo, c.sign())
}

// countLike keeps likeCount of the tweet.
func (h *handlers) countLike(ctx context.Context, c *Change) error {
	return h.countReaction(ctx, c, h.store.CountLike, h.store.Unlike)
}

// countShare keeps shareCount of the tweet.
func (h *handlers) countShare(ctx context.Context, c *Change) error {
	return h.countReaction(ctx, c, h.store.CountShare, h.store.Unshare)
}

// countReaction counts a like or share. One that slipped in while its tweet was being
// deleted is removed.
func (h *handlers) countReaction(ctx context.Context, c *Change,
	count func(context.Context, store.Effect, model.TweetID, int64) (held bool, err error),
	remove func(context.Context, model.UserID, model.TweetID) error) error {
	r, err := document[model.Like](c)
	if err != nil {
		return err
	}
	held, err := count(ctx, c.effect(), r.TweetID, c.sign())
	if err != nil || held || c.Type != Created {
		return err
	}
	return remove(ctx, r.UserID, r.TweetID)
}

// rollUp moves the shards of a hot document into its counts, about once a second
// while it is hot. Nobody checked, for a hot tweet, whether it is still there; what
// was counted for one that is gone is removed.
func (h *handlers) rollUp(ctx context.Context, c *Change) error {
	work, err := document[store.RollUpWork](c)
	if err != nil {
		return err
	}
	work.WrittenAt = c.updated()
	if err := pause(ctx, h.store.RollUpAfter()); err != nil {
		return err
	}
	held, err := h.store.RollUp(ctx, *work)
	if err != nil || held || work.Collection != model.Tweets {
		return err
	}
	return errors.Join(h.store.RemoveLikes(ctx, model.TweetID(work.ID)), h.store.RemoveShares(ctx, model.TweetID(work.ID)))
}
