package model

import (
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// A share has an id of its own, which has the form of a tweet id: two digits hashed from the sharer, and the time of
// the share. Lists and buckets have a share at its position: the id of the share, and then the id of the tweet. So
// positions of shares and ids of tweets have one order, by time, and a position contains its tweet. A position is a
// TweetID of 36 digits.

// SharePosition is the position of a share.
func SharePosition(share, tweet TweetID) TweetID { return share + tweet }

// IsShare reports whether id is the position of a share.
func (id TweetID) IsShare() bool { return len(id) > tweetIDLength }

// Tweet is the tweet at a position: the shared tweet, or id itself.
func (id TweetID) Tweet() TweetID { return id[len(id)-min(tweetIDLength, len(id)):] }

// ParsePosition checks the form of a tweet id, or of the position of a share.
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

// Place is the position of a share in lists. A share from before shares reached home timelines has none.
func (l Like) Place() TweetID {
	if l.ShareID == "" {
		return ""
	}
	return SharePosition(l.ShareID, l.TweetID)
}

// ShareMonth is a month of a user's shares: shareMonths/{uid}_{YYYY-MM}. A share has the author of its tweet. A share
// that was taken back leaves the month, but not its overflow pages: readers check the source document.
type ShareMonth struct {
	UserID UserID                `firestore:"userId"`
	Month  Month                 `firestore:"month"`
	Shares map[TweetID]UserID    `firestore:"shares"` // by position
	Pages  map[string]BucketPage `firestore:"pages"`  // by number, from "1"

	ExpireAt time.Time `firestore:"expireAt"` // equal to that of the home timelines of the month
}

// SharesField is the field of a bucket that has shares.
const SharesField = "shares"

// ShowsShare reports whether a reader sees a share in the home timeline. rel is the relationship of the reader to the
// sharer, or nil; fact is the share, or nil. hidden says whether the reader mutes the sharer. blocked says whether the
// reader and the author of the tweet have a block, in either direction. The tweet is for everybody.
//
// Only shares since the follow are shown. So a share that stayed in the timeline from an earlier follow is hidden.
func ShowsShare(position TweetID, rel *Relationship, fact *Like, hidden, blocked bool) bool {
	return rel != nil && !hidden && !position.Time().Before(rel.CreatedAt) && fact != nil && fact.Place() == position &&
		!blocked
}
