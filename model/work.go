package model

import "time"

// A work document requests work. Its creation is the event that starts the work. Work that is too long for one event is
// done in steps: the document keeps the progress of the work, and each update of the document is the event of the next
// step. A field WrittenAt has the time of the write, from its event; the zero time means that this is unknown.

// RollUpWork asks RollUp to add up the shards of one document, or to rebuild a list of followers:
// rollups/{collection}_{id}.
type RollUpWork struct {
	Collection string    `firestore:"collection"`
	ID         string    `firestore:"id"`
	ExpireAt   time.Time `firestore:"expireAt"`
	WrittenAt  time.Time `firestore:"-"`
}

// ClaimedRollUp is the record of a roll-up that a process claimed without an event:
// takenRollUps/{collection}_{id}_{time}. It exists while the roll-up is under way. An update of it is the event that
// requests the roll-up anew.
type ClaimedRollUp struct {
	Collection string    `firestore:"collection"`
	ID         string    `firestore:"id"`
	ExpireAt   time.Time `firestore:"expireAt"`
	Record     string    `firestore:"-"` // the document's id
}

// FlushWork requests that the pending notification events of one partition are put on notifications:
// drains/{partition}.
type FlushWork struct {
	Partition string    `firestore:"partition"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// OverflowWork requests that the older items of a bucket move to overflow documents: spills/{collection}_{bucket}.
type OverflowWork struct {
	Collection string    `firestore:"collection"`
	Bucket     string    `firestore:"bucket"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// WorkPosition is a position among all work documents.
type WorkPosition struct {
	// its number; orders that wait come after the last one, then orders that owe a compensation to a cart, and then those
	// of guests that are due
	Collection int `firestore:"collection"`
	// the last document's id; for waiting orders their product, for owing orders their path
	After string `firestore:"after"`
}

// SweepWork requests the search of a day for lost work: sweeps/{date}.
type SweepWork struct {
	ExpireAt time.Time `firestore:"expireAt"`
	Done     bool      `firestore:"done"` // the document stays, so that no process enqueues it again that day
	// Place is the position up to which lost work was enqueued again.
	Place WorkPosition `firestore:"place"`
	// ID is the document's id.
	ID        string    `firestore:"-"`
	WrittenAt time.Time `firestore:"-"`
}

// PropagationWork asks ContinuePropagation to write the profile's present name and avatar into an author's tweets:
// spreads/{uid}.
type PropagationWork struct {
	UserID UserID `firestore:"userId"`
	// After is the last tweet that has them, or after a "~" the last conversation; empty at first.
	After     TweetID   `firestore:"after"`
	Author    Author    `firestore:"author"`    // the embedded author of the tweets up to there
	RenamedAt time.Time `firestore:"renamedAt"` // of the profile with this author
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// CleanUpWork asks ContinueCleanUp to remove the remains of a deleted tweet: cleanups/{tweetId}. Each step searches for
// remains, so the work needs no position.
type CleanUpWork struct {
	TweetID   TweetID   `firestore:"tweetId"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// MigrationWork asks Migrate to change the documents of a collection that need it: migrations/{name}. The document
// stays when the migration is over, with its result.
type MigrationWork struct {
	Rate  int    `firestore:"rate"`  // documents written in a second, at most
	After string `firestore:"after"` // the last document of this pass that is done; empty at its beginning
	Pass  int    `firestore:"pass"`  // passes over the collection that are complete
	// documents that needed the change, as far as this pass found them; of a migration that is over, the last pass
	Found   int64 `firestore:"found"`
	Read    int64 `firestore:"read"`
	Written int64 `firestore:"written"`
	// documents that this pass passed over, because they failed; of a migration that is over, the last pass
	Failed int64 `firestore:"failed"`
	Tries  int   `firestore:"tries"` // how often the next document failed, each time as the first of a step

	Next []string `firestore:"next,omitempty"` // the migrations that follow, each after the one before it

	StartedAt time.Time `firestore:"startedAt,serverTimestamp"`
	EndedAt   time.Time `firestore:"endedAt,omitempty"`
	Done      bool      `firestore:"done"`
	ExpireAt  time.Time `firestore:"expireAt"`
	Name      string    `firestore:"-"` // the document's id
	WrittenAt time.Time `firestore:"-"`
}

// MigrationWindow is how long the document of a migration stays after its last write.
const MigrationWindow = 366 * 24 * time.Hour
