package model

import "time"

// A work document requests work. Its creation is the event that starts the work. Work that is too long for one event is
// done in steps: the document keeps the progress of the work, and each update of the document is the event of the next
// step. A field WrittenAt has the time of the write, from its event; the zero time means that this is unknown.

// RollUpWork asks RollUp to add up the shards of one document: rollups/{collection}_{id}.
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

// FanOutWork asks ContinueFanOut to serve one page of an author's followers:
// fanouts/{position}_{page}_{kind}.
type FanOutWork struct {
	Kind     FanOutKind `firestore:"kind"`
	Position Position   `firestore:"tweetId"` // of the tweet or share
	AuthorID UserID     `firestore:"authorId"`
	Page     int        `firestore:"page"`
	// After is the last follower that was served, in the order of the uids; empty at first.
	After     UserID    `firestore:"after"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// OverflowWork requests that the older items of a bucket move to overflow documents: spills/{collection}_{bucket}.
type OverflowWork struct {
	Collection string    `firestore:"collection"`
	Bucket     string    `firestore:"bucket"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// RebuildWork requests the rebuild of the home timeline of a dormant user who came back: wakes/{uid}. The document
// stays until the timeline is rebuilt. While the document exists, the dormancy sweep does not make the user dormant.
type RebuildWork struct {
	UserID UserID `firestore:"userId"`
	// After is the position among the followed authors up to which the timeline is rebuilt. Together is how many of the
	// next are linked at a time, or 0.
	After     Cursor    `firestore:"after"`
	Together  int       `firestore:"together,omitempty"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// WorkPosition is a position among all work documents.
type WorkPosition struct {
	// its number; orders that wait come after the last one, and then orders that owe a compensation to a cart
	Collection int `firestore:"collection"`
	// the last document's id; for waiting orders their product, for owing orders their path
	After string `firestore:"after"`
}

// SweepWork requests the dormancy sweep: it makes users dormant who have not opened their home timeline for SleepAfter:
// sweeps/{date}.
type SweepWork struct {
	ExpireAt time.Time `firestore:"expireAt"`
	Done     bool      `firestore:"done"` // the document stays, so that no process enqueues it again that day
	// Place is the position up to which lost work was enqueued again.
	Place WorkPosition `firestore:"place"`
	// ID is the document's id.
	ID        string    `firestore:"-"`
	WrittenAt time.Time `firestore:"-"`
}

// DormancyWork requests that a user is marked as dormant on the pages of every followed author, and that these authors
// are listed: sleeps/{uid}.
type DormancyWork struct {
	UserID UserID `firestore:"userId"`
	// After is the position among the followed authors up to which the user is marked. Pages is how many documents list
	// the authors so far.
	After     Cursor    `firestore:"after"`
	Pages     int       `firestore:"pages"`
	Since     time.Time `firestore:"since"` // when the user became dormant
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// PropagationWork asks ContinuePropagation to write the profile's present name and avatar into an author's tweets:
// spreads/{uid}.
type PropagationWork struct {
	UserID    UserID    `firestore:"userId"`
	After     TweetID   `firestore:"after"`     // the last tweet that has them; empty at first
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

// DormantFollower has the authors whom a dormant user follows: sleepers/{uid}. So the API can answer the user's first
// visit without reading every relationship. The authors are in Pages documents sleepers/{uid}_{n}.
type DormantFollower struct {
	UserID UserID    `firestore:"userId"`
	Since  time.Time `firestore:"since"` // later follows are not listed
	Pages  int       `firestore:"pages"`
}

// DormantFollowerPage is a part of the authors whom a dormant follower follows: sleepers/{uid}_{n}.
type DormantFollowerPage struct {
	UserID UserID `firestore:"userId"`
	// Authors has the newest tweet of each author at the time when the user became dormant. It is empty for an author
	// without tweets.
	Authors map[string]TweetID `firestore:"authors"`
}

// MigrationWork asks Migrate to fill in a field that documents of a collection lack: migrations/{name}. The document
// stays when the migration is over, with its result.
type MigrationWork struct {
	Rate  int    `firestore:"rate"`  // documents written in a second, at most
	After string `firestore:"after"` // the last document of this pass that has the field; empty at its beginning
	Pass  int    `firestore:"pass"`  // passes over the collection that are complete
	// documents without the field that this pass found so far; of a migration that is over, the last pass
	Found   int64 `firestore:"found"`
	Read    int64 `firestore:"read"`
	Written int64 `firestore:"written"`

	StartedAt time.Time `firestore:"startedAt,serverTimestamp"`
	EndedAt   time.Time `firestore:"endedAt,omitempty"`
	Done      bool      `firestore:"done"`
	ExpireAt  time.Time `firestore:"expireAt"`
	Name      string    `firestore:"-"` // the document's id
	WrittenAt time.Time `firestore:"-"`
}

// MigrationWindow is how long the document of a migration stays after its last write.
const MigrationWindow = 366 * 24 * time.Hour
