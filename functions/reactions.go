package functions

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/model"
)

// likeChanged counts a like in likeCount of the tweet, records it for trends, and notifies the author of the tweet. A
// deleted like withdraws its notification event.
func (h *handlers) likeChanged(ctx context.Context, e *Event) error {
	l, err := document[model.Like](e)
	if err != nil {
		return err
	}
	h.store.Trends.Mark(ctx, l, e.Type != Deleted, e.changed())
	return all(
		func() error { return h.countAndTell(ctx, e, l, model.NotificationLike, l.AllowedAt) },
		h.tells(func(out *delivery.Out) error { return out.Liked(ctx, l, e.Type == Deleted) }),
	)
}

// shareChanged counts a share in shareCount of the tweet, records it for trends, adds it to the sharer's head, and
// notifies the author of the tweet. A withdrawn share leaves the head and the notification.
func (h *handlers) shareChanged(ctx context.Context, e *Event) error {
	l, err := document[model.Share](e)
	if err != nil {
		return err
	}
	deliver := h.store.Timelines.DeliverShare
	if e.Type == Deleted {
		deliver = h.store.Timelines.WithdrawShare
	}
	h.store.Trends.Mark(ctx, l, e.Type != Deleted, e.changed())
	return all(
		func() error { return h.countAndTell(ctx, e, l, model.NotificationShare, l.AllowedAt) },
		func() error { return deliver(ctx, l) },
		h.tells(func(out *delivery.Out) error { return out.Shared(ctx, l, e.Type == Deleted) }),
	)
}

// countAndTell counts a like or share, and notifies the author of the tweet, in one commit. A user's own reaction has
// no notification event, and is counted alone.
func (h *handlers) countAndTell(ctx context.Context, e *Event, l model.AnyReaction, kind model.NotificationKind,
	allowed time.Time) error {
	r, effect := l.Base(), h.store.Counters.Reaction(e.idempotencyRecord(), l, e.sign())
	n := model.FactNotificationEvent(kind, r.AuthorID, model.NotificationEventPayload{UserID: r.UserID,
		TweetID: r.TweetID}, r.CreatedAt)
	n.AllowedAt = allowed
	switch {
	case r.UserID == r.AuthorID:
		return effect.Commit(ctx)
	case e.Type == Deleted:
		return h.store.NotificationEvents.WithdrawAndCount(ctx, n, effect)
	}
	return h.store.NotificationEvents.NotifyAndCount(ctx, n, effect)
}

// voteChanged counts a vote in the counts of the poll.
func (h *handlers) voteChanged(ctx context.Context, e *Event) error {
	v, err := document[model.Vote](e)
	if err != nil {
		return err
	}
	return all(
		func() error { return h.store.Counters.CountVote(ctx, e.idempotencyRecord(), v, e.sign()) },
		h.tells(func(out *delivery.Out) error {
			if e.Type == Deleted { // with the tweet or the account: a vote stays
				return nil
			}
			return out.Voted(ctx, v)
		}),
	)
}
