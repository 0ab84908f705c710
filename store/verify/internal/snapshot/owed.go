package snapshot

import (
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Owed lists the notification events to which the facts about a user have led, except those that would be
// dropped by now: by the user's choice, or a block. Nobody owes a notification event of an edit, which depends on
// who shared the tweet when the event came, nor of a mention beside a reply, which depends on what the
// user chose then.
func (u *User) Owed() []*model.NotificationEvent {
	silent := map[model.TweetID]bool{} // quotes of which nobody is told
	for _, q := range u.Quotes {
		silent[q.ID] = !q.NotifiesQuoted()
	}
	return slices.DeleteFunc(u.Facts(), func(n *model.NotificationEvent) bool {
		by := n.Payload.UserID
		return by == u.ID || u.Blocked[by] || n.BesideReply() || !u.Choice.Wants(n) || n.Type == model.NotificationQuote &&
			silent[n.Payload.TweetID]
	})
}

// Facts lists the notification events of all facts about a user, whether somebody is told of them or not. It has
// none of edits, polls and orders.
func (u *User) Facts() (notificationEvents []*model.NotificationEvent) {
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

// ExpectedNotification is the notification that notification events of one slot and day make, with
// the users whom it counts. gone are those that were withdrawn, and is what it is, which knows how
// often its owner read it and how often it rang. Without shown notification events it is empty.
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
