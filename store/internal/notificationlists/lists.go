// Package notificationlists reads and writes the documents that hold a user's notifications. A newest list has all
// notifications until it is full. Then the oldest days leave it for lists of their own, see [model.NotificationList].
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

// expiredFor is how long ago a notification expired that leaves the newest list. So a process with a wrong clock
// removes no notification that others show.
const expiredFor = 24 * time.Hour

// Lists are the lists of a user, as they are read to change some notifications, and what is to change.
type Lists struct {
	Newest *db.Found[model.NotificationList]

	of        func(id string) *firestore.DocumentRef
	days      map[string]*db.Found[model.NotificationList] // by the ids of the lists
	changed   map[string]*model.Notification               // by the notification's id; nil if it is removed
	readUntil time.Time                                    // zero if it does not change
}

// Of names a list of a user.
func Of(d *db.DB, uid model.UserID, list string) *firestore.DocumentRef {
	return d.User(uid).Collection(model.NotificationLists).Doc(list)
}

// Read reads the lists that have the notifications with some ids, or are to have them. The newest list is always read.
// In the same round trip Read reads the documents of beside, which may be nil.
//
// Cost: 1 read, and 1 read for each other list.
func Read(ctx context.Context, d *db.DB, uid model.UserID, ids []string, beside *db.Lookup) (*Lists, error) {
	if beside == nil {
		beside = &db.Lookup{}
	}
	for {
		l := &Lists{Newest: db.Find[model.NotificationList](beside, Of(d, uid, model.NewestList)),
			of:   func(id string) *firestore.DocumentRef { return Of(d, uid, id) },
			days: map[string]*db.Found[model.NotificationList]{}, changed: map[string]*model.Notification{}}
		if err := d.Read(ctx, beside); err != nil {
			return nil, err
		}
		places := map[string]bool{}
		for _, id := range ids {
			if place := l.Newest.Doc.Place(id); place != model.NewestList {
				places[place] = true
			}
		}
		if same, err := l.readDays(ctx, d, slices.Sorted(maps.Keys(places))); err != nil || same {
			return l, err
		}
		beside = &db.Lookup{} // a day got more lists meanwhile
	}
}

// Day reads the lists of a day that left the newest list. It returns false if the day got more lists after the newest
// list was read.
//
// Cost: 1 read for each.
func (l *Lists) Day(ctx context.Context, d *db.DB, day string) (all []model.Notification, same bool, err error) {
	var ids []string
	for n := range l.Newest.Doc.Days[day].Parts {
		ids = append(ids, model.DayList(day, n))
	}
	if same, err := l.readDays(ctx, d, ids); err != nil || !same {
		return nil, false, err
	}
	for _, id := range ids {
		all = append(all, In(&l.days[id].Doc)...)
	}
	return all, true, nil
}

// readDays reads lists of days. It returns false if one of the days has another number of lists than the newest list
// says.
func (l *Lists) readDays(ctx context.Context, d *db.DB, ids []string) (same bool, err error) {
	var more db.Lookup
	for _, id := range ids {
		l.days[id] = db.Find[model.NotificationList](&more, l.of(id))
	}
	if err := d.Read(ctx, &more); err != nil {
		return false, err
	}
	for _, id := range ids {
		if list := l.days[id]; list.Found && list.Doc.Parts != l.Newest.Doc.Days[dayOf(id)].Parts {
			return false, nil
		}
	}
	return true, nil
}

// In lists the notifications of a list, in no order.
func In(list *model.NotificationList) (all []model.Notification) {
	for id, n := range list.Notifications {
		n.ID = id
		all = append(all, n)
	}
	return all
}

// dayOf is the day of a list with the id of a day's list.
func dayOf(list string) string { return list[:min(len(list), len(time.DateOnly))] }

// Get returns a notification.
func (l *Lists) Get(id string) (model.Notification, bool) {
	n, ok := l.list(l.Place(id)).Doc.Notifications[id]
	n.ID = id
	return n, ok
}

// list returns a list that was read.
func (l *Lists) list(id string) *db.Found[model.NotificationList] {
	if id == model.NewestList {
		return l.Newest
	}
	return l.days[id]
}

// Full reports whether the list of a notification takes no more notification events.
func (l *Lists) Full(id string) bool { return l.list(l.Place(id)).Doc.Bytes() > fullBytes }

// Place is the id of the list that has a notification, or is to have it.
func (l *Lists) Place(id string) string { return l.Newest.Doc.Place(id) }

// Put sets a notification. Nil removes it.
func (l *Lists) Put(id string, n *model.Notification) { l.changed[id] = n }

// ReadUntil moves the time up to which the user has read. An earlier time changes nothing, and neither does any of a
// user who has no list.
func (l *Lists) ReadUntil(at time.Time) {
	if at = at.Truncate(time.Microsecond); l.Newest.Found && at.After(l.Newest.Doc.ReadUntil) {
		l.readUntil = at
	}
}

