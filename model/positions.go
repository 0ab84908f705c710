package model

import (
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Position is the sort key of an entry in timelines, in months and in other lists of tweets and shares. The position of
// a tweet is its id. The position of a share is the id of the share, and then the id of the tweet. So positions have
// one order, by time, and each contains its tweet.
type Position string

// SharePosition is the position of a share.
func SharePosition(share, tweet TweetID) Position { return Position(share + tweet) }

// Position is the position of the tweet.
func (id TweetID) Position() Position { return Position(id) }

// ParsePosition checks the form of a position. Any other text is errs.Invalid.
func ParsePosition(s string) (Position, error) {
	if len(s) != 2*tweetIDLength {
		id, err := ParseTweetID(s)
		return id.Position(), err
	}
	for _, id := range []string{s[:tweetIDLength], s[tweetIDLength:]} {
		if _, err := ParseTweetID(id); err != nil {
			return "", errs.New(errs.Invalid, "invalid_tweet_id", "not the position of a share")
		}
	}
	return Position(s), nil
}

// IsShare reports whether the position is that of a share.
func (p Position) IsShare() bool { return len(p) > tweetIDLength }

// Tweet is the tweet at the position: the shared tweet, or the tweet whose position it is.
func (p Position) Tweet() TweetID { return TweetID(p[len(p)-min(tweetIDLength, len(p)):]) }

// Share is the id of the share at the position. It is empty at the position of a tweet.
func (p Position) Share() TweetID { return TweetID(p[:max(0, len(p)-tweetIDLength)]) }

// Time is the time of the tweet or share, read from a valid position.
func (p Position) Time() time.Time { return p.first().Time() }

// Month is the month of the buckets that hold the position.
func (p Position) Month() Month { return MonthOf(p.Time()) }

// first is the id that gives the position its time.
func (p Position) first() TweetID { return TweetID(p[:min(tweetIDLength, len(p))]) }

// Compare orders positions by time. The result is negative if p is older.
func (p Position) Compare(other Position) int { return compareByTime(string(p), string(other)) }

// compareByTime orders ids and positions. Both begin with two digits that are not of the time.
func compareByTime(a, b string) int {
	if c := strings.Compare(a[2:], b[2:]); c != 0 {
		return c
	}
	return strings.Compare(a[:2], b[:2])
}
