package model

import "time"

// The remains of a deleted account, and how long they are kept.
const (
	// UsernameHold is how long the username of a deleted account stays reserved.
	UsernameHold = 30 * 24 * time.Hour
	// TombstoneWindow is how long the tombstones of a deleted account are kept. They have no author.
	TombstoneWindow = 90 * 24 * time.Hour
	// AccountDeletionWindow is how long the record of an account deletion is kept, for status requests and verification.
	AccountDeletionWindow = 30 * 24 * time.Hour
	// LeavingStuck is the age at which a verification reports an account deletion that is not over. A normal one ends at
	// the second daily sweep after it began.
	LeavingStuck = 4 * 24 * time.Hour
	// RecentSignIn is how recently a user must have signed in to delete the account.
	RecentSignIn = 5 * time.Minute
)

// DeletionWork asks DeleteAccount to remove all documents of a user: leavings/{uid}. The profile is gone as soon as the
// document exists. DeleteAccount passes over all erasure rules until a pass finds nothing. One more pass, a day later,
// finds documents that late events wrote. The document stays for AccountDeletionWindow after the end.
type DeletionWork struct {
	UserID  UserID `firestore:"userId"`
	Receipt string `firestore:"receipt"` // names the account deletion in status requests

	Place int   `firestore:"place"` // of the pass: nothing is left of the rules before
	Pass  int   `firestore:"pass"`  // from 0
	Found int64 `firestore:"found"` // documents that this pass removed
	// documents that all passes removed, by collection; an upper bound
	Removed map[string]int64 `firestore:"removed"`

	StartedAt time.Time `firestore:"startedAt"`
	ClearedAt time.Time `firestore:"clearedAt,omitempty"` // when a pass found nothing for the first time; zero before
	EndedAt   time.Time `firestore:"endedAt,omitempty"`   // zero before
	Done      bool      `firestore:"done"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}
