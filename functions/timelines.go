package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// continueFanOut serves one page of the followers of an author with hashed pages.
func (h *handlers) continueFanOut(ctx context.Context, e *Event) error {
	work, err := document[model.FanOutWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Timelines.Continue(ctx, *work)
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
