package snapshot

import (
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Owed lists the notification events that the sources of truth about a user require. It leaves out events that would be
// dropped by now, by the user's settings, mutes or filters, or a block. It also leaves out two kinds that depend on the
// past: an edit, which notifies the sharers of that time, and a mention beside a reply, which depends on the settings
// of that time. A remote user has no notifications here.
func (u *User) Owed(now time.Time) []*model.NotificationEvent {
	if u.ID.Remote() {
		return nil
	}
	silent := map[model.TweetID]bool{} // quotes that notify no user
	for _, q := range u.Quotes {
		silent[q.ID] = !q.NotifiesQuoted()
	}
	imported := map[model.TweetID]time.Time{} // when, as they are; an edit notifies whom it mentions later
	for _, t := range slices.Concat(u.Replies, u.Mentions) {
		if t.Imported != "" {
			imported[t.ID] = t.CreatedAt
		}
	}
	muted := map[model.UserID]model.Mute{}
	for _, m := range u.Muted {
		muted[m.MutedID] = m.Mute()
	}
	quiet := (&model.ViewerGraph{Muted: muted, Filters: u.Filters.Filters}).Quiet(u.ID, now)
	return slices.DeleteFunc(u.SourceEvents(), func(n *model.NotificationEvent) bool {
		by := n.Payload.UserID
		return by == u.ID || u.Blocked[by] || n.BesideReply() || !u.Choice.Wants(n) || quiet.Silences(n) ||
			n.Type == model.NotificationQuote && silent[n.Payload.TweetID] ||
			(n.Type == model.NotificationReply || n.Type == model.NotificationMention) &&
				n.At.Equal(imported[n.Payload.TweetID])
	})
}

// SourceEvents lists the notification events of all source documents about a user, whether a user is notified of them
// or not.
// It leaves out edits, polls and orders.
func (u *User) SourceEvents() (notificationEvents []*model.NotificationEvent) {
	owe := func(kind model.NotificationKind, p model.NotificationEventPayload, created time.Time) {
		notificationEvents = append(notificationEvents, model.FactNotificationEvent(kind, u.ID, p, created))
	}
	for _, rel := range u.Followers {
		owe(model.NotificationFollow, model.NotificationEventPayload{UserID: rel.FollowerID}, rel.CreatedAt)
	}
	for _, r := range u.Requests {
		owe(model.NotificationFollowRequest, model.NotificationEventPayload{UserID: r.FollowerID}, r.CreatedAt)
	}
	for _, l := range u.Liked {
		owe(model.NotificationLike, model.NotificationEventPayload{UserID: l.UserID, TweetID: l.TweetID}, l.CreatedAt)
	}
	for _, s := range u.Shared {
		owe(model.NotificationShare, model.NotificationEventPayload{UserID: s.UserID, TweetID: s.TweetID}, s.CreatedAt)
	}
	for _, r := range u.Replies {
		notificationEvents = append(notificationEvents, r.ReplyNotificationEvent())
	}
	for _, q := range u.Quotes {
		notificationEvents = append(notificationEvents, q.QuoteNotificationEvent())
	}
	for _, t := range u.Mentions {
		notificationEvents = append(notificationEvents, model.MentionNotificationEvent(t, u.ID))
	}
	return notificationEvents
}

// ExpectedNotification is the notification of the notification events of one group key and day, with its actors. gone
// are the withdrawn events. is is the existing notification, which has how often its owner read it and how often it
// rang. Without shown notification events the result is empty.
func ExpectedNotification(shown, gone []model.NotificationEvent, is *model.Notification,
	zone *time.Location) *Notification {
	want := &Notification{Actors: map[model.UserID]int64{}}
	want.IsRead, want.Reads, want.Rings = is.IsRead, is.Reads, is.Rings
	for _, n := range gone { // the first notification event decides when the notification expires
		want.Add(&n)
	}
	want.ID, want.GroupKey, want.Term, want.Records, want.UpdatedAt = is.ID, is.GroupKey, is.Term, nil, time.Time{}
	for _, n := range shown {
		want.ID, want.GroupKey, want.Term = n.NotificationKey(zone), n.GroupKey(), n.Term(zone)
		want.Add(&n)
		want.Actors[n.Payload.UserID]++
		if n.Type.CountsTweets() {
			want.CountTweets++
		}
		if n.Reading == want.Reading() {
			want.News++
		}
	}
	if len(shown) == 0 {
		want.CreatedAt = time.Time{}
	}
	want.CountUsers = int64(len(want.Actors))
	return want
}
