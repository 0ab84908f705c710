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
	return h.notify(ctx, followNotice(rel))
}

func followNotice(rel *model.Relationship) *model.Notice {
	return model.FactNotice(model.NoticeFollow, rel.FollowedID, model.NoticePayload{UserID: rel.FollowerID}, rel.CreatedAt)
}

// notifyFollowRequest notifies the user who is asked. A request that is answered or withdrawn takes
// its notice with it.
func (h *handlers) notifyFollowRequest(ctx context.Context, e *Event) error {
	r, err := document[model.FollowRequest](e)
	if err != nil {
		return err
	}
	n := model.FactNotice(model.NoticeFollowRequest, r.FollowedID, model.NoticePayload{UserID: r.FollowerID}, r.CreatedAt)
	if e.Type == Deleted {
		return h.store.Notices.Withdraw(ctx, n)
	}
	return h.notify(ctx, n)
}

// notifyLike notifies the author of the liked tweet.
func (h *handlers) notifyLike(ctx context.Context, e *Event) error {
	return h.notifyMark(ctx, e, model.NoticeLike)
}

// notifyShare notifies the author of the shared tweet.
func (h *handlers) notifyShare(ctx context.Context, e *Event) error {
	return h.notifyMark(ctx, e, model.NoticeShare)
}

func (h *handlers) notifyMark(ctx context.Context, e *Event, kind model.NoticeKind) error {
	l, err := document[model.Like](e)
	if err != nil {
		return err
	}
	return h.notify(ctx, markNotice(kind, l))
}

func markNotice(kind model.NoticeKind, l *model.Like) *model.Notice {
	return model.FactNotice(kind, l.AuthorID, model.NoticePayload{UserID: l.UserID, TweetID: l.TweetID}, l.CreatedAt)
}

// notifyReply notifies the author of the tweet that was replied to.
func (h *handlers) notifyReply(ctx context.Context, e *Event) error {
	t, err := document[model.Tweet](e)
	if err != nil || t.ReplyTo == nil {
		return err
	}
	t.ID = model.TweetID(e.DocumentID)
	return h.notify(ctx, t.ReplyNotice())
}

// notifyMention notifies the users whom a tweet mentions and did not mention before, and takes the
// notices of those back whom an edit left out. One of them who cannot be notified does not keep the
// others from it.
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
	if before == nil {
		return err
	}
	before.ID = after.ID
	for _, uid := range before.Mentioned(after) {
		err = errors.Join(err, h.store.Notices.Withdraw(ctx, model.MentionNotice(before, uid)))
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
	t.ID = model.TweetID(e.DocumentID)
	return h.notify(ctx, t.QuoteNotice())
}

// withdrawTweet takes back what users were told of a tweet that is deleted: of the reply, the quote
// and the mentions.
func (h *handlers) withdrawTweet(ctx context.Context, t *model.Tweet) error {
	var all []*model.Notice
	if t.ReplyTo != nil {
		all = append(all, t.ReplyNotice())
	}
	if t.QuoteOf != "" { // whatever its audience was when the author of the quoted was told
		all = append(all, t.QuoteNotice())
	}
	for _, uid := range t.Mentioned(nil) {
		all = append(all, model.MentionNotice(t, uid))
	}
	var failed error
	for _, n := range all {
		failed = errors.Join(failed, h.store.Notices.Withdraw(ctx, n))
	}
	return failed
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

// withdrawBlocked takes what a user did off the notifications of a user who blocks the first.
func (h *handlers) withdrawBlocked(ctx context.Context, e *Event) error {
	b, err := document[model.Block](e)
	if err != nil {
		return err
	}
	return h.store.Notices.WithdrawBlocked(ctx, b.BlockerID, b.BlockeeID)
}

// notify gives a user a notice of what another user did. Users get no notices of what
// they did themselves.
func (h *handlers) notify(ctx context.Context, n *model.Notice) error {
	if n.Payload.UserID == n.UserID {
		return nil
	}
	return h.store.Notices.Notify(ctx, n)
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
