package model

import "time"

// Heard is something that happened in the database, for those who wait. It says what they may ask for, and decides on
// nothing that they may see.
type Heard struct {
	Author UserID      // who posted, shared, edited or deleted
	Posts  []HeardPost // new posts of the author that everybody may see
	Edits  []HeardPost // such posts that were edited
	Others bool        // the author has new shares, or new posts for followers
	Gone   TweetID     // a tweet of the author that was deleted
	Hidden bool        // not everybody saw that tweet
	// Unshared are the positions of shares that the author took back, or that went with their tweet.
	Unshared []Position
	// Followed says that it may be on the home timeline of the user who waits.
	Followed bool

	Notices bool // the notifications of the user who waits changed
	Filters bool // the filters of the user who waits changed

	Announced   map[AnnouncementID]time.Time // announcements that show since now, with the time of the last edit
	Unannounced []AnnouncementID             // announcements that show no more
}

// HeardPost is a post that somebody may ask for.
type HeardPost struct {
	ID     TweetID
	Public bool // the public timeline may have it
	Tags   []string
}
