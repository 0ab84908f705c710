package verify

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// notifications compares what a user is notified of: facts with the event log, and the
// event log with the cards. Facts that are gone stay in the log, so nothing is said of
// events without a fact. Days of which something may have expired are passed over.
func notifications(s *store.Store, u *store.UserState) (ds []Difference) {
	type happened struct {
		kind  model.EventKind
		by    model.UserID
		tweet model.TweetID
		at    int64
	}
	logged := map[happened]bool{}
	byCard := map[string][]model.Event{}
	for _, e := range u.Events {
		logged[happened{e.Type, e.Payload.UserID, e.Payload.TweetID, e.At.UnixMicro()}] = true
		if !e.Pending {
			key := e.NotificationKey(s.Zone())
			byCard[key] = append(byCard[key], e)
			continue
		}
		path, partition := eventPath(e.ID)
		add(&ds, model.EventLogs, path, "pending", true, nil, &fix{"drain " + partition, func(ctx context.Context) error {
			return s.Drain(ctx, partition)
		}})
	}
	for _, e := range owed(u) {
		if !kept(s, e.At) || logged[happened{e.Type, e.Payload.UserID, e.Payload.TweetID, e.At.UnixMicro()}] {
			continue
		}
		path, _ := eventPath(e.ID)
		add(&ds, model.EventLogs, path, "", nil, "event", &fix{path, func(ctx context.Context) error { return s.RestoreEvent(ctx, e) }})
		key := e.NotificationKey(s.Zone())
		byCard[key] = append(byCard[key], *e)
	}
	keys := slices.Collect(maps.Keys(byCard))
	for key := range u.Notifications {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		have, events := u.Notifications[key], byCard[key]
		if have != nil && kept(s, have.CreatedAt) || have == nil && kept(s, events[0].At) {
			ds = append(ds, card(s, u.ID, key, have, events)...)
		}
	}
	return ds
}

// kept tells whether everything of the day is still there: neither its events nor its
// cards have expired.
func kept(s *store.Store, t time.Time) bool {
	return s.Now().Sub(t) < model.NotificationWindow-25*time.Hour
}

// eventPath is where an event is in the log.
func eventPath(id string) (path, partition string) {
	partition, _ = model.EventPartition(id)
	return at(model.EventLogs, partition, model.Events, id), partition
}

// owed lists the events that the facts about a user have led to, with other ids than
// the triggers gave them.
func owed(u *store.UserState) (events []*model.Event) {
	event := func(kind model.EventKind, p model.EventPayload, created time.Time) {
		if p.UserID != u.ID {
			cause := "verify " + string(kind) + " " + string(p.UserID) + " " + string(p.TweetID)
			events = append(events, model.NewEvent(cause, kind, u.ID, p, created))
		}
	}
	for _, rel := range u.Followers {
		event(model.EventFollow, model.EventPayload{UserID: rel.FollowerID}, rel.CreatedAt)
	}
	for _, l := range u.Liked {
		event(model.EventLike, model.EventPayload{UserID: l.UserID, TweetID: l.TweetID}, l.CreatedAt)
	}
	for _, r := range u.Replies {
		event(model.EventReply, model.EventPayload{UserID: r.AuthorID, TweetID: r.ID, ReplyTo: *r.ReplyTo}, r.CreatedAt)
	}
	return events
}

// card compares one card with the events that were put on it.
func card(s *store.Store, uid model.UserID, key string, have *store.CardState, events []model.Event) (ds []Difference) {
	path := at(model.Users, string(uid), model.Notifications, key)
	rebuild := &fix{path, func(ctx context.Context) error { return s.RebuildNotification(ctx, uid, key) }}
	differs := func(field string, have, want any) { add(&ds, model.Notifications, path, field, have, want, rebuild) }
	if len(events) == 0 {
		differs("", "card", nil)
		return ds
	}
	if have == nil {
		differs("", nil, "card")
		return ds
	}
	want := store.ExpectedCard(events, s.Zone())
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
