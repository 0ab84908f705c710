package model

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Hold says whose replies wait until the author of the thread's root approves them. It is a setting of the author, and
// new root tweets copy it.
type Hold string

// All settings.
const (
	HoldNobody    Hold = ""          // off
	HoldStrangers Hold = "strangers" // whom the author neither follows nor addresses
)

// ParseHold reads a setting as clients write it. An unknown one is errs.Invalid.
func ParseHold(s string) (Hold, error) {
	switch s {
	case "off":
		return HoldNobody, nil
	case string(HoldStrangers):
		return HoldStrangers, nil
	}
	return "", errs.New(errs.Invalid, "invalid_hold", "%q is no setting of whose replies wait; it must be off or "+
		"strangers", Snippet(s, maxQuoted))
}

// String is the setting as clients read it.
func (h Hold) String() string {
	if h == HoldNobody {
		return "off"
	}
	return string(h)
}

// HeldReply is a reply that is no tweet yet: heldReplies/{id}. It waits until the author of the thread's root approves
// or refuses it. Nothing is derived from it, so that no list and no count has it.
type HeldReply struct {
	Draft
	ID           string  `firestore:"-"`
	AuthorID     UserID  `firestore:"authorId"`
	RootAuthorID UserID  `firestore:"rootAuthorId"` // the user who approves it
	RootID       TweetID `firestore:"rootId"`
	// its media with their descriptions, as the tweet will have them
	Shown     []TweetMedia `firestore:"shown,omitempty"`
	CreatedAt time.Time    `firestore:"createdAt"`
	// Readers compare it with the clock.
	ExpireAt time.Time `firestore:"expireAt"`
	// nil for a reply of this installation
	Remote *HeldRemote `firestore:"remote,omitempty"`
}

// HeldRemote is what a post of another server has that waits, besides its draft.
type HeldRemote struct {
	RemotePost
	UpdatedAt time.Time `firestore:"updatedAt,omitempty"` // of the version, as its server says
	Poll      *Poll     `firestore:"poll,omitempty"`
	Votes     []int64   `firestore:"votes,omitempty"` // as its server counts them, by option
	Quiet     bool      `firestore:"quiet,omitempty"` // its tweet notifies nobody
}

// RemoteHeldReplyID is the id under which a post of another server waits.
func RemoteHeldReplyID(iri string) string {
	sum := sha256.Sum256([]byte("held " + iri))
	return hex.EncodeToString(sum[:heldReplyIDLength/2])
}

const heldReplyIDLength = 20

// NewHeldReply holds a reply to a tweet. The record of the request makes it repeatable, so the id is random.
func NewHeldReply(author UserID, d Draft, parent *Tweet, at time.Time) *HeldReply {
	var id [heldReplyIDLength / 2]byte
	rand.Read(id[:]) // it never fails
	return &HeldReply{Draft: d, ID: hex.EncodeToString(id[:]), AuthorID: author, RootAuthorID: parent.RepliesHeldBy,
		RootID: parent.RootID, CreatedAt: at, ExpireAt: at.Add(HeldReplyWindow)}
}

// ParseHeldReplyID checks the form of the id of a held reply. Any other text is errs.Invalid.
func ParseHeldReplyID(s string) (string, error) {
	if !isHex(s, heldReplyIDLength) {
		return "", errs.New(errs.Invalid, "invalid_held_reply_id", "the id of a held reply is %d lower-case hexadecimal "+
			"digits", heldReplyIDLength)
	}
	return s, nil
}

// Expired reports whether the reply counts as gone.
func (h *HeldReply) Expired(now time.Time) bool { return !now.Before(h.ExpireAt) }

// MediaUntil is when media that only this reply has expire: a day after the reply, so that they never go before it.
func (h *HeldReply) MediaUntil() time.Time { return h.ExpireAt.Add(MediaWindow) }

// NoHeldReply returns the error of an id under which no reply waits that the caller wrote, or may approve.
func NoHeldReply(id string) error {
	return errs.New(errs.NotFound, "held_reply_not_found", "no reply %q waits for you; it may have been approved, "+
		"refused or withdrawn, or it has expired", id)
}

// HoldsReplies reports whether replies of an actor to a tweet may have to wait: the thread holds replies, and the actor
// is not the user who approves them. If that user wrote the tweet, and it addresses the actor, they need not wait.
func (t *Tweet) HoldsReplies(actor UserID) bool {
	return t.RepliesHeldBy != "" && t.RepliesHeldBy != actor && (t.AuthorID != t.RepliesHeldBy || !t.addresses(actor))
}

// HoldsRepliesOf reports whether replies in the thread of a root tweet wait, for an actor with a relationship to the
// author of the root.
func (t *Tweet) HoldsRepliesOf(actor UserID, viewerRelationships ViewerRelationship) bool {
	return t.HoldsReplies(actor) && !viewerRelationships.Followed
}

// ApproverSees reports whether a reply of a stranger, once posted, is visible to the user who approves it. Nobody waits
// for the approval of a user who may not read the reply.
func (t *Tweet) ApproverSees() bool {
	return Visible(Viewer{ID: t.RepliesHeldBy, Role: Member}, t, ViewerRelationship{})
}

// WidenedHeld returns the error of a reply that would be shown to more people in a thread that holds such replies.
func WidenedHeld() error {
	return errs.New(errs.Invalid, "visibility_too_wide", "the author of this thread approves replies before they are "+
		"shown; so this one cannot be shown to more people")
}

// BlockedReply returns the error of a reply in a thread that holds replies, by a user whom the author of the root
// blocks.
func BlockedReply() error { return notAllowed("reply to this tweet") }

// MayApprove returns an error if a held reply may not be posted because of its author: the user who approves it blocks
// the author, or the author's account is frozen or suspended.
func MayApprove(blocked bool, state AccountStatusState) error {
	switch {
	case blocked:
		return errs.New(errs.Conflict, "author_blocked", "you block the author of this reply")
	case state == AccountStatusFrozen, state == AccountStatusSuspended:
		return errs.New(errs.Conflict, "author_may_not_post", "the author of this reply may not post at the moment")
	}
	return nil
}

// RefusedHeldReply returns the error of a held reply that its author may not post any more, with the reason.
func RefusedHeldReply(why error) error {
	return &errs.Error{Kind: errs.Conflict, Code: "held_reply_refused", Msg: "the author of this reply may not post it " +
		"any more: the tweet that it answers or quotes does not allow it, or the author does not see that tweet", Err: why}
}
