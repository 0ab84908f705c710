package functions

import (
	"context"

	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/model"
)

// followChanged does what a follow or unfollow causes. It counts the relationship, makes the followed user's list of
// followers agree with it, and notifies the followed user. An unfollow withdraws the notification event. A follow
// releases what the follower's notification policy filtered of the followed user.
func (h *handlers) followChanged(ctx context.Context, e *Event) error {
	rel, err := document[model.Relationship](e)
	if err != nil {
		return err
	}
	return all(
		func() error {
			return h.store.Counters.CountFollow(ctx, e.idempotencyRecord(), rel.FollowerID, rel.FollowedID, e.sign())
		},
		func() error {
			return h.store.FollowerLists.Reconcile(ctx, rel.FollowedID, rel.FollowerID, e.Type != Deleted)
		},
		func() error {
			return h.tell(ctx, e, model.FactNotificationEvent(model.NotificationFollow, rel.FollowedID,
				model.NotificationEventPayload{UserID: rel.FollowerID}, rel.CreatedAt))
		},
		func() error {
			if e.Type != Created {
				return nil
			}
			return h.store.NotificationEvents.ReleaseFollowed(ctx, rel.FollowerID, rel.FollowedID)
		},
		h.tells(func(out *delivery.Out) error { return out.Followed(ctx, rel, e.Type == Deleted) }),
	)
}

// followRequestChanged notifies the user who receives a follow request. An answered or withdrawn request withdraws its
// notification event.
func (h *handlers) followRequestChanged(ctx context.Context, e *Event) error {
	r, err := document[model.FollowRequest](e)
	if err != nil {
		return err
	}
	return all(
		func() error {
			return h.tell(ctx, e, model.FactNotificationEvent(model.NotificationFollowRequest, r.FollowedID,
				model.NotificationEventPayload{UserID: r.FollowerID}, r.CreatedAt))
		},
		h.tells(func(out *delivery.Out) error { return out.FollowRequested(ctx, r, e.Type == Deleted) }),
	)
}

// blockChanged does what a block or unblock causes. It makes the document of the blocked user's graph agree with the
// block, and a new block removes the actions of each of the two from the notifications of the other.
func (h *handlers) blockChanged(ctx context.Context, e *Event) error {
	b, err := document[model.Block](e)
	if err != nil {
		return err
	}
	return all(
		func() error { return h.store.Viewers.Block(ctx, b.BlockerID, b.BlockeeID) },
		func() error {
			if e.Type != Created {
				return nil
			}
			return h.store.NotificationEvents.WithdrawBlocked(ctx, b.BlockerID, b.BlockeeID)
		},
		h.tells(func(out *delivery.Out) error { return out.Blocked(ctx, b, e.Type == Deleted) }),
	)
}
