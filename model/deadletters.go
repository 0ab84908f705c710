package model

import "time"

const (
	// MaxDeadLetterData is how many bytes of an event a dead letter keeps; what is
	// longer would not fit into a document beside the rest.
	MaxDeadLetterData = 900 << 10

	// DeadLetterWindow is how long a dead letter is kept.
	DeadLetterWindow = 31 * 24 * time.Hour
)

// DeadLetter is a dead letter: an event that a function could not read and never will,
// as long as function and event stay as they are. deadEvents/{EffectKey}.
type DeadLetter struct {
	ID        string    `firestore:"-"`
	EventID   string    `firestore:"eventId"`
	Function  string    `firestore:"function"`
	Type      string    `firestore:"type"`    // of the CloudEvent, as are the next three
	Subject   string    `firestore:"subject"` // "documents/" and the document's path
	Source    string    `firestore:"source"`
	Time      time.Time `firestore:"time"`
	Data      []byte    `firestore:"data"`
	Truncated bool      `firestore:"truncated"` // Data was longer than MaxDeadLetterData and is not kept
	Cause     string    `firestore:"cause"`     // why it failed
	DiedAt    time.Time `firestore:"diedAt"`    // when it failed last
	ExpireAt  time.Time `firestore:"expireAt"`

	Version time.Time `firestore:"-"` // of the document that was read; changes whenever it is buried again
}
