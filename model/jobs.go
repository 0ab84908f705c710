package model

import "time"

// Job is the progress of a job of operators: jobs/{name}. One process runs it at a time.
type Job struct {
	Owner string    `firestore:"owner"` // the process that runs it; empty if none does
	Until time.Time `firestore:"until"` // when another process may claim it from the owner

	After    UserID    `firestore:"after"`    // of verify: the last user of this round that is done, or media/ID of the last upload, or messageTerms/ID of the last words; empty at its beginning
	Findings int       `firestore:"findings"` // of verify: what this round found so far
	RanAt    time.Time `firestore:"ranAt"`    // when the last run began
	EndedAt  time.Time `firestore:"endedAt"`  // when the last round, export or sweep was complete
	Result   string    `firestore:"result"`   // of the last round, in a few words
	// of sweep: the page token of Firebase Auth for the accounts to look at next; empty at the beginning of a round
	AccountsAfter string    `firestore:"accountsAfter,omitempty"`
	FirstAt       time.Time `firestore:"firstAt"` // of sweep: when it first ran; a job that never ran is overdue from then on
}
