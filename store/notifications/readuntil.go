package notifications

import (
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
)

// readAhead is how far in the future a time may be up to which a user reads: clocks of processes differ.
const readAhead = time.Minute

// readUpTo is the time up to which a user has read, by the newest list. A list of an earlier version has it by the
// notifications that are read.
func readUpTo(newest *model.NotificationList, now time.Time) time.Time {
	if !newest.ReadUntil.IsZero() {
		return newest.ReadUntil
	}
	return withoutUnread(newest, now)
}

// withoutUnread is the time of the last event of a notification of the newest list before which none is unread, once
// some have changed. It is zero if there is none.
func withoutUnread(newest *model.NotificationList, now time.Time, changed ...model.Notification) (last time.Time) {
	all := notificationlists.In(newest)
	for _, c := range changed {
		for i := range all {
			if all[i].ID == c.ID {
				all[i] = c
			}
		}
	}
	slices.SortFunc(all, func(a, b model.Notification) int { return a.UpdatedAt.Compare(b.UpdatedAt) })
	for _, n := range all {
		switch day := model.NotificationDay(n.ID); {
		case n.Empty() || !now.Before(n.ExpireAt):
		case n.Unread() || unreadSince(newest, day, now):
			return last
		default:
			last = n.UpdatedAt
		}
	}
	return last
}

// unreadSince reports whether a day, or one before it, left the newest list with unread notifications.
func unreadSince(newest *model.NotificationList, day string, now time.Time) bool {
	for one, listed := range newest.Days {
		if one <= day && listed.Unread > 0 && !gone(newest, one, now) {
			return true
		}
	}
	return false
}

// readable is the time up to which a user has read who reads until a time, which may be zero for all: the last event
// that there is.
func readable(newest *model.NotificationList, unread map[string]model.Notification, until,
	now time.Time) (last time.Time) {
	switch {
	case until.After(now.Add(readAhead)):
		return now
	case !until.IsZero():
		return until
	}
	for _, n := range newest.Notifications {
		last = later(last, n.UpdatedAt)
	}
	for _, n := range unread {
		last = later(last, n.UpdatedAt)
	}
	return last
}

// later is the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
