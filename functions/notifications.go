package functions

import (
	"context"
	"errors"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// notifyFollow notifies the followed.
func (h *handlers) notifyFollow(ctx context.Context, e *Event) error {
	rel, err := document[model.Relationship](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, followNotificationEvent(rel))
}

func followNotificationEvent(rel *model.Relationship) *model.NotificationEvent {
	return model.FactNotificationEvent(model.NotificationFollow, rel.FollowedID, model.NotificationEventPayload{
		UserID: rel.FollowerID}, rel.CreatedAt)
}

// notifyFollowRequest notifies the user who receives a follow request. An answered or withdrawn request withdraws its
// notification event.
func (h *handlers) notifyFollowRequest(ctx context.Context, e *Event) error {
	r, err := document[model.FollowRequest](e)
	if err != nil {
		return err
	}
	n := model.FactNotificationEvent(model.NotificationFollowRequest, r.FollowedID, model.NotificationEventPayload{
		UserID: r.FollowerID}, r.CreatedAt)
	if e.Type == Deleted {
		return h.store.NotificationEvents.Withdraw(ctx, n)
	}
	return h.notify(ctx, n)
}

// notifyLike notifies the author of the liked tweet.
func (h *handlers) notifyLike(ctx context.Context, e *Event) error {
	l, err := document[model.Like](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, reactionNotificationEvent(model.NotificationLike, l.Base()))
}

// notifyShare notifies the author of the shared tweet.
func (h *handlers) notifyShare(ctx context.Context, e *Event) error {
	l, err := document[model.Share](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, reactionNotificationEvent(model.NotificationShare, l.Base()))
}

func reactionNotificationEvent(kind model.NotificationKind, r model.Reaction) *model.NotificationEvent {
	return model.FactNotificationEvent(kind, r.AuthorID, model.NotificationEventPayload{UserID: r.UserID,
		TweetID: r.TweetID}, r.CreatedAt)
}

// notifyReply notifies the author of the tweet that was replied to.
func (h *handlers) notifyReply(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil || t.ReplyTo == nil {
		return err
	}
	t.ID = model.TweetID(e.DocumentID)
	return h.notify(ctx, t.ReplyNotificationEvent())
}

// notifyMention notifies the users whom a tweet newly mentions. It withdraws the notification events of users whom an
// edit no longer mentions. A failure for one user does not stop the notification of the others.
func (h *handlers) notifyMention(ctx context.Context, e *Event) error {
	if _, err := document[model.Tweet](e); err != nil {
		return err
	}
	before, after, err := versions[model.Tweet](e)
	if err != nil || after == nil {
		return err
	}
	after.ID = model.TweetID(e.DocumentID)
	for _, uid := range after.Mentioned(before) {
		err = errors.Join(err, h.store.NotificationEvents.Notify(ctx, model.MentionNotificationEvent(after, uid)))
	}
	if before == nil {
		return err
	}
	before.ID = after.ID
	for _, uid := range before.Mentioned(after) {
		err = errors.Join(err, h.store.NotificationEvents.Withdraw(ctx, model.MentionNotificationEvent(before, uid)))
	}
	return err
}

// notifyQuote notifies the author of the quoted tweet of a public quote.
func (h *handlers) notifyQuote(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil || !t.NotifiesQuoted() {
		return err
	}
	t.ID = model.TweetID(e.DocumentID)
	return h.notify(ctx, t.QuoteNotificationEvent())
}

// withdrawTweet withdraws the notification events of a deleted tweet: of the reply, the quote and the mentions.
func (h *handlers) withdrawTweet(ctx context.Context, t *model.Tweet) error {
	var all []*model.NotificationEvent
	if t.ReplyTo != nil {
		all = append(all, t.ReplyNotificationEvent())
	}
	if t.QuoteOf != "" { // whatever its audience was when its author was notified
		all = append(all, t.QuoteNotificationEvent())
	}
	for _, uid := range t.Mentioned(nil) {
		all = append(all, model.MentionNotificationEvent(t, uid))
	}
	var failed error
	for _, n := range all {
		failed = errors.Join(failed, h.store.NotificationEvents.Withdraw(ctx, n))
	}
	return failed
}

// notifyEdit notifies the users who shared a tweet that its author edited. A new revision is an edit.
func (h *handlers) notifyEdit(ctx context.Context, e *Event) error {
	r, err := document[model.Revision](e)
	if err != nil {
		return err
	}
	id, err := model.ParseTweetID(e.ParentID)
	if err != nil {
		return fmt.Errorf("%w: %w", errPoison, err)
	}
	return h.store.NotificationEvents.NotifyEdit(ctx, id, r)
}

// withdrawBlocked removes the actions of a blocked user from the notifications of the user who blocks.
func (h *handlers) withdrawBlocked(ctx context.Context, e *Event) error {
	b, err := document[model.Block](e)
	if err != nil {
		return err
	}
	return h.store.NotificationEvents.WithdrawBlocked(ctx, b.BlockerID, b.BlockeeID)
}

// notify writes a notification event about another user's action. It writes none for a user's own action.
func (h *handlers) notify(ctx context.Context, n *model.NotificationEvent) error {
	if n.Payload.UserID == n.UserID {
		return nil
	}
	return h.store.NotificationEvents.Notify(ctx, n)
}

// pushNotification pushes a new notification to the devices of its user. It is a function of its own, so that a slow or
// failing push service never delays the notification.
func (h *handlers) pushNotification(ctx context.Context, e *Event) error {
	before, after, err := versions[model.Notification](e)
	if err != nil || after == nil {
		return err
	}
	uid, err := model.ParseUserID(e.ParentID)
	if err != nil {
		return fmt.Errorf("%w: %w", errPoison, err)
	}
	return h.store.Devices.Notify(ctx, uid, e.DocumentID, before, after)
}

// flushNotifications flushes the pending notification events of a partition into their users' notifications.
func (h *handlers) flushNotifications(ctx context.Context, e *Event) error {
	work, err := document[model.FlushWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.NotificationEvents.Flush(ctx, *work)
}
