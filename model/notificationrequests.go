package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// NotificationRequests has the notification events that a user's policy filtered, by sender:
// notificationRequests/{uid}. There are at most [MaxNotificationRequests] senders: the one whose last event is the
// oldest leaves for another.
type NotificationRequests struct {
	Requests map[string]NotificationRequest `firestore:"requests"`
	ExpireAt time.Time                      `firestore:"expireAt"` // that of its latest notification event
}

// NotificationRequest has the newest filtered notification events of a sender, the oldest first.
type NotificationRequest struct {
	Events []FilteredEvent `firestore:"events"` // at most MaxFilteredEvents
}

// FilteredEvent is a notification event that a policy filtered.
type FilteredEvent struct {
	ID      string           `firestore:"id"` // in the event log
	Type    NotificationKind `firestore:"type"`
	TweetID TweetID          `firestore:"tweetId,omitempty"`
	At      time.Time        `firestore:"at"`
}

// Last is the newest notification event.
func (r *NotificationRequest) Last() FilteredEvent {
	if len(r.Events) == 0 {
		return FilteredEvent{}
	}
	return r.Events[len(r.Events)-1]
}

// Of returns the request of a sender, without events if there is none.
func (r *NotificationRequests) Of(sender UserID) NotificationRequest {
	return r.Requests[string(sender)]
}

// Has reports whether a notification event of a sender is in the requests.
func (r *NotificationRequests) Has(sender UserID, id string) bool {
	return slices.ContainsFunc(r.Of(sender).Events, func(e FilteredEvent) bool { return e.ID == id })
}

// Add adds a notification event. The order of several makes no difference as long as none is removed between.
func (r *NotificationRequests) Add(n *NotificationEvent) {
	sender := n.Payload.UserID
	if r.Has(sender, n.ID) {
		return
	}
	if r.Requests == nil {
		r.Requests = map[string]NotificationRequest{}
	}
	events := append(slices.Clone(r.Of(sender).Events), FilteredEvent{n.ID, n.Type, n.Payload.TweetID, n.At})
	slices.SortFunc(events, func(a, b FilteredEvent) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
	})
	r.Requests[string(sender)] = NotificationRequest{events[max(0, len(events)-MaxFilteredEvents):]}
	if senders := r.Senders(); len(senders) > MaxNotificationRequests {
		delete(r.Requests, string(senders[len(senders)-1]))
	}
	if n.ExpireAt.After(r.ExpireAt) {
		r.ExpireAt = n.ExpireAt
	}
}

// Remove removes a notification event of a sender, and returns whether it was there.
func (r *NotificationRequests) Remove(sender UserID, id string) bool {
	if !r.Has(sender, id) {
		return false
	}
	events := slices.DeleteFunc(slices.Clone(r.Of(sender).Events), func(e FilteredEvent) bool { return e.ID == id })
	if r.Requests[string(sender)] = (NotificationRequest{events}); len(events) == 0 {
		delete(r.Requests, string(sender))
	}
	return true
}

// Expire removes the notification events that have expired: those that began a window before now.
func (r *NotificationRequests) Expire(now time.Time, window time.Duration) {
	for sender, is := range r.Requests {
		events := slices.DeleteFunc(slices.Clone(is.Events), func(e FilteredEvent) bool {
			return !now.Before(e.At.Add(window))
		})
		if r.Requests[sender] = (NotificationRequest{events}); len(events) == 0 {
			delete(r.Requests, sender)
		}
	}
}

// Senders lists the senders, first the one with the newest notification event.
func (r *NotificationRequests) Senders() []UserID {
	all := userIDs(slices.Sorted(maps.Keys(r.Requests)))
	last := func(uid UserID) time.Time { is := r.Of(uid); return is.Last().At }
	slices.SortStableFunc(all, func(a, b UserID) int { return last(b).Compare(last(a)) })
	return all
}
