package model

import "time"

// A work document asks for work. Its creation is the event that starts the work. Work that
// is too long for one event is done in steps: the document keeps how far the work has come,
// and each update of the document is the event of the next step. A field WrittenAt tells
// when the document was written, as its event says; the zero time means that this is
// unknown.

// RollUpWork asks RollUp to add up the shards of one document:
// rollups/{collection}_{id}.
type RollUpWork struct {
	Collection string    `firestore:"collection"`
	ID         string    `firestore:"id"`
	ExpireAt   time.Time `firestore:"expireAt"`
	WrittenAt  time.Time `firestore:"-"`
}

// ClaimedRollUp is the record of a roll-up that a process took without an event of its own:
// takenRollUps/{collection}_{id}_{time}. It is there while the roll-up is under way. An
// update of it is the event that asks for the roll-up anew.
type ClaimedRollUp struct {
	Collection string    `firestore:"collection"`
	ID         string    `firestore:"id"`
	ExpireAt   time.Time `firestore:"expireAt"`
	Record     string    `firestore:"-"` // the document's id
}

// FlushWork asks DrainNotifications to put the pending notification events of one partition on
// notifications: drains/{partition}.
type FlushWork struct {
	Partition string    `firestore:"partition"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// FanOutWork asks ContinueFanOut to serve one page of an author's followers:
// fanouts/{tweetId}_{page}_{kind}.
type FanOutWork struct {
	Kind     FanOutKind `firestore:"kind"`
	TweetID  TweetID    `firestore:"tweetId"`
	AuthorID UserID     `firestore:"authorId"`
	Page     int        `firestore:"page"`
	// After is the last follower who was served, in the order of the uids; empty at first.
	After     UserID    `firestore:"after"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// OverflowWork asks overflow to move the older items of a bucket to overflow documents:
// spills/{collection}_{bucket}.
type OverflowWork struct {
	Collection string    `firestore:"collection"`
	Bucket     string    `firestore:"bucket"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// RebuildWork asks Wake to rebuild the home timeline of a user who was away: wakes/{uid}.
// The document stays until the timeline is rebuilt. While the document is there, Sweep
// does not put the user to sleep.
type RebuildWork struct {
	UserID UserID `firestore:"userId"`
	// After is the place among the followed authors up to which the timeline is rebuilt. Together
	// is how many of the next are linked at a time, or 0.
	After     Cursor    `firestore:"after"`
	Together  int       `firestore:"together,omitempty"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// WorkPosition is a place among all work documents.
type WorkPosition struct {
	// its number; behind the last one are the orders that wait, and then those that owe a cart
	Collection int `firestore:"collection"`
	// the last document's id; of orders that wait their product's, of orders that owe their path
	After string `firestore:"after"`
}

// SweepWork asks Sweep to put users to sleep who have not looked at their home timeline
// for SleepAfter: sweeps/{date}.
type SweepWork struct {
	ExpireAt time.Time `firestore:"expireAt"`
	Done     bool      `firestore:"done"` // the document stays, so that no process asks again that day
	// Place is up to where lost work was asked for again.
	Place WorkPosition `firestore:"place"`
	// ID is the document's id.
	ID        string    `firestore:"-"`
	WrittenAt time.Time `firestore:"-"`
}

// DormancyWork asks Sleep to mark a user as dormant on the pages of every author whom the user
// follows, and to list these authors: sleeps/{uid}.
type DormancyWork struct {
	UserID UserID `firestore:"userId"`
	// After is the place among the followed authors up to which the user is marked. Pages is
	// how many documents list the authors so far.
	After     Cursor    `firestore:"after"`
	Pages     int       `firestore:"pages"`
	Since     time.Time `firestore:"since"` // when the user was put to sleep
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// PropagationWork asks ContinuePropagation to give an author's tweets the name and avatar that the
// profile has now: spreads/{uid}.
type PropagationWork struct {
	UserID    UserID    `firestore:"userId"`
	After     TweetID   `firestore:"after"`     // the last tweet that has them; empty at first
	Author    Author    `firestore:"author"`    // what the tweets up to there have
	RenamedAt time.Time `firestore:"renamedAt"` // of the profile that has it
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// CleanUpWork asks ContinueCleanUp to remove what a deleted tweet left behind:
// cleanups/{tweetId}. Each step looks for what is left, so the work needs no place.
type CleanUpWork struct {
	TweetID   TweetID   `firestore:"tweetId"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// DormantFollower says whom a user followed who was put to sleep: sleepers/{uid}. So the API can
// answer the user's first look without reading every relationship. The authors stand in
// Pages documents sleepers/{uid}_{n}.
type DormantFollower struct {
	UserID UserID    `firestore:"userId"`
	Since  time.Time `firestore:"since"` // later follows are not listed
	Pages  int       `firestore:"pages"`
}

// DormantFollowerPage is a part of the authors whom a dormant follower follows: sleepers/{uid}_{n}.
type DormantFollowerPage struct {
	UserID UserID `firestore:"userId"`
	// Authors has the newest tweet of each author, as it was when the user became dormant. It
	// is empty for an author without tweets.
	Authors map[string]TweetID `firestore:"authors"`
}

// MigrationWork asks Migrate to fill in a field that documents of a collection lack:
// migrations/{name}. The document stays when the migration is over, and tells how it ended.
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

// MigrationWindow is how long the document of a migration stays after it was written last.
const MigrationWindow = 366 * 24 * time.Hour
