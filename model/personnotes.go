package model

import (
	"strings"
	"time"
)

// MaxPersonNote is how many characters a user's note on another may have.
const MaxPersonNote = 2_000

// PersonNote is what a user writes down about another, and nobody else sees: personNotes/{uid}_{about}. A user without
// a note on another has no document.
type PersonNote struct {
	UserID    UserID    `firestore:"userId"`
	AboutID   UserID    `firestore:"aboutId"`
	Text      string    `firestore:"text"`
	UpdatedAt time.Time `firestore:"updatedAt"`
}

// CleanPersonNote returns a note as it is kept: in NFC, without spaces at its ends. A note that shows nothing becomes
// the empty text, which means no note. A text of more than MaxPersonNote characters is errs.Invalid.
func CleanPersonNote(text string) (string, error) {
	text, err := cleanText("note", strings.TrimSpace(text), MaxPersonNote)
	if err == nil && !hasVisible(text) {
		text = ""
	}
	return text, err
}
