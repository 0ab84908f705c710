package model

import (
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

const (
	// MaxAppealText limits the characters of an appeal, and of its answer.
	MaxAppealText = 2_000
	// AppealWindow is how long after a decision its user may appeal.
	AppealWindow = 20 * 24 * time.Hour
	// AppealKept is how long the database keeps an appeal after it was written, and after it was answered.
	AppealKept = 180 * 24 * time.Hour
)

// AppealState says what became of an appeal.
type AppealState string

// The states.
const (
	AppealOpen     AppealState = "open"
	AppealUpheld   AppealState = "upheld"   // the decision stands
	AppealReversed AppealState = "reversed" // the decision was wrong, and what can be undone is undone
)

// Appeal is what a user says against a decision of moderators: appeals/{action}. The id is that of the decision's entry
// in the audit log, so a decision has one appeal.
type Appeal struct {
	ID        string  `firestore:"-"`
	UserID    UserID  `firestore:"userId"`
	Act       Act     `firestore:"act"`
	TweetID   TweetID `firestore:"tweetId,omitempty"`
	DecidedBy UserID  `firestore:"decidedBy"`
	// Reason is what the audit log has, for moderators.
	Reason    string    `firestore:"reason,omitempty"`
	DecidedAt time.Time `firestore:"decidedAt"`

	Text      string      `firestore:"text"`
	State     AppealState `firestore:"state"`
	CreatedAt time.Time   `firestore:"createdAt"`

	Answer     string    `firestore:"answer,omitempty"` // for the user
	AnsweredBy UserID    `firestore:"answeredBy,omitempty"`
	AnsweredAt time.Time `firestore:"answeredAt,omitempty"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// appealable are the acts against which a user may appeal. A suspended user cannot sign in, and writes to the contact
// of the instance.
var appealable = []Act{ActFreeze, ActFlag, ActDelete, ActDeleteMedia, ActEdit}

// IsActionID reports whether a text has the form of the id of an entry in the audit log.
func IsActionID(id string) bool {
	return len(id) > 0 && len(id) <= 60 && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// Appealable reports whether the user whom an act is about may appeal against it.
func (a *Action) Appealable() bool { return slices.Contains(appealable, a.Act) }

// NewAppeal returns the appeal against an act. A text that is empty or too long is errs.Invalid, and an act of more
// than [AppealWindow] ago errs.Conflict (too_late_to_appeal).
func NewAppeal(a *Action, text string, at time.Time) (*Appeal, error) {
	text, err := cleanText("text", strings.TrimSpace(text), MaxAppealText)
	if err != nil {
		return nil, err
	}
	if !hasVisible(text) {
		return nil, errs.New(errs.Invalid, "text_required", "text needs 1 to %d characters, not only spaces", MaxAppealText)
	}
	if at.Sub(a.At) >= AppealWindow {
		return nil, errs.New(errs.Conflict, "too_late_to_appeal", "an appeal is possible for %d days after the decision",
			AppealWindow/(24*time.Hour))
	}
	return &Appeal{ID: a.ID, UserID: a.UserID, Act: a.Act, TweetID: a.TweetID, DecidedBy: a.By, Reason: a.Reason,
		DecidedAt: a.At, Text: text, State: AppealOpen, CreatedAt: at, ExpireAt: at.Add(AppealKept)}, nil
}
