package model

import "time"

// A work document asks for work. Its creation is the event that starts the work. A field
// WrittenAt tells when the document was written, as its event says; the zero time means
// that this is unknown.

// RollUpWork asks RollUp to add up the shards of one document:
// rollups/{collection}_{id}.
type RollUpWork struct {
	Collection string    `firestore:"collection"`
	ID         string    `firestore:"id"`
	ExpireAt   time.Time `firestore:"expireAt"`
	WrittenAt  time.Time `firestore:"-"`
}

// DrainWork asks DrainNotifications to put the pending notices of one partition on
// notifications: drains/{partition}.
type DrainWork struct {
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
	ExpireAt time.Time  `firestore:"expireAt"`
}

// SpillWork asks Spill to move the older items of a bucket to overflow documents:
// spills/{collection}_{bucket}.
type SpillWork struct {
	Collection string    `firestore:"collection"`
	Bucket     string    `firestore:"bucket"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// WakeWork asks Wake to rebuild the home timeline of a user who was away: wakes/{uid}.
// The document stays until the timeline is rebuilt. While the document is there, Sweep
// does not put the user to sleep.
type WakeWork struct {
	UserID   UserID    `firestore:"userId"`
	ExpireAt time.Time `firestore:"expireAt"`
}

// SweepWork asks Sweep to put users to sleep who have not looked at their home timeline
// for SleepAfter: sweeps/{date}.
type SweepWork struct {
	ExpireAt time.Time `firestore:"expireAt"`
}
