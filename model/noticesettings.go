package model

import (
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// NotificationChoice has a user's notification settings: noticeSettings/{uid}. The zero NotificationChoice allows every
// notification event, and has no document.
type NotificationChoice struct {
	Off []NotificationKind `firestore:"off,omitempty"` // sorted: the kinds that are not delivered
	// root tweet of a conversation → the time since which its replies and mentions are not delivered
	Muted map[string]time.Time `firestore:"muted,omitempty"`
	// what becomes of notification events of strangers; absent if all are accepted
	Policy *NotificationPolicy `firestore:"policy,omitempty"`
	// senders who are let through whatever the policy says, and since when; at most MaxAcceptedSenders
	Accepted map[string]time.Time `firestore:"accepted,omitempty"`
}

// NotificationKinds are all kinds of notification events.
var NotificationKinds = []NotificationKind{NotificationFollow, NotificationFollowRequest, NotificationLike,
	NotificationShare, NotificationReply, NotificationQuote, NotificationMention, NotificationEdit, NotificationOrder,
	NotificationPoll, NotificationPost}

// Wants reports whether the settings allow a notification event.
func (s *NotificationChoice) Wants(n *NotificationEvent) bool {
	if n.BesideReply() && !slices.Contains(s.Off, NotificationReply) {
		return false
	}
	return !slices.Contains(s.Off, n.Type) && s.Muted[string(n.Payload.RootID)].IsZero()
}

// Switch switches kinds of notification events on or off, and returns whether that changes anything.
func (s *NotificationChoice) Switch(on map[NotificationKind]bool) (changed bool) {
	var off []NotificationKind
	for _, kind := range NotificationKinds {
		is := slices.Contains(s.Off, kind)
		if to, ok := on[kind]; ok && to == is {
			is, changed = !to, true
		}
		if is {
			off = append(off, kind)
		}
	}
	slices.Sort(off)
	s.Off = off
	return changed
}

// Mute mutes a conversation, by its root tweet, and returns whether that changes anything. More conversations than
// [MaxMuted] are errs.Conflict.
func (s *NotificationChoice) Mute(root TweetID, at time.Time) (changed bool, err error) {
	if !s.Muted[string(root)].IsZero() {
		return false, nil
	}
	if len(s.Muted) >= MaxMuted {
		return false, errs.New(errs.Conflict, "too_many_mutes", "%d conversations are muted, which is as many as may be; "+
			"take one back first", MaxMuted)
	}
	if s.Muted == nil {
		s.Muted = map[string]time.Time{}
	}
	s.Muted[string(root)] = at
	return true, nil
}

// MutedRoots are the root tweets of the muted conversations, the last muted first.
func (s *NotificationChoice) MutedRoots() []TweetID {
	roots := []TweetID{}
	for _, root := range slices.Sorted(maps.Keys(s.Muted)) {
		roots = append(roots, TweetID(root))
	}
	slices.SortStableFunc(roots, func(a, b TweetID) int { return s.Muted[string(b)].Compare(s.Muted[string(a)]) })
	return roots
}
