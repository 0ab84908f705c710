package functions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// notifyFollow notifies the followed.
func (h *handlers) notifyFollow(ctx context.Context, e *Event) error {
	rel, err := document[model.Relationship](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, e, model.NoticeFollow, rel.FollowedID, model.NoticePayload{UserID: rel.FollowerID}, rel.CreatedAt)
}

// notifyFollowRequest notifies the user who is asked.
func (h *handlers) notifyFollowRequest(ctx context.Context, e *Event) error {
	r, err := document[model.FollowRequest](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, e, model.NoticeFollowRequest, r.FollowedID, model.NoticePayload{UserID: r.FollowerID}, r.CreatedAt)
}

// notifyLike notifies the author of the liked tweet.
func (h *handlers) notifyLike(ctx context.Context, e *Event) error {
	like, err := document[model.Like](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, e, model.NoticeLike, like.AuthorID, model.NoticePayload{UserID: like.UserID, TweetID: like.TweetID}, like.CreatedAt)
}

// notifyShare notifies the author of the shared tweet.
func (h *handlers) notifyShare(ctx context.Context, e *Event) error {
	share, err := document[model.Like](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, e, model.NoticeShare, share.AuthorID, model.NoticePayload{UserID: share.UserID, TweetID: share.TweetID}, share.CreatedAt)
}

// notifyReply notifies the author of the tweet that was replied to.
func (h *handlers) notifyReply(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil || t.ReplyTo == nil {
		return err
	}
	payload := model.NoticePayload{UserID: t.AuthorID, TweetID: model.TweetID(e.DocumentID), ReplyTo: *t.ReplyTo, RootID: t.RootID}
	return h.notify(ctx, e, model.NoticeReply, t.ReplyToAuthorID, payload, t.CreatedAt)
}

// notifyMention notifies the users whom a tweet mentions and did not mention before. One of them
// who cannot be notified does not keep the others from it.
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
		err = errors.Join(err, h.store.Notices.Notify(ctx, model.MentionNotice(after, uid)))
	}
	return err
}

// notifyQuote notifies the author of the tweet that was quoted, of a quote that everybody may
// see.
func (h *handlers) notifyQuote(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil || !t.NotifiesQuoted() {
		return err
	}
	payload := model.NoticePayload{UserID: t.AuthorID, TweetID: model.TweetID(e.DocumentID), QuoteOf: t.QuoteOf}
	return h.notify(ctx, e, model.NoticeQuote, t.QuoteOfAuthorID, payload, t.CreatedAt)
}

// notifyEdit notifies the users who share a tweet that was edited. A new revision is an edit.
func (h *handlers) notifyEdit(ctx context.Context, e *Event) error {
	r, err := document[model.Revision](e)
	if err != nil {
		return err
	}
	id, err := model.ParseTweetID(e.ParentID)
	if err != nil {
		return fmt.Errorf("%w: %w", errPoison, err)
	}
	return h.store.Notices.NotifyEdit(ctx, id, r)
}

// notify gives a user a notice of what another user did. Users get no notices of what
// they did themselves.
func (h *handlers) notify(ctx context.Context, e *Event, kind model.NoticeKind, notified model.UserID, p model.NoticePayload, at time.Time) error {
	if p.UserID == notified {
		return nil
	}
	return h.store.Notices.Notify(ctx, model.NewNotice(model.EffectKey(e.ID, e.function), kind, notified, p, at))
}

// tellDevices tells the devices of a user that a notification was written. It has a function of
// its own: no push service delays the notification, and none makes it fail.
func (h *handlers) tellDevices(ctx context.Context, e *Event) error {
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

// drainNotifications puts the pending notices of a partition on their users'
// notifications.
func (h *handlers) drainNotifications(ctx context.Context, e *Event) error {
	work, err := document[model.DrainWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Notices.Drain(ctx, *work)
}
