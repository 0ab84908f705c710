package model

import "time"

// What is kept of a user who left, and for how long.
const (
	// UsernameHold is how long nobody can take the username of a user who left.
	UsernameHold = 30 * 24 * time.Hour
	// TombstoneWindow is how long the tombstones of a user who left say that a tweet was there.
	// They have no author.
	TombstoneWindow = 90 * 24 * time.Hour
	// AccountDeletionWindow is how long the record of an account deletion is kept, so that it can be asked for
	// and verified.
	AccountDeletionWindow = 30 * 24 * time.Hour
	// LeavingStuck is the age from which a verification tells of an account deletion that is not over. One
	// that goes well ends at the second of the day's sweeps that come after it began.
	LeavingStuck = 4 * 24 * time.Hour
	// RecentSignIn is how recently a user must have signed in who wants to leave.
	RecentSignIn = 5 * time.Minute
)

// DeletionWork asks Leave to remove everything of a user: leavings/{uid}. The profile is gone
// from the moment on when the document is there. Leave passes over all places of a person's
// documents, until a pass finds nothing. One more pass, a day later, finds what late events
// brought back. The document stays for AccountDeletionWindow after the end.
type DeletionWork struct {
	UserID  UserID `firestore:"userId"`
	Receipt string `firestore:"receipt"` // names the account deletion to whoever asks how far it is

	Place int   `firestore:"place"` // of the pass: the places before are empty
	Pass  int   `firestore:"pass"`  // from 0
	Found int64 `firestore:"found"` // documents that this pass removed
	// documents that all passes removed, by collection; at least as many as there were
	Removed map[string]int64 `firestore:"removed"`

	StartedAt time.Time `firestore:"startedAt"`
	ClearedAt time.Time `firestore:"clearedAt,omitempty"` // when a pass found nothing for the first time; zero before
	EndedAt   time.Time `firestore:"endedAt,omitempty"`   // zero before
	Done      bool      `firestore:"done"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}