// Write adds the changes to a batch, on the condition that no list with a changed notification was written since it was
// read. Expired notifications leave the newest list with any write of it.
//
// Cost: 1 write for each list. A change of a day's list costs 1 write more if it changes what is unread, or up to which
// time the user has read.
func (l *Lists) Write(b *db.Batch, now time.Time) {
	changes := map[string]map[string]*model.Notification{}
	unread := map[string]int64{}
	for id, n := range l.changed {
		place := l.Place(id)
		if changes[place] == nil {
			changes[place] = map[string]*model.Notification{}
		}
		changes[place][id] = n
		if place != model.NewestList {
			was, _ := l.Get(id)
			unread[dayOf(place)] += count(n) - count(&was)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(changes)) {
		if place != model.NewestList {
			write(b, l.of(place), l.days[place], changes[place], nil, l.Newest.Doc.Days[dayOf(place)].Parts)
		}
	}
	var updates []firestore.Update
	for _, day := range slices.Sorted(maps.Keys(unread)) {
		if unread[day] != 0 {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Days, day, fields.Unread},
				Value: firestore.Increment(unread[day])})
		}
	}
	var same []firestore.Precondition
	if !l.readUntil.IsZero() {
		updates = append(updates, firestore.Update{Path: fields.ReadUntil, Value: l.readUntil})
		same = append(same, firestore.LastUpdateTime(l.Newest.Snap.UpdateTime))
	}
	switch newest := changes[model.NewestList]; {
	case newest != nil:
		write(b, l.of(model.NewestList), l.Newest, newest, append(updates, expired(&l.Newest.Doc, newest, now)...), 0)
	case updates != nil:
		b.Update(l.of(model.NewestList), updates, same...)
	}
}

// Commit commits the changes. If one of the lists was written since it was read, the error is one for [db.DB.Update].
//
// Cost: that of Write.
func (l *Lists) Commit(ctx context.Context, d *db.DB) error {
	if len(l.changed) == 0 && l.readUntil.IsZero() {
		return nil
	}
	b := d.Batch()
	l.Write(b, d.Time())
	_, err := b.Commit(ctx)
	return db.Late(err)
}

// Recount counts the unread notifications of a day that left the newest list. A change of the count writes the newest
// list, so the commit fails if the count changed meanwhile. The error is one for [db.DB.Update].
//
// Cost: 1 read for each list of the day, and 1 write.
func (l *Lists) Recount(ctx context.Context, d *db.DB, day string) error {
	all, same, err := l.Day(ctx, d, day)
	if err != nil || !same || l.Newest.Doc.Days[day].Parts == 0 {
		return err
	}
	unread := int64(0)
	for _, n := range all {
		unread += count(&n)
	}
	_, err = l.of(model.NewestList).Update(ctx, []firestore.Update{{Value: unread,
		FieldPath: firestore.FieldPath{fields.Days, day, fields.Unread}}},
		firestore.LastUpdateTime(l.Newest.Snap.UpdateTime))
	return db.Late(err)
}

// count is 1 for an unread notification, and 0 for another one, or none.
func count(n *model.Notification) int64 {
	if n != nil && n.Unread() && !n.ExpireAt.IsZero() {
		return 1
	}
	return 0
}

// write adds the changes of one list to a batch, with further updates.
func write(b *db.Batch, ref *firestore.DocumentRef, is *db.Found[model.NotificationList],
	changes map[string]*model.Notification, updates []firestore.Update, parts int) {
	created := model.NotificationList{Notifications: map[string]model.Notification{}, Parts: parts}
	expireAt := is.Doc.ExpireAt
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		path, n := firestore.FieldPath{fields.Notifications, id}, changes[id]
		if n == nil {
			updates = append(updates, firestore.Update{FieldPath: path, Value: firestore.Delete})
			continue
		}
		created.Notifications[id] = *n
		updates = append(updates, firestore.Update{FieldPath: path, Value: *n})
		if n.ExpireAt.After(expireAt) {
			expireAt = n.ExpireAt
		}
	}
	if !is.Found {
		created.ExpireAt = expireAt
		b.Create(ref, created)
		return
	}
	if expireAt.After(is.Doc.ExpireAt) {
		updates = append(updates, firestore.Update{Path: fields.ExpireAt, Value: expireAt})
	}
	b.Update(ref, updates, firestore.LastUpdateTime(is.Snap.UpdateTime))
}

// expired returns the updates that remove what has expired from the newest list, except changed notifications.
func expired(newest *model.NotificationList, changed map[string]*model.Notification,
	now time.Time) (updates []firestore.Update) {
	for _, id := range slices.Sorted(maps.Keys(newest.Notifications)) {
		if _, ok := changed[id]; !ok && now.Sub(newest.Notifications[id].ExpireAt) > expiredFor {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Notifications, id},
				Value: firestore.Delete})
		}
	}
	for _, day := range slices.Sorted(maps.Keys(newest.Days)) {
		if _, end := newest.Days[day].Span(day); now.Sub(end) > expiredFor {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Days, day},
				Value: firestore.Delete})
		}
	}
	return updates
}
