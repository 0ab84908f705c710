package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

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
	}
	return fmt.Errorf("%w: no buckets are in %q", errPoison, work.Collection)
}

// sweep searches for lost work.
func (h *handlers) sweep(ctx context.Context, e *Event) error {
	work, err := document[model.SweepWork](e)
	if err != nil {
		return err
	}
	work.ID, work.WrittenAt = e.DocumentID, e.updated()
	return h.store.Timelines.Sweep(ctx, *work)
}
