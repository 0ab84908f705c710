package functions

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// notifyFollow tells the followed.
func (h *handlers) notifyFollow(ctx context.Context, c *Change) error {
	rel, err := document[model.Relationship](c)
	if err != nil {
		return err
	}
	return h.notify(ctx, c, model.EventFollow, rel.FollowedID, model.EventPayload{UserID: rel.FollowerID}, rel.CreatedAt)
}

// notifyLike tells the author of the liked tweet.
func (h *handlers) notifyLike(ctx context.Context, c *Change) error {
	like, err := document[model.Like](c)
	if err != nil {
		return err
	}
	return h.notify(ctx, c, model.EventLike, like.AuthorID, model.EventPayload{UserID: like.UserID, TweetID: like.TweetID}, like.CreatedAt)
}

// notifyReply tells the author of the tweet that was replied to.
func (h *handlers) notifyReply(ctx context.Context, c *Change) error {
	t, err := document[model.Tweet](c)
	if err != nil || t.ReplyTo == nil {
		return err
	}
	payload := model.EventPayload{UserID: t.AuthorID, TweetID: model.TweetID(c.ID), ReplyTo: *t.ReplyTo}
	return h.notify(ctx, c, model.EventReply, t.ReplyToAuthorID, payload, t.CreatedAt)
}

// notify tells somebody of an event, but nothing about what they did themself.
func (h *handlers) notify(ctx context.Context, c *Change, kind model.EventKind, notified model.UserID, p model.EventPayload, at time.Time) error {
	if p.UserID == notified {
		return nil
	}
	return h.store.Notify(ctx, model.NewEvent(model.EffectKey(c.EventID, c.function), kind, notified, p, at))
}

// drainNotifications puts the events of a partition on their users' cards.
func (h *handlers) drainNotifications(ctx context.Context, c *Change) error {
	work, err := document[store.DrainWork](c)
	if err != nil {
		return err
	}
	work.WrittenAt = c.updated()
	if err := pause(ctx, h.store.DrainAfter()); err != nil {
		return err
	}
	return h.store.DrainSome(ctx, *work)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
