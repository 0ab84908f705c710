package model

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// Card is a tweet inside its author's buckets: what a list shows, without the
// counts, which would rewrite the bucket at every like, and without the author,
// whose bucket it is.
type Card struct {
	Summary      string     `firestore:"summary"`
	Snippet      string     `firestore:"snippet"`
	Length       int        `firestore:"length"`
	ReplyTo      *TweetID   `firestore:"replyTo"`
	RootID       TweetID    `firestore:"rootId"`
	Tags         []string   `firestore:"tags"` // sorted
	AllowLikes   bool       `firestore:"allowLikes"`
	AllowReplies bool       `firestore:"allowReplies"`
	IsViolative  bool       `firestore:"isViolative"`
	Revision     int        `firestore:"revision"`
	UpdatedAt    *time.Time `firestore:"updatedAt"`
}

// Card is the tweet as its author's buckets hold it.
func (t *Tweet) Card() Card {
	tags := slices.Sorted(maps.Keys(t.Tags))
	if tags == nil {
		tags = []string{}
	}
	return Card{
		Summary: t.Summary, Snippet: t.Snippet, Length: t.Length, ReplyTo: t.ReplyTo, RootID: t.RootID,
		Tags: tags, AllowLikes: t.AllowLikes, AllowReplies: t.AllowReplies,
		IsViolative: t.IsViolative, Revision: t.Revision, UpdatedAt: t.UpdatedAt,
	}
}

// Equal tells whether two cards show the same.
func (c Card) Equal(other Card) bool {
	replyTo, updated := c.ReplyTo, c.UpdatedAt
	same := (replyTo == nil) == (other.ReplyTo == nil) && (replyTo == nil || *replyTo == *other.ReplyTo) &&
		(updated == nil) == (other.UpdatedAt == nil) && (updated == nil || updated.Equal(*other.UpdatedAt)) &&
		slices.Equal(c.Tags, other.Tags)
	c.ReplyTo, c.UpdatedAt, c.Tags = nil, nil, nil
	other.ReplyTo, other.UpdatedAt, other.Tags = nil, nil, nil
	return same && reflect.DeepEqual(c, other)
}

// BucketPage describes an overflow document of a bucket, {uid}_{YYYY-MM}_{n}: the
// bucket's older items, which were moved there because it grew.
type BucketPage struct {
	Oldest TweetID `firestore:"oldest"`
	Newest TweetID `firestore:"newest"`
	Size   int     `firestore:"size"`
}

// TweetMonth is a month of an author's tweets: tweetMonths/{uid}_{YYYY-MM}.
type TweetMonth struct {
	UserID UserID                `firestore:"userId"`
	Month  Month                 `firestore:"month"`
	Tweets map[TweetID]Card      `firestore:"tweets"`
	Pages  map[string]BucketPage `firestore:"pages"` // by number, from "1"
}

// UserRecent is the newest RecentTweets of an author: userRecent/{uid}.
type UserRecent struct {
	Tweets map[TweetID]Card `firestore:"tweets"`
}

// Entry is a tweet in a home timeline.
type Entry struct {
	AuthorID UserID    `firestore:"authorId"`
	At       time.Time `firestore:"at"` // when it was delivered
}

// Timeline is a month of a home timeline, by the tweets' own time:
// timelines/{uid}_{YYYY-MM}.
type Timeline struct {
	UserID  UserID            `firestore:"userId"`
	Month   Month             `firestore:"month"`
	Entries map[TweetID]Entry `firestore:"entries"`
	// Dropped holds, for an author, the time before which that author's
	// tweets are not shown: Never for one who is not followed any more, and
	// for one who is followed again the oldest tweet that came back.
	Dropped map[UserID]time.Time `firestore:"dropped"`
	// Pulled holds the followed authors who have so many followers that their
	// tweets of this month are not in Entries, but taken from their own month.
	Pulled   map[UserID]bool       `firestore:"pulled"`
	Pages    map[string]BucketPage `firestore:"pages"` // by number, from "1"
	ExpireAt time.Time             `firestore:"expireAt"`
}

// Never is a time after every tweet's.
var Never = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// Shows tells whether the reader of the timeline sees an entry of author.
func (t *Timeline) Shows(id TweetID, author UserID) bool {
	from, ok := t.Dropped[author]
	return !ok || !id.Time().Before(from)
}

// TimelineExpiry is when no entry of a month's bucket can be shown any more.
func TimelineExpiry(m Month) time.Time { return m.end().Add(TimelineWindow) }

// FollowerList is one page of an author's followers: followerPages/{uid} and,
// when Pages is not zero, followerPages/{uid}_{00–15}.
type FollowerList struct {
	Followers map[UserID]time.Time `firestore:"followers"` // → when they followed
	Asleep    map[UserID]bool      `firestore:"asleep"`    // those who were away for long: nothing is pushed to them
	Pages     int                  `firestore:"pages"`     // hashed pages beside the first, on the first page only
}

// Home says that somebody looks at their home timeline: homes/{uid}. Without it they
// are asleep: nothing is pushed to them, and when they come back their timeline is
// rebuilt.
type Home struct {
	SeenAt time.Time `firestore:"seenAt"` // at most a day before they last looked
}

// Reaction is what a user did to a tweet.
type Reaction struct {
	Liked      bool `firestore:"liked,omitempty"`
	Shared     bool `firestore:"shared,omitempty"`
	Bookmarked bool `firestore:"bookmarked,omitempty"`
}

// ReactionMonth is what a user did to the tweets of one month:
// reactions/{uid}_{YYYY-MM}. One read answers "liked by me" for a whole page.
type ReactionMonth struct {
	UserID UserID               `firestore:"userId"`
	Month  Month                `firestore:"month"`
	Tweets map[TweetID]Reaction `firestore:"tweets"`
	// SeenAt is when the user looked at their home timeline, at most a day before
	// they did last.
	SeenAt time.Time `firestore:"seenAt"`
}

// Newest lists tweet ids newest first, at most limit of them; 0 is all.
func Newest[V any](tweets map[TweetID]V, limit int) []TweetID {
	ids := slices.SortedFunc(maps.Keys(tweets), func(a, b TweetID) int { return b.Compare(a) })
	if limit > 0 && len(ids) > limit {
		ids = ids[:limit]
	}
	return ids
}
