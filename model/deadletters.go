package model

import "time"

const (
	// MaxDeadLetterData is the size of the largest event that a dead letter keeps, in
	// bytes. A larger event does not fit into a document beside the other fields.
	MaxDeadLetterData = 900 << 10

	// DeadLetterWindow is how long the database keeps a dead letter.
	DeadLetterWindow = 31 * 24 * time.Hour
)

// DeadLetter is a dead letter: deadEvents/{IdempotencyRecordKey}. The function could not read the
// event, and no repetition helps while function and event stay the same.
type DeadLetter struct {
	ID        string    `firestore:"-"`
	EventID   string    `firestore:"eventId"`
	Function  string    `firestore:"function"`
	Type      string    `firestore:"type"`    // of the CloudEvent, as are the next three
	Subject   string    `firestore:"subject"` // "documents/" and the document's path
	Source    string    `firestore:"source"`
	Time      time.Time `firestore:"time"`
	Data      []byte    `firestore:"data"`
	Truncated bool      `firestore:"truncated"` // the event has more than MaxDeadLetterData bytes, and Data is empty
	Cause     string    `firestore:"cause"`     // reason of the failure
	DiedAt    time.Time `firestore:"diedAt"`    // time of the last failure
	ExpireAt  time.Time `firestore:"expireAt"`

	Version time.Time `firestore:"-"` // version of the document; changes with each new failure
}
