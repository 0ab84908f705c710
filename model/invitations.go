package model

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Bounds of invitations.
const (
	MaxInvitationUses = 1_000
	MaxInvitationNote = 100                 // characters
	MaxInvitationLife = 90 * 24 * time.Hour // from its making
	invitationLength  = 16
)

// InvitationCode names an invitation: 16 letters and digits of base 32, which are 80 random bits. Whoever has the code
// may sign up by it.
type InvitationCode string

// NewInvitationCode returns the code of a new invitation.
func NewInvitationCode() InvitationCode { return InvitationCode(rand.Text()[:invitationLength]) }

// ParseInvitationCode reads a code as a person typed it, with lower-case letters and spaces at its ends. A text of
// another form is errs.Forbidden, as an unknown code is.
func ParseInvitationCode(s string) (InvitationCode, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if len(s) != invitationLength || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return "", InvalidInvitation()
	}
	return InvitationCode(s), nil
}

// Invitation lets some people sign up while the instance demands an invitation: invitations/{code}.
type Invitation struct {
	Code      InvitationCode `firestore:"-"`
	By        UserID         `firestore:"by"`   // the administrator
	Note      string         `firestore:"note"` // for administrators, may be empty
	MaxUses   int            `firestore:"maxUses"`
	Uses      int            `firestore:"uses"` // never more than MaxUses
	CreatedAt time.Time      `firestore:"createdAt"`
	ExpireAt  time.Time      `firestore:"expireAt"`
}

// Clean returns a new invitation in the form in which it is kept. One of no use or of too many, that has expired at a
// time, or that lives longer than MaxInvitationLife is errs.Invalid.
func (i Invitation) Clean(at time.Time) (_ Invitation, err error) {
	if i.MaxUses < 1 || i.MaxUses > MaxInvitationUses {
		return i, errs.New(errs.Invalid, "invalid_invitation", "an invitation is for 1 to %d people", MaxInvitationUses)
	}
	if !i.ExpireAt.After(at) || i.ExpireAt.After(at.Add(MaxInvitationLife)) {
		return i, errs.New(errs.Invalid, "invalid_invitation", "an invitation is good for %d days at most",
			MaxInvitationLife/(24*time.Hour))
	}
	i.Note, err = cleanText("note", strings.TrimSpace(i.Note), MaxInvitationNote)
	return i, err
}

// Open reports whether somebody may sign up by the invitation at a time.
func (i *Invitation) Open(at time.Time) bool { return i.Uses < i.MaxUses && at.Before(i.ExpireAt) }

// InvitationRequired returns the error of a sign-up without an invitation.
func InvitationRequired() error {
	return errs.New(errs.Forbidden, "invitation_required", "nobody signs up here without an invitation; send its code")
}

// InvalidInvitation returns the error of a code by which nobody may sign up. It does not say why.
func InvalidInvitation() error {
	return errs.New(errs.Forbidden, "invitation_invalid", "there is no such invitation, it has expired, or it was used up")
}
