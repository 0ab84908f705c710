package audit

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/audit/internal/snapshot"
	"github.com/hibana-sns/hibana/store/internal/fielddiff"
)

// notifications compares what a user is notified of: the facts with the event log, and
// the event log with the notifications. A notice stays in the log when its fact is gone,
// so a notice without a fact is no difference. Days of which something may have expired
// are passed over, and so is whom an edit of a tweet older than 30 days mentions newly.
func notifications(a *Auditor, u *snapshot.User) (ds []Difference) {
	type happened struct {
		kind  model.NoticeKind
		by    model.UserID
		tweet model.TweetID
		at    int64
	}
	logged := map[happened]bool{}
	byKey := map[string][]model.Notice{}
	of := func(n *model.Notice) happened {
		h := happened{n.Type, n.Payload.UserID, n.Payload.TweetID, n.At.UnixMicro()}
		if n.Type == model.NoticeMention {
			h.at = 0 // a tweet mentions somebody once, also if an edit mentions anew
		}
		return h
	}
	for _, n := range u.Notices {
		logged[of(&n)] = true
		if n.Dropped {
			continue
		}
		if !n.Pending {
			key := n.NotificationKey(a.zone)
			byKey[key] = append(byKey[key], n)
			continue
		}
		path, partition := noticePath(n.ID)
		add(&ds, model.NoticeLogs, path, "pending", true, nil, &fix{"drain " + partition, func(ctx context.Context) error {
			return a.notices.DrainAll(ctx, partition)
		}})
	}
	for _, n := range u.Owed() {
		// Who was mentioned before, left out and mentioned again has the first notice, and it may have expired.
		if !kept(a, n.At) || n.Type == model.NoticeMention && !kept(a, n.Payload.TweetID.Time()) || logged[of(n)] {
			continue
		}
		path, _ := noticePath(n.ID)
		add(&ds, model.NoticeLogs, path, "", nil, "event", &fix{path, func(ctx context.Context) error { return a.restoreNotice(ctx, n) }})
		key := n.NotificationKey(a.zone)
		byKey[key] = append(byKey[key], *n)
	}
	keys := slices.Collect(maps.Keys(byKey))
	for key := range u.Notifications {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		have, put := u.Notifications[key], byKey[key]
		if have != nil && kept(a, have.CreatedAt) || have == nil && kept(a, put[0].At) {
			ds = append(ds, notification(a, u.ID, key, have, put)...)
		}
	}
	return ds
}

// kept tells whether everything of a time's day is still there: no notice and no
// notification of the day has expired.
func kept(a *Auditor, t time.Time) bool {
	return a.db.Now().Sub(t) < model.NotificationWindow-25*time.Hour
}

// notification compares one notification with the notices that were put on it.
func notification(a *Auditor, uid model.UserID, key string, have *snapshot.Notification, put []model.Notice) (ds []Difference) {
	path := at(model.Users, string(uid), model.Notifications, key)
	rebuild := &fix{path, func(ctx context.Context) error { return a.rebuildNotification(ctx, uid, key) }}
	differs := func(field string, have, want any) { add(&ds, model.Notifications, path, field, have, want, rebuild) }
	if len(put) == 0 {
		differs("", "card", nil)
		return ds
	}
	if have == nil {
		differs("", nil, "card")
		return ds
	}
	want := snapshot.ExpectedNotification(put, a.zone)
	want.IsRead = have.IsRead // the owner alone decides
	for name, v := range fielddiff.Of(have.Notification, want.Notification) {
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
