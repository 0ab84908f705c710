package model

import (
	"time"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
)

const (
	// MaxSignUpReason limits the characters of a reason to sign up, and of an answer that refuses.
	MaxSignUpReason = 500
	// MaxSignUpText limits the characters of the long texts of a profile that waits for approval.
	MaxSignUpText = 2_000
	// SignUpWindow is how long a sign-up waits, and how long one shows that was refused.
	SignUpWindow = 30 * 24 * time.Hour
	// MaxSignUps limits the sign-ups that wait at a time. A few more may wait if users ask at the same moment.
	MaxSignUps = 1_000
)

// SignUp is a profile that waits for the approval of an administrator: signUps/{uid}. While it waits there is no
// profile. So the user can read what everybody may read, and nobody finds the user. The username is reserved until
// ExpireAt, see [SignUp.Reserves].
type SignUp struct {
	UserID         UserID `firestore:"-"`
	Username       string `firestore:"username"`
	Nickname       string `firestore:"nickname"`
	Introduction   string `firestore:"introduction,omitempty"`
	Avatar         string `firestore:"avatar,omitempty"`
	AIModel        string `firestore:"aiModel,omitempty"`
	AIPersonality  string `firestore:"aiPersonality,omitempty"`
	BlockStrangers bool   `firestore:"blockStrangers,omitempty"`
	Locked         bool   `firestore:"locked,omitempty"`
	Bot            bool   `firestore:"bot,omitempty"`
	Email          string `firestore:"email,omitempty"`
	TermsVersion   int64  `firestore:"termsVersion,omitempty"`
	Reason         string `firestore:"reason,omitempty"`

	Refused bool   `firestore:"refused,omitempty"`
	Answer  string `firestore:"answer,omitempty"` // of the administrator who refused
	// the time of the ID token by which the user signed up last, of the first sign-up, and of the last one
	EmailAt   time.Time `firestore:"emailAt"`
	CreatedAt time.Time `firestore:"createdAt"`
	AskedAt   time.Time `firestore:"askedAt"`
	// WaitsSince is CreatedAt while the sign-up waits. A sign-up that was refused has none, so that the list is without
	// it.
	WaitsSince time.Time `firestore:"waitsSince,omitempty"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// NewSignUp returns the sign-up of a clean profile. A text beyond its limit is errs.Invalid.
func NewSignUp(uid UserID, n NewUser, reason string, at time.Time) (*SignUp, error) {
	reason, err := cleanText("reason", reason, MaxSignUpReason)
	if err != nil {
		return nil, err
	}
	for field, text := range map[string]string{"introduction": n.Introduction, "aiPersonality": n.AIPersonality} {
		if size := utf8.RuneCountInString(text); size > MaxSignUpText {
			return nil, errs.New(errs.Invalid, "too_long", "%s has %d characters; while a sign-up waits for approval the "+
				"limit is %d", field, size, MaxSignUpText)
		}
	}
	return &SignUp{UserID: uid, Username: n.Username, Nickname: n.Nickname, Introduction: n.Introduction,
		Avatar: n.Avatar, AIModel: n.AIModel, AIPersonality: n.AIPersonality, BlockStrangers: n.BlockStrangers,
		Locked: n.Locked, Bot: n.Bot, Email: n.Email, EmailAt: n.EmailAt, TermsVersion: n.TermsVersion, Reason: reason,
		CreatedAt: at, AskedAt: at, WaitsSince: at, ExpireAt: at.Add(SignUpWindow)}, nil
}

// Keep gives the sign-up the place in the list of the sign-up that it replaces.
func (s *SignUp) Keep(was *SignUp) {
	s.CreatedAt, s.WaitsSince, s.ExpireAt = was.CreatedAt, was.WaitsSince, was.ExpireAt
}

// Refuse turns a sign-up that waits into one that was refused, with a text for the user.
func (s *SignUp) Refuse(answer string, at time.Time) {
	s.Refused, s.Answer, s.WaitsSince, s.ExpireAt = true, answer, time.Time{}, at.Add(SignUpWindow)
}

// Reservation is the entry of the username of a sign-up that waits. As the entry of a deleted account it names no user,
// and it ends by itself.
func (s *SignUp) Reservation() Username { return Username{HeldUntil: s.ExpireAt} }

// Reserves reports whether an entry is the sign-up's [SignUp.Reservation]. Others have another time: a username is
// reserved for one at a time.
func (s *SignUp) Reserves(name Username) bool {
	return name.UID == "" && name.HeldUntil.Equal(s.ExpireAt)
}

// NewUser is the profile that the sign-up asks for. Terms that changed since do not hold the approval up: the user
// consents to them before writing.
func (s *SignUp) NewUser() NewUser {
	return NewUser{Username: s.Username, Nickname: s.Nickname, Introduction: s.Introduction, Avatar: s.Avatar,
		AIModel: s.AIModel, AIPersonality: s.AIPersonality, BlockStrangers: s.BlockStrangers, Locked: s.Locked, Bot: s.Bot,
		Email: s.Email, EmailAt: s.EmailAt, MayWait: true}
}

// Waits reports whether the sign-up waits for a decision at a time.
func (s *SignUp) Waits(now time.Time) bool { return !s.Refused && now.Before(s.ExpireAt) }

// SignUpRefused is the error for a user whom an administrator refused.
func SignUpRefused() error {
	return errs.New(errs.Forbidden, "sign_up_refused", "an administrator refused the sign-up")
}

// SignUpChanged is the error for a sign-up that is not as the administrator saw it.
func SignUpChanged() error {
	return errs.New(errs.Conflict, "sign_up_changed", "the user asked for something else meanwhile; look at it again")
}

// NoSignUp is the error for a user without a sign-up.
func NoSignUp() error {
	return errs.New(errs.NotFound, "sign_up_not_found", "there is no sign-up of this user that waits for approval")
}
