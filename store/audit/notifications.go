package audit

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// notifications compares what a user is notified of: facts with the event log, and the
// event log with the cards. Facts that are gone stay in the log, so nothing is said of
// events without a fact. Days of which something may have expired are passed over.
func notifications(a *Auditor, u *userState) (ds []Difference) {
	type happened struct {
		kind  model.NoticeKind
		by    model.UserID
		tweet model.TweetID
		at    int64
	}
	logged := map[happened]bool{}
	byCard := map[string][]model.Notice{}
	for _, e := range u.Events {
		logged[happened{e.Type, e.Payload.UserID, e.Payload.TweetID, e.At.UnixMicro()}] = true
		if !e.Pending {
			key := e.NotificationKey(a.zone)
			byCard[key] = append(byCard[key], e)
			continue
		}
		path, partition := eventPath(e.ID)
		add(&ds, model.NoticeLogs, path, "pending", true, nil, &fix{"drain " + partition, func(ctx context.Context) error {
			return a.notices.DrainAll(ctx, partition)
		}})
	}
	for _, e := range owed(u) {
		if !kept(a, e.At) || logged[happened{e.Type, e.Payload.UserID, e.Payload.TweetID, e.At.UnixMicro()}] {
			continue
		}
		path, _ := eventPath(e.ID)
		add(&ds, model.NoticeLogs, path, "", nil, "event", &fix{path, func(ctx context.Context) error { return a.restoreNotice(ctx, e) }})
		key := e.NotificationKey(a.zone)
		byCard[key] = append(byCard[key], *e)
	}
	keys := slices.Collect(maps.Keys(byCard))
	for key := range u.Notifications {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		have, events := u.Notifications[key], byCard[key]
		if have != nil && kept(a, have.CreatedAt) || have == nil && kept(a, events[0].At) {
			ds = append(ds, card(a, u.ID, key, have, events)...)
		}
	}
	return ds
}

// kept tells whether everything of the day is still there: neither its events nor its
// cards have expired.
func kept(a *Auditor, t time.Time) bool {
	return a.db.Now().Sub(t) < model.NotificationWindow-25*time.Hour
}

// eventPath is where an event is in the log.
func eventPath(id string) (path, partition string) {
	partition, _ = model.NoticePartition(id)
	return at(model.NoticeLogs, partition, model.Notices, id), partition
}

// owed lists the events that the facts about a user have led to, with other ids than
// the triggers gave them.
func owed(u *userState) (events []*model.Notice) {
	event := func(kind model.NoticeKind, p model.NoticePayload, created time.Time) {
		if p.UserID != u.ID {
			cause := "verify " + string(kind) + " " + string(p.UserID) + " " + string(p.TweetID)
			events = append(events, model.NewNotice(cause, kind, u.ID, p, created))
		}
	}
	for _, rel := range u.Followers {
		event(model.NoticeFollow, model.NoticePayload{UserID: rel.FollowerID}, rel.CreatedAt)
	}
	for _, l := range u.Liked {
		event(model.NoticeLike, model.NoticePayload{UserID: l.UserID, TweetID: l.TweetID}, l.CreatedAt)
	}
	for _, r := range u.Replies {
		event(model.NoticeReply, model.NoticePayload{UserID: r.AuthorID, TweetID: r.ID, ReplyTo: *r.ReplyTo}, r.CreatedAt)
	}
	return events
}

// card compares one card with the events that were put on it.
func card(a *Auditor, uid model.UserID, key string, have *notificationState, events []model.Notice) (ds []Difference) {
	path := at(model.Users, string(uid), model.Notifications, key)
	rebuild := &fix{path, func(ctx context.Context) error { return a.rebuildNotification(ctx, uid, key) }}
	differs := func(field string, have, want any) { add(&ds, model.Notifications, path, field, have, want, rebuild) }
	if len(events) == 0 {
		differs("", "card", nil)
		return ds
	}
	if have == nil {
		differs("", nil, "card")
		return ds
	}
	want := expectedNotification(events, a.zone)
	want.IsRead = have.IsRead // the owner's
	for name, v := range fields(have.Notification, want.Notification) {
		differs(name, v[0], v[1])
	}
	for _, actor := range slices.Sorted(maps.Keys(want.Actors)) {
		if !have.Actors[actor] {
			differs(at(model.Actors, string(actor)), nil, true)
		}
	}
	for _, actor := range slices.Sorted(maps.Keys(have.Actors)) {
		if !want.Actors[actor] {
			differs(at(model.Actors, string(actor)), true, nil)
		}
	}
	return ds
}

// expectedNotification is the card that events of one slot and day make, and whom it counts.
func expectedNotification(events []model.Notice, zone *time.Location) *notificationState {
	c := &notificationState{Actors: map[model.UserID]bool{}}
	for _, e := range events {
		c.ID, c.Slot, c.Term = e.NotificationKey(zone), e.Slot(), e.Term(zone)
		c.Add(&e)
		c.Actors[e.Payload.UserID] = true
		if e.Type == model.NoticeReply {
			c.CountTweets++
		}
	}
	c.CountUsers = int64(len(c.Actors))
	return c
}
