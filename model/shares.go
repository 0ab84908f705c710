package model

import (
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// A share has an id of its own, which has the form of a tweet id: two digits hashed from the
// sharer, and the time of the share. In lists and buckets a share stands under its place: the
// id of the share, and then the id of the tweet. So places of shares and ids of tweets have
// one order, by time, and a place tells its tweet. A place is a TweetID of 36 digits.

// SharePosition is the place of a share.
func SharePosition(share, tweet TweetID) TweetID { return share + tweet }

// IsShare tells whether id is the place of a share.
func (id TweetID) IsShare() bool { return len(id) > tweetIDLength }

// Tweet is the tweet at a place: the tweet that is shared, or id itself.
func (id TweetID) Tweet() TweetID { return id[len(id)-min(tweetIDLength, len(id)):] }

// ParsePosition checks the form of a tweet id, or of the place of a share.
func ParsePosition(s string) (TweetID, error) {
	if len(s) != 2*tweetIDLength {
		return ParseTweetID(s)
	}
	for _, id := range []string{s[:tweetIDLength], s[tweetIDLength:]} {
		if _, err := ParseTweetID(id); err != nil {
			return "", errs.New(errs.Invalid, "invalid_tweet_id", "not the place of a share")
		}
	}
	return TweetID(s), nil
}

// Place is where lists have a share. A share from before shares reached home timelines has
// none.
func (l Like) Place() TweetID {
	if l.ShareID == "" {
		return ""
	}
	return SharePosition(l.ShareID, l.TweetID)
}

// ShareMonth is a month of what a user shares: shareMonths/{uid}_{YYYY-MM}. A share has the
// author of its tweet. A share that was taken back leaves the month, but not its overflow
// pages: whoever shows a share asks the fact.
type ShareMonth struct {
	UserID UserID                `firestore:"userId"`
	Month  Month                 `firestore:"month"`
	Shares map[TweetID]UserID    `firestore:"shares"` // by place
	Pages  map[string]BucketPage `firestore:"pages"`  // by number, from "1"

	ExpireAt time.Time `firestore:"expireAt"` // as that of the home timelines of the month
}

// SharesField is the field of a bucket that has shares.
const SharesField = "shares"

// ShowsShare tells whether a reader sees a share in the home timeline. rel is the relationship
// of the reader to the sharer, or nil; fact is the share, or nil; hidden tells whether the reader
// hides what the sharer shares; blocked tells whether the reader blocks the author of the tweet,
// or the other way round. The tweet is everybody's.
//
// Only what was shared since the follow is shown. So a share that stayed in the timeline from
// an earlier follow is not.
func ShowsShare(position TweetID, rel *Relationship, fact *Like, hidden, blocked bool) bool {
	return rel != nil && !hidden && !position.Time().Before(rel.CreatedAt) && fact != nil && fact.Place() == position &&
		!blocked
}
