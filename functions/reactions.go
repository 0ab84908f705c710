package functions

import (
	"context"

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
		func() error { return h.store.Counters.CountLike(ctx, e.idempotencyRecord(), l, e.sign()) },
		func() error { return h.tell(ctx, e, reactionNotificationEvent(model.NotificationLike, l.Base())) },
	)
}

// shareChanged counts a share in shareCount of the tweet, records it for trends, adds it to the sharer's head and to the
// home timelines of the sharer's followers, and notifies the author of the tweet. A withdrawn share leaves the head, the
// timelines and the notification.
func (h *handlers) shareChanged(ctx context.Context, e *Event) error {
	l, err := document[model.Share](e)
	if err != nil {
		return err
	}
	deliver := h.store.Timelines.FanOutShare
	if e.Type == Deleted {
		deliver = h.store.Timelines.WithdrawShare
	}
	h.store.Trends.Mark(ctx, l, e.Type != Deleted, e.changed())
	return all(
		func() error { return h.store.Counters.CountShare(ctx, e.idempotencyRecord(), l, e.sign()) },
		func() error { return deliver(ctx, l) },
		func() error { return h.tell(ctx, e, reactionNotificationEvent(model.NotificationShare, l.Base())) },
	)
}

func reactionNotificationEvent(kind model.NotificationKind, r model.Reaction) *model.NotificationEvent {
	return model.FactNotificationEvent(kind, r.AuthorID, model.NotificationEventPayload{UserID: r.UserID,
		TweetID: r.TweetID}, r.CreatedAt)
}

// voteChanged counts a vote in the counts of the poll.
func (h *handlers) voteChanged(ctx context.Context, e *Event) error {
	v, err := document[model.Vote](e)
	if err != nil {
		return err
	}
	return h.store.Counters.CountVote(ctx, e.idempotencyRecord(), v, e.sign())
}
