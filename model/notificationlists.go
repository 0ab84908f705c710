package model

import (
	"fmt"
	"time"
)

// NotificationList is a document with notifications of a user: users/{uid}/notificationLists/{id}. The newest list has
// all notifications, except those of days that left it. A day that leaves gets lists of its own, and keeps them until
// its notifications expire. So the newest list alone says which document has a notification, or is to have it.
type NotificationList struct {
	Notifications map[string]Notification `firestore:"notifications"` // by id, see [NotificationEvent.NotificationKey]
	// the days that left; of the newest list only
	Days  map[string]ListedDay `firestore:"days,omitempty"`
	Parts int                  `firestore:"parts,omitempty"` // how many lists the day has; of a day's list only
	// up to which time the user has read, which moves forward only; absent if nothing was read, or in a document of an
	// earlier version; of the newest list only
	ReadUntil time.Time `firestore:"readUntil,omitempty"`
	// the latest expireAt of a notification that it has or had; of the newest list at least [DayExpiry] of its days
	ExpireAt time.Time `firestore:"expireAt"`
}

// ListedDay is a day with lists of its own.
type ListedDay struct {
	Parts  int   `firestore:"parts"`  // how many lists the day has: 1, 4 or 16
	Unread int64 `firestore:"unread"` // how many of its notifications are unread
	// GoesAt is the time from which on a notification of the day may have expired, and ExpireAt the time at which all
	// have, in any time zone. Another choice of the operator changes neither. Both are absent in earlier versions, see
	// Span.
	GoesAt   time.Time `firestore:"goesAt,omitempty"`
	ExpireAt time.Time `firestore:"goneAt,omitempty"`
}

// ListDay returns the entry of a day that leaves the newest list with its notifications. window is for how long those
// that come later are kept.
func ListDay(day string, all []Notification, window time.Duration) ListedDay {
	d := ListedDay{Parts: 1, ExpireAt: DayExpiry(day, window)}
	d.GoesAt = d.ExpireAt.Add(-daySpan)
	for _, n := range all {
		if n.ExpireAt.Before(d.GoesAt) {
			d.GoesAt = n.ExpireAt
		}
		if n.ExpireAt.After(d.ExpireAt) {
			d.ExpireAt = n.ExpireAt
		}
	}
	return d
}

// Span returns GoesAt and ExpireAt of a day of this or an earlier version.
func (d ListedDay) Span(day string) (goes, end time.Time) {
	if !d.ExpireAt.IsZero() {
		return d.GoesAt, d.ExpireAt
	}
	end = DayExpiry(day, NotificationWindow)
	return end.Add(-daySpan), end
}

// daySpan is how long before [DayExpiry] the first notification of a day may expire, in any time zone.
const daySpan = 3 * 24 * time.Hour

// NewestList is the id of the newest list.
const NewestList = "newest"

// DayParts are the numbers of lists that a day may have. A day with full lists gets the next number.
var DayParts = []int{1, 4, 16}

// NotificationDay is the day in the id of a notification.
func NotificationDay(id string) string { return id[max(0, len(id)-len(time.DateOnly)):] }

// DayExpiry is the time at which all notifications of a day have expired, in any time zone. A day ends up to 14 hours
// after the day in UTC, and its last notification expires a window later. The day of a malformed id never expires.
func DayExpiry(day string, window time.Duration) time.Time {
	began, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)
	}
	return began.Add(window + 2*24*time.Hour)
}

// DayList names list n of a day.
func DayList(day string, n int) string { return fmt.Sprintf("%s_%d", day, n) }

// DayPart is the number of a day's list that holds a notification, if the day has so many lists.
func DayPart(id string, parts int) int { return int(hashByte(id)) % max(1, parts) }

// Place is the id of the list that has a notification, or is to have it. l is the newest list.
func (l *NotificationList) Place(id string) string {
	day := NotificationDay(id)
	if listed, ok := l.Days[day]; ok {
		return DayList(day, DayPart(id, listed.Parts))
	}
	return NewestList
}

// Bytes is about how large the list is in Firestore.
func (l *NotificationList) Bytes() int {
	n := 100 + 50*len(l.Days)
	for id, one := range l.Notifications {
		n += one.bytes(id)
	}
	return n
}

// bytes is about how large a notification is in its list, with the names of its fields.
func (n *Notification) bytes(id string) int {
	size := 200 + len(id) + len(n.GroupKey)
	for _, r := range n.Records {
		size += 50 + len(r.UserID) + len(r.TweetID) + len(r.OrderStatus)
	}
	for uid := range n.Actors {
		size += 35 + len(uid)
	}
	return size
}

// Unread reports whether the notification counts as unread.
func (n *Notification) Unread() bool { return !n.IsRead && !n.Empty() }

// Read marks the notification as read. Only later notification events make it unread.
func (n *Notification) Read() { n.IsRead, n.News, n.Reads = true, 0, n.Reads+1 }
