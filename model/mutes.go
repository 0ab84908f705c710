package model

import "time"

// MaxMutedUsers is how many users one user may mute. A reader's document of the graph has room for all of them.
const MaxMutedUsers = MaxViewerEntries

// MaxMuteTime is the longest time of a mute with an end.
const MaxMuteTime = 366 * 24 * time.Hour

// MutePart is what a mute hides of a user.
type MutePart string

// The parts of a mute.
const (
	MuteAll     MutePart = "all"
	MuteShares  MutePart = "shares"  // what the user shares
	MuteReplies MutePart = "replies" // the user's replies to others
)

// MutedUser says that a user does not want to see another: mutedUsers/{uid_muted}. The other user does not learn of it.
type MutedUser struct {
	UserID  UserID   `firestore:"userId"`
	MutedID UserID   `firestore:"mutedId"`
	Part    MutePart `firestore:"part"`
	// whether the user gets no notifications of what the mute hides; with all also of likes and follows
	HideNotifications bool      `firestore:"hideNotifications"`
	Until             time.Time `firestore:"until,omitempty"` // in whole seconds; zero for ever
	CreatedAt         time.Time `firestore:"createdAt"`
}

// Mute is a mute in a reader's document of the graph: the second at which it ends, 0 for never, times 16, and what it
// hides. An ended mute hides nothing, and stays.
type Mute int64

const (
	mutesShares Mute = 1 << iota
	mutesReplies
	mutesAll
	mutesNotifications

	mutedBits = 4
)

// Mute is the entry of the mute in the document of the graph.
func (m *MutedUser) Mute() (is Mute) {
	if !m.Until.IsZero() {
		is = Mute(m.Until.Unix()) << mutedBits
	}
	switch m.Part {
	case MuteShares:
		is |= mutesShares
	case MuteReplies:
		is |= mutesReplies
	default:
		is |= mutesShares | mutesReplies | mutesAll
	}
	if m.HideNotifications {
		is |= mutesNotifications
	}
	return is
}

// Part is what the mute hides.
func (m Mute) Part() MutePart {
	switch {
	case m&mutesAll != 0:
		return MuteAll
	case m&mutesShares != 0:
		return MuteShares
	}
	return MuteReplies
}

// Until is when the mute ends; zero for never.
func (m Mute) Until() time.Time {
	if m>>mutedBits == 0 {
		return time.Time{}
	}
	return time.Unix(int64(m>>mutedBits), 0).UTC()
}

// HidesNotifications reports whether the mute also keeps notifications away.
func (m Mute) HidesNotifications() bool { return m&mutesNotifications != 0 }

// Holds reports whether the mute has not ended at a time.
func (m Mute) Holds(at time.Time) bool {
	return m != 0 && (m>>mutedBits == 0 || at.Before(m.Until()))
}

func (m Mute) hides(part Mute, at time.Time) bool { return m&part != 0 && m.Holds(at) }

// HidesAll reports whether the mute hides all of the user at a time.
func (m Mute) HidesAll(at time.Time) bool { return m.hides(mutesAll, at) }

// HidesShares reports whether the mute hides the user's shares at a time.
func (m Mute) HidesShares(at time.Time) bool { return m.hides(mutesShares, at) }

// HidesReplies reports whether the mute hides the user's replies at a time.
func (m Mute) HidesReplies(at time.Time) bool { return m.hides(mutesReplies, at) }

// Silences reports whether the mute keeps a notification event by the user away at a time. A customer is notified of an
// order in any case.
func (m Mute) Silences(n *NotificationEvent, at time.Time) bool {
	switch {
	case !m.hides(mutesNotifications, at) || !n.Type.Blockable():
		return false
	case m&mutesAll != 0:
		return true
	case n.Type == NotificationShare:
		return m&mutesShares != 0
	case n.Type == NotificationReply, n.Type == NotificationMention && (n.Answers || n.Payload.ReplyTo != ""):
		return m&mutesReplies != 0
	}
	return false
}
