package model

import "time"

// ShareMonth is a month of a user's shares: shareMonths/{uid}_{YYYY-MM}. A share has the author of its tweet. A share
// that was taken back leaves the month, but not its overflow pages: readers of these check the source document.
type ShareMonth struct {
	UserID UserID                `firestore:"userId"`
	Month  Month                 `firestore:"month"`
	Shares map[Position]UserID   `firestore:"shares"` // by position
	Pages  map[string]BucketPage `firestore:"pages"`  // by number, from "1"

	ExpireAt time.Time `firestore:"expireAt"` // equal to that of the home timelines of the month
}

// SharesField is the field of a bucket that has shares.
const SharesField = "shares"

// ShowsShare reports whether a reader sees a share in the home timeline. since is when the reader followed the
// sharer, or zero. there says whether the share exists, and hidden whether the reader mutes the sharer. blocked says
// whether the reader and the author of the tweet have a block, in either direction. The tweet is for everybody.
//
// Only shares since the follow are shown. So a share that stayed in the timeline from an earlier follow is hidden.
func ShowsShare(position Position, since time.Time, there, hidden, blocked bool) bool {
	return !since.IsZero() && !position.Time().Before(since) && there && !hidden && !blocked
}
