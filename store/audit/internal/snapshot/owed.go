package snapshot

import (
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Owed lists the notices to which the facts about a user have led, except those that would be
// dropped by now: by the user's choice, or a block. Their ids are not the ids of the triggers'
// notices, but for mentions. Nobody owes a notice of an edit, which depends on who shared the tweet
// when the event came, nor of a mention beside a reply, which depends on what the user chose then.
func (u *User) Owed() (notices []*model.Notice) {
	owe := func(kind model.NoticeKind, p model.NoticePayload, created time.Time) {
		cause := "verify " + string(kind) + " " + string(p.UserID) + " " + string(p.TweetID)
		notices = append(notices, model.NewNotice(cause, kind, u.ID, p, created))
	}
	for _, rel := range u.Followers {
		owe(model.NoticeFollow, model.NoticePayload{UserID: rel.FollowerID}, rel.CreatedAt)
	}
	for _, r := range u.Requests {
		owe(model.NoticeFollowRequest, model.NoticePayload{UserID: r.FollowerID}, r.CreatedAt)
	}
	for _, l := range u.Liked {
		owe(model.NoticeLike, model.NoticePayload{UserID: l.UserID, TweetID: l.TweetID}, l.CreatedAt)
	}
	for _, s := range u.Shared {
		owe(model.NoticeShare, model.NoticePayload{UserID: s.UserID, TweetID: s.TweetID}, s.CreatedAt)
	}
	for _, r := range u.Replies {
		owe(model.NoticeReply, model.NoticePayload{UserID: r.AuthorID, TweetID: r.ID, ReplyTo: *r.ReplyTo, RootID: r.RootID}, r.CreatedAt)
	}
	for _, q := range u.Quotes {
		if q.NotifiesQuoted() {
			owe(model.NoticeQuote, model.NoticePayload{UserID: q.AuthorID, TweetID: q.ID, QuoteOf: q.QuoteOf}, q.CreatedAt)
		}
	}
	for _, t := range u.Mentions {
		notices = append(notices, model.MentionNotice(t, u.ID))
	}
	return slices.DeleteFunc(notices, func(n *model.Notice) bool {
		by := n.Payload.UserID
		return by == u.ID || u.Blocked[by] || n.BesideReply() || !u.Choice.Wants(n)
	})
}

// ExpectedNotification is the notification that notices of one slot and day make, with
// the users whom it counts.
func ExpectedNotification(put []model.Notice, zone *time.Location) *Notification {
	want := &Notification{Actors: map[model.UserID]bool{}}
	for _, n := range put {
		want.ID, want.Slot, want.Term = n.NotificationKey(zone), n.Slot(), n.Term(zone)
		want.Add(&n)
		want.Actors[n.Payload.UserID] = true
		if n.Type.CountsTweets() {
			want.CountTweets++
		}
	}
	want.CountUsers = int64(len(want.Actors))
	return want
}
