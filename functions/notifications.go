package functions

import (
	"context"
	"errors"

	"github.com/hibana-sns/hibana/model"
)

// tell writes the notification event of a new source document, or withdraws that of a deleted one. A user's own action
// has no notification event.
func (h *handlers) tell(ctx context.Context, e *Event, n *model.NotificationEvent) error {
	switch {
	case n.Payload.UserID == n.UserID:
		return nil
	case e.Type == Deleted:
		return h.store.NotificationEvents.Withdraw(ctx, n)
	}
	return h.store.NotificationEvents.Notify(ctx, n)
}

// tweetNotificationEvents returns the notification events of the users whom a tweet answers, quotes and mentions. An
// imported tweet has none.
func tweetNotificationEvents(t *model.Tweet, quoted bool) (owed []*model.NotificationEvent) {
	if t.Imported != "" {
		return nil
	}
	if t.ReplyTo != nil {
		owed = append(owed, t.ReplyNotificationEvent())
	}
	if quoted {
		owed = append(owed, t.QuoteNotificationEvent())
	}
	for _, uid := range t.Mentioned(nil) {
		owed = append(owed, model.MentionNotificationEvent(t, uid))
	}
	return owed
}

// notifyTweet notifies the users whom a new tweet answers, quotes and mentions, side by side: each may be hot and wait
// for others. A failure for one user does not stop the notification of the others.
func (h *handlers) notifyTweet(ctx context.Context, t *model.Tweet) error {
	var parts []func() error
	for _, n := range tweetNotificationEvents(t, t.NotifiesQuoted()) {
		if n.Payload.UserID != n.UserID {
			parts = append(parts, func() error { return h.store.NotificationEvents.Notify(ctx, n) })
		}
	}
	return all(parts...)
}

// notifyMentions notifies the users whom an edit newly mentions. It withdraws the notification events of users whom the
// edit no longer mentions.
func (h *handlers) notifyMentions(ctx context.Context, before, after *model.Tweet) error {
	var parts []func() error
	for _, uid := range after.Mentioned(before) {
		parts = append(parts, func() error {
			return h.store.NotificationEvents.Notify(ctx, model.MentionNotificationEvent(after, uid))
		})
	}
	for _, uid := range before.Mentioned(after) {
		parts = append(parts, func() error {
			return h.store.NotificationEvents.Withdraw(ctx, model.MentionNotificationEvent(before, uid))
		})
	}
	return all(parts...)
}

// withdrawTweet withdraws the notification events of a deleted tweet: of the reply, of the quote, whatever its audience
// was when its author was notified, and of the mentions.
func (h *handlers) withdrawTweet(ctx context.Context, t *model.Tweet) error {
	var failed error
	for _, n := range tweetNotificationEvents(t, t.QuoteOf != "") {
		failed = errors.Join(failed, h.store.NotificationEvents.Withdraw(ctx, n))
	}
	return failed
}

// withdrawPost withdraws the notification events of the subscribers of a post that is deleted, flagged or for fewer
// people by now. No reply to others has told subscribers.
func (h *handlers) withdrawPost(ctx context.Context, id model.TweetID, before, after *model.Tweet) error {
	if before == nil || before.ReplyTo != nil && before.ReplyToAuthorID != before.AuthorID ||
		after != nil && (after.TellsSubscribers() || !before.TellsSubscribers()) {
		return nil
	}
	return h.store.NotificationEvents.WithdrawPost(ctx, before.AuthorID, id)
}

// continuePostRun notifies the next subscribers of a post, or withdraws that if the post is gone.
func (h *handlers) continuePostRun(ctx context.Context, e *Event) error {
	run, err := document[model.PostRun](e)
	if err != nil {
		return err
	}
	run.WrittenAt = e.updated()
	return h.store.NotificationEvents.ContinuePostRun(ctx, *run)
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
