package notificationlists

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Limits are the sizes from which on lists give notifications away.
type Limits struct {
	Newest int // bytes of the newest list
	Day    int // bytes of a list of a day
}

// DefaultLimits are the limits of a service. A notification has some 400 bytes. A client that listens to the newest
// list gets all of it with each change, so it is small.
var DefaultLimits = Limits{Newest: 64 << 10, Day: 256 << 10}

// fullBytes is the size from which on a list takes no more notification events. Only a list of a day with
// the most parts reaches it. One change adds up to 100 events, which have less than 100 KB.
const fullBytes = 600 << 10

// MakeRoom makes room in lists that were read and are full. The oldest days leave the newest list until half of its
// limit is left, but the latest day stays while it is within the limit alone. A day with a full list gets four times as
// many lists. MakeRoom returns whether a list was full. Then the lists must be read again.
//
// Cost: nothing if no list is full. Else 1 write, and 1 write for each list of a day; for a day with a full list also 1
// read for each of its lists.
func (l *Lists) MakeRoom(ctx context.Context, d *db.DB, limits Limits) (full bool, err error) {
	b := d.Batch()
	switch id := l.fullDay(limits.Day); {
	case id != "":
		if same, err := l.spread(ctx, d, b, dayOf(id)); err != nil || !same {
			return true, err
		}
	case l.Newest.Doc.Bytes() > limits.Newest:
		if !l.overflow(b, limits, d.NotificationWindow) {
			return false, nil
		}
	default:
		return false, nil
	}
	_, err = b.Commit(ctx)
	if db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) {
		err = nil // another process was first
	}
	return true, err
}

// fullDay is the id of a full list of a day that may have more lists; empty if there is none.
func (l *Lists) fullDay(limit int) string {
	for _, id := range slices.Sorted(maps.Keys(l.days)) {
		if list := &l.days[id].Doc; list.Parts < slices.Max(model.DayParts) && list.Bytes() > limit {
			return id
		}
	}
	return ""
}

// spread gives a day the next number of lists. Each list of the day is written, so no other process that read one of
// them can write it.
func (l *Lists) spread(ctx context.Context, d *db.DB, b *db.Batch, day string) (same bool, err error) {
	all, same, err := l.Day(ctx, d, day)
	if err != nil || !same {
		return false, err
	}
	parts := l.Newest.Doc.Days[day].Parts
	was := map[string]*db.Found[model.NotificationList]{}
	maps.Copy(was, l.days)
	more := model.DayParts[min(slices.Index(model.DayParts, parts)+1, len(model.DayParts)-1)]
	l.fill(b, day, all, more, was)
	b.Update(l.of(model.NewestList), []firestore.Update{{FieldPath: firestore.FieldPath{fields.Days, day, fields.Parts},
		Value: more}}, firestore.LastUpdateTime(l.Newest.Snap.UpdateTime))
	return true, nil
}

// overflow moves the oldest days from the newest list to lists of their own. It returns false if all notifications are
// of a single day within the limit.
func (l *Lists) overflow(b *db.Batch, limits Limits, window time.Duration) bool {
	newest := &l.Newest.Doc
	days := map[string][]model.Notification{}
	for _, n := range In(newest) {
		day := model.NotificationDay(n.ID)
		days[day] = append(days[day], n)
	}
	left := newest.Bytes()
	sorted := slices.Sorted(maps.Keys(days))
	var updates []firestore.Update
	expireAt := newest.ExpireAt
	for i, day := range sorted {
		if left <= limits.Newest/2 || i == len(sorted)-1 && left <= limits.Newest {
			break
		}
		bytes, listed := bytes(days[day]), model.ListDay(day, days[day], window)
		left -= bytes
		for _, n := range model.DayParts {
			if listed.Parts = n; bytes <= n*limits.Day {
				break
			}
		}
		for _, n := range days[day] {
			listed.Unread += count(&n)
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Notifications, n.ID},
				Value: firestore.Delete})
		}
		updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Days, day}, Value: listed})
		l.fill(b, day, days[day], listed.Parts, nil)
		// Later events of the day write its lists alone, and the newest list must not expire before them.
		if listed.ExpireAt.After(expireAt) {
			expireAt = listed.ExpireAt
		}
	}
	if len(updates) > 0 {
		updates = append(updates, firestore.Update{Path: fields.ExpireAt, Value: expireAt})
		b.Update(l.of(model.NewestList), updates, firestore.LastUpdateTime(l.Newest.Snap.UpdateTime))
	}
	return len(updates) > 0
}

// bytes is about how large a list of notifications is.
func bytes(all []model.Notification) int {
	list := model.NotificationList{Notifications: map[string]model.Notification{}}
	for _, n := range all {
		list.Notifications[n.ID] = n
	}
	return list.Bytes()
}

// fill writes the notifications of a day into its lists. was has the lists that exist, if any.
func (l *Lists) fill(b *db.Batch, day string, all []model.Notification, parts int,
	was map[string]*db.Found[model.NotificationList]) {
	lists := make([]model.NotificationList, parts)
	for i := range lists {
		lists[i] = model.NotificationList{Notifications: map[string]model.Notification{}, Parts: parts}
	}
	for _, n := range all {
		list := &lists[model.DayPart(n.ID, parts)]
		list.Notifications[n.ID] = n
	}
	var latest model.NotificationList
	for _, n := range all {
		if n.ExpireAt.After(latest.ExpireAt) {
			latest.ExpireAt = n.ExpireAt
		}
	}
	for i, list := range lists {
		id := model.DayList(day, i)
		list.ExpireAt = latest.ExpireAt // an empty list needs one, too
		switch is := was[id]; {
		case is != nil && is.Found:
			b.Update(l.of(id), []firestore.Update{{Path: fields.Notifications, Value: list.Notifications},
				{Path: fields.Parts, Value: parts}, {Path: fields.ExpireAt, Value: list.ExpireAt}},
				firestore.LastUpdateTime(is.Snap.UpdateTime))
		case is != nil:
			b.Create(l.of(id), list)
		default:
			b.Set(l.of(id), list)
		}
	}
}
