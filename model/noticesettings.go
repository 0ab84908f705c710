package model

import (
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// NoticeChoice is what a user wants to be told: noticeSettings/{uid}. The zero
// NoticeChoice is that of a user who wants to be told everything, and has no document.
type NoticeChoice struct {
	Off   []NoticeKind         `firestore:"off,omitempty"`   // sorted: the kinds that are not delivered
	Muted map[string]time.Time `firestore:"muted,omitempty"` // root tweet of a conversation → since when its replies and mentions are not delivered
}

// NoticeKinds are all kinds of notices.
var NoticeKinds = []NoticeKind{NoticeFollow, NoticeFollowRequest, NoticeLike, NoticeShare, NoticeReply, NoticeQuote, NoticeMention, NoticeEdit, NoticeOrder, NoticePoll}

// Wants tells whether the user wants to be told of a notice.
func (s *NoticeChoice) Wants(n *Notice) bool {
	if n.BesideReply() && !slices.Contains(s.Off, NoticeReply) {
		return false
	}
	return !slices.Contains(s.Off, n.Type) && s.Muted[string(n.Payload.RootID)].IsZero()
}

// Switch switches kinds of notices on, or off, and tells whether that changes anything.
func (s *NoticeChoice) Switch(on map[NoticeKind]bool) (changed bool) {
	var off []NoticeKind
	for _, kind := range NoticeKinds {
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

// Mute mutes a conversation, by its root tweet, and tells whether that changes anything. More
// conversations than [MaxMuted] are errs.Conflict.
func (s *NoticeChoice) Mute(root TweetID, at time.Time) (changed bool, err error) {
	if !s.Muted[string(root)].IsZero() {
		return false, nil
	}
	if len(s.Muted) >= MaxMuted {
		return false, errs.New(errs.Conflict, "too_many_mutes", "%d conversations are muted, which is as many as may be; take one back first", MaxMuted)
	}
	if s.Muted == nil {
		s.Muted = map[string]time.Time{}
	}
	s.Muted[string(root)] = at
	return true, nil
}

// MutedRoots are the root tweets of the muted conversations, the last muted first.
func (s *NoticeChoice) MutedRoots() []TweetID {
	roots := []TweetID{}
	for _, root := range slices.Sorted(maps.Keys(s.Muted)) {
		roots = append(roots, TweetID(root))
	}
	slices.SortStableFunc(roots, func(a, b TweetID) int { return s.Muted[string(b)].Compare(s.Muted[string(a)]) })
	return roots
}
