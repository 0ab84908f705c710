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
)

// SignUp is a profile that waits for the approval of an administrator: signUps/{uid}. While it waits there is no
// profile. So the user can read what everybody may read, and nobody finds the user.
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
	// the time of the ID token by which the user signed up last, and of the first sign-up
	EmailAt   time.Time `firestore:"emailAt"`
	CreatedAt time.Time `firestore:"createdAt"`
	ExpireAt  time.Time `firestore:"expireAt"`
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
		CreatedAt: at, ExpireAt: at.Add(SignUpWindow)}, nil
}

// NewUser is the profile that the sign-up asks for. Terms that changed since do not hold the approval up: the user
// consents to them before writing.
func (s *SignUp) NewUser() NewUser {
	return NewUser{Username: s.Username, Nickname: s.Nickname, Introduction: s.Introduction, Avatar: s.Avatar,
		AIModel: s.AIModel, AIPersonality: s.AIPersonality, BlockStrangers: s.BlockStrangers, Locked: s.Locked, Bot: s.Bot,
		Email: s.Email, EmailAt: s.EmailAt}
}

// Waits reports whether the sign-up waits for a decision at a time.
func (s *SignUp) Waits(now time.Time) bool { return !s.Refused && now.Before(s.ExpireAt) }

// NoSignUp is the error for a user without a sign-up.
func NoSignUp() error {
	return errs.New(errs.NotFound, "sign_up_not_found", "there is no sign-up of this user that waits for approval")
}
