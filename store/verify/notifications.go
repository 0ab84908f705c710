package verify

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/fielddiff"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// diffNotifications compares what a user is notified of: the source documents with the event log, and
// the event log with the notifications. A notification event whose fact is gone is on no
// notification and in no request, and neither is one by somebody whom the user blocks or who blocks the user. A user is
// owed no post: who subscribed when it was new is not known, so only one that is gone makes a difference. Days of which
// something may have expired are passed over, and so is whom an edit of a tweet older than 30 days mentions newly.
func diffNotifications(a *Auditor, u *snapshot.User) (ds []Difference) {
	type happened struct {
		kind  model.NotificationKind
		by    model.UserID
		tweet model.TweetID
		at    int64
	}
	logged, facts := map[happened]bool{}, map[happened]bool{}
	byKey, gone := map[string][]model.NotificationEvent{}, map[string][]model.NotificationEvent{}
	of := func(n *model.NotificationEvent) happened {
		h := happened{n.Type, n.Payload.UserID, n.Payload.TweetID, n.At.UnixMicro()}
		if n.Type == model.NotificationMention {
			h.at = 0 // a tweet mentions a user once, also if an edit repeats the mention
		}
		return h
	}
	for _, n := range u.SourceEvents() {
		facts[of(n)] = true
	}
	filtered := map[string]bool{} // by the log
	for _, n := range u.NotificationEvents {
		filtered[n.ID] = n.Filtered
		if u.ToldPosts[n.ID] { // no source document says who was told of a post
			facts[of(&n)] = true
		}
		logged[of(&n)] = true
		key := n.NotificationKey(a.zone)
		switch {
		case n.Shown():
			byKey[key] = append(byKey[key], n)
		case n.Withdrawn:
			gone[key] = append(gone[key], n)
		}
		path, partition := notificationEventPath(n.ID)
		if n.Pending {
			add(&ds, model.NotificationLogs, path, "pending", true, nil,
				&fix{"drain " + partition, func(ctx context.Context) error {
					return a.notificationEvents.FlushAll(ctx, partition)
				}})
		} else if gone := n.Goes() && !facts[of(&n)] || n.Type.Blockable() && u.BlockWith(n.Payload.UserID); gone &&
			(n.Shown() || n.Filtered) && kept(a, n.At) {
			field, have, want := "withdrawn", any(nil), any(true)
			if n.Filtered {
				field, have, want = fields.Filtered, true, nil
			}
			add(&ds, model.NotificationLogs, path, field, have, want, &fix{path, func(ctx context.Context) error {
				return a.notificationEvents.Withdraw(ctx, &n)
			}})
		}
	}
	for _, n := range u.Owed(a.db.Now()) {
		// A user who was mentioned, left out and mentioned again has the first notification event, and it may have expired.
		if !kept(a, n.At) || n.Type == model.NotificationMention && !kept(a, n.Payload.TweetID.Time()) || logged[of(n)] {
			continue
		}
		key := n.NotificationKey(a.zone)
		if have := u.Notifications[key]; have != nil { // the notification event may be on it though the log lost it
			n.Reading = have.Readings[n.Payload.UserID]
		}
		path, _ := notificationEventPath(n.ID)
		add(&ds, model.NotificationLogs, path, "", nil, "event",
			&fix{path, func(ctx context.Context) error { return a.restoreNotificationEvent(ctx, n) }})
		if !u.Choice.Policy.Acts(n.Type) { // the repair asks the policy whether it comes to the list
			byKey[key] = append(byKey[key], *n)
		}
	}
	for _, sender := range u.Filtered.Senders() {
		for _, e := range u.Filtered.Of(sender).Events {
			if filtered[e.ID] || !kept(a, e.At) {
				continue
			}
			path := at(model.NotificationRequestLists, string(u.ID))
			add(&ds, model.NotificationRequestLists, path, at(fields.Requests, string(sender), e.ID), "event", nil,
				&fix{at(path, e.ID), func(ctx context.Context) error {
					return a.notificationEvents.RemoveFiltered(ctx, u.ID, sender, e.ID)
				}})
		}
	}
	keys := slices.Collect(maps.Keys(byKey))
	keys = slices.AppendSeq(keys, maps.Keys(gone))
	keys = slices.AppendSeq(keys, maps.Keys(u.Notifications))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		have, shown, gone := u.Notifications[key], byKey[key], gone[key]
		if have != nil && a.db.Now().Before(have.ExpireAt.Add(-expiring)) || have == nil && len(shown) > 0 &&
			kept(a, shown[0].At) {
			ds = append(ds, notification(a, u, key, have, shown, gone)...)
		}
	}
	newest := at(model.Users, string(u.ID), model.NotificationLists, model.NewestList)
	for day, is := range u.ListedDays {
		if a.db.Now().Before(is.Goes) && is.Counted != is.Unread {
			field := at(fields.Days, day, fields.Unread)
			add(&ds, model.NotificationLists, newest, field, is.Counted, is.Unread,
				&fix{at(newest, field), func(ctx context.Context) error { return a.recountUnread(ctx, u.ID, day) }})
		}
	}
	for _, id := range u.Earlier {
		path := at(model.Users, string(u.ID), model.Notifications, id)
		add(&ds, model.Notifications, path, "", "card", nil,
			&fix{at(model.Users, string(u.ID), model.Notifications), func(ctx context.Context) error {
				return a.ImportNotifications(ctx, u.ID)
			}})
	}
	return ds
}

// kept reports whether no notification event and no notification of a time's day has expired.
func kept(a *Auditor, t time.Time) bool {
	return a.db.Now().Sub(t) < a.db.NotificationWindow-expiring
}

// expiring is how long before its expiry a notification is no longer compared: those of its day go within that time.
const expiring = 25 * time.Hour

// notification compares one notification with its notification events.
func notification(a *Auditor, u *snapshot.User, key string, have *snapshot.Notification, shown,
	gone []model.NotificationEvent) (ds []Difference) {
	list := at(model.Users, string(u.ID), model.NotificationLists, u.Newest.Place(key))
	rebuild := &fix{at(list, key), func(ctx context.Context) error { return a.rebuildNotification(ctx, u.ID, key) }}
	differs := func(field string, have, want any) {
		path := strings.TrimSuffix(at(fields.Notifications, key, field), "/")
		add(&ds, model.NotificationLists, list, path, have, want, rebuild)
	}
	if len(shown) == 0 && len(gone) == 0 {
		differs("", "card", nil)
		return ds
	}
	if have == nil {
		differs("", nil, "card")
		return ds
	}
	want := snapshot.ExpectedNotification(shown, gone, &have.Notification, a.zone)
	for name, v := range fielddiff.Of(have.Notification, want.Notification) {
		differs(name, v[0], v[1])
	}
	actors := maps.Clone(want.Actors)
	maps.Copy(actors, have.Actors)
	for _, actor := range slices.Sorted(maps.Keys(actors)) {
		field := at(model.Actors, string(actor))
		switch is, should := have.Actors[actor], want.Actors[actor]; {
		case is == should:
		case is == 0:
			differs(field, nil, true)
		case should == 0:
			differs(field, true, nil)
		default:
			differs(field, is, should)
		}
	}
	return ds
}
