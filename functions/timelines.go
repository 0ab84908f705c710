package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// fanOutTweet adds a new tweet to its author's month, to the author's newest tweets and to home timelines.
func (h *handlers) fanOutTweet(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil {
		return err
	}
	t.ID = model.TweetID(e.DocumentID)
	return h.store.Timelines.FanOut(ctx, t)
}

// fanOutShare adds a new share to the home timelines of the sharer's followers, and removes a withdrawn share from
// them.
func (h *handlers) fanOutShare(ctx context.Context, e *Event) error {
	share, err := document[model.Share](e)
	if err != nil {
		return err
	}
	if e.Type == Deleted {
		return h.store.Timelines.WithdrawShare(ctx, share)
	}
	return h.store.Timelines.FanOutShare(ctx, share)
}

// continueFanOut serves one page of the followers of an author with hashed pages.
func (h *handlers) continueFanOut(ctx context.Context, e *Event) error {
	work, err := document[model.FanOutWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Timelines.Continue(ctx, *work)
}

// linkTimeline makes the author's pages of followers and the follower's home timeline
// agree with a relationship.
func (h *handlers) linkTimeline(ctx context.Context, e *Event) error {
	rel, err := document[model.Relationship](e)
	if err != nil {
		return err
	}
	return h.store.Timelines.Link(ctx, rel.FollowerID, rel.FollowedID)
}

// overflowBucket moves the older items of a bucket that grew too large to overflow documents.
func (h *handlers) overflowBucket(ctx context.Context, e *Event) error {
	work, err := document[model.OverflowWork](e)
	if err != nil {
		return err
	}
	switch work.Collection {
	case model.TweetMonths:
		return h.store.Previews.Overflow(ctx, model.OpenAudiencePartition, work.Bucket)
	case model.FollowerMonths:
		return h.store.Previews.Overflow(ctx, model.FollowersAudiencePartition, work.Bucket)
	case model.ShareMonths:
		return h.store.Previews.OverflowShares(ctx, work.Bucket)
	case model.Timelines:
		return h.store.Timelines.Overflow(ctx, work.Bucket)
	}
	return fmt.Errorf("%w: no buckets are in %q", errPoison, work.Collection)
}

// rebuildTimeline rebuilds the home timeline of a dormant reader.
func (h *handlers) rebuildTimeline(ctx context.Context, e *Event) error {
	work, err := document[model.RebuildWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Rebuilding.Rebuild(ctx, *work)
}

// sweep makes readers dormant who have not opened their home timeline for a long time.
func (h *handlers) sweep(ctx context.Context, e *Event) error {
	work, err := document[model.SweepWork](e)
	if err != nil {
		return err
	}
	work.ID, work.WrittenAt = e.DocumentID, e.updated()
	return h.store.Rebuilding.Sweep(ctx, *work)
}

// markDormant marks a reader as dormant on the follower pages of the authors whom the reader follows.
func (h *handlers) markDormant(ctx context.Context, e *Event) error {
	work, err := document[model.DormancyWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Rebuilding.MarkDormant(ctx, *work)
}
