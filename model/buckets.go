package model

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// TweetPreview is a tweet in the buckets of its author. A preview has no counts, because a count
// would rewrite the bucket at every like. A preview has no author, because a bucket has one
// author.
type TweetPreview struct {
	Summary     string `firestore:"summary"`
	Snippet     string `firestore:"snippet"`
	SnippetTree string `firestore:"snippetTree,omitempty"` // as in the tweet
	HasMedia    bool   `firestore:"hasMedia,omitempty"`
	// as in the tweet; the descriptions share what the other texts leave of MaxPreviewText bytes
	Media        []TweetMedia `firestore:"media,omitempty"`
	Length       int          `firestore:"length"`
	ReplyTo      *TweetID     `firestore:"replyTo"`
	RootID       TweetID      `firestore:"rootId"`
	Tags         []string     `firestore:"tags"` // sorted
	QuoteOf      TweetID      `firestore:"quoteOf,omitempty"`
	Withdrawn    TweetID      `firestore:"withdrawnQuote,omitempty"` // as in the tweet
	AllowLikes   bool         `firestore:"allowLikes"`
	AllowReplies bool         `firestore:"allowReplies"`
	DenyQuotes   bool         `firestore:"denyQuotes,omitempty"`
	ReplyPolicy  Policy       `firestore:"replyPolicy,omitempty"` // as in the tweet
	QuotePolicy  Policy       `firestore:"quotePolicy,omitempty"`
	IsViolative  bool         `firestore:"isViolative"`
	Visibility   Audience     `firestore:"visibility,omitempty"` // empty for a Public tweet
	Revision     int          `firestore:"revision"`
	UpdatedAt    *time.Time   `firestore:"updatedAt"`
}

// Preview is the preview of the tweet.
func (t *Tweet) Preview() TweetPreview {
	audience := t.Visibility
	if audience == Public {
		audience = "" // as in previews from before there were other audiences
	}
	return TweetPreview{
		Summary: t.Summary, Snippet: t.Snippet, SnippetTree: t.SnippetTree, HasMedia: t.HasMedia,
		Media: t.previewMedia(), Length: t.Length,
		ReplyTo: t.ReplyTo, RootID: t.RootID,
		Tags: t.TagNames(), QuoteOf: t.QuoteOf, Withdrawn: t.WithdrawnQuote, AllowLikes: t.AllowLikes,
		AllowReplies: t.AllowReplies,
		DenyQuotes:   t.DenyQuotes, ReplyPolicy: t.ReplyPolicy, QuotePolicy: t.QuotePolicy,
		IsViolative: t.IsViolative, Visibility: audience, Revision: t.Revision, UpdatedAt: t.UpdatedAt,
	}
}

// ShowsTag reports whether the list of a tag has the tweet.
func (c TweetPreview) ShowsTag(tag string) bool {
	return c.Visibility == "" && !c.IsViolative && slices.Contains(c.Tags, tag)
}

// Equal reports whether two previews are the same.
func (c TweetPreview) Equal(other TweetPreview) bool {
	replyTo, updated := c.ReplyTo, c.UpdatedAt
	same := (replyTo == nil) == (other.ReplyTo == nil) && (replyTo == nil || *replyTo == *other.ReplyTo) &&
		(updated == nil) == (other.UpdatedAt == nil) && (updated == nil || updated.Equal(*other.UpdatedAt)) &&
		slices.Equal(c.Tags, other.Tags)
	a, b := c, other
	a.ReplyTo, a.UpdatedAt, a.Tags = nil, nil, nil
	b.ReplyTo, b.UpdatedAt, b.Tags = nil, nil, nil
	return same && reflect.DeepEqual(a, b)
}

// BucketPage describes an overflow page of a bucket, {uid}_{YYYY-MM}_{n}. The page has older items, which left the
// bucket when it overflowed.
type BucketPage struct {
	Oldest Position `firestore:"oldest"`
	Newest Position `firestore:"newest"`
	Size   int      `firestore:"size"` // when an overflow wrote the page
}

// Has reports whether a position is in the range of the page.
func (p BucketPage) Has(position Position) bool {
	return position.Compare(p.Oldest) >= 0 && position.Compare(p.Newest) <= 0
}

// TweetMonth is a month of an author's tweets: tweetMonths/{uid}_{YYYY-MM} has the tweets that everybody may see, and
// followerMonths/{uid}_{YYYY-MM} the tweets for followers.
type TweetMonth struct {
	UserID UserID                   `firestore:"userId"`
	Month  Month                    `firestore:"month"`
	Tweets map[TweetID]TweetPreview `firestore:"tweets"`
	Pages  map[string]BucketPage    `firestore:"pages"` // by number, from "1"
	// Followers says, in tweetMonths only, that a month for followers exists. It stays true when that month is empty
	// again.
	Followers bool `firestore:"followers"`
	// Shares says, in tweetMonths only, that a month of shares exists.
	Shares bool `firestore:"shares"`

	ReadAt time.Time `firestore:"-"` // when it was read, by the database's clock
}

// TimelineExpiry is the time from which no home timeline reaches back to a month.
func TimelineExpiry(m Month) time.Time { return m.end().Add(TimelineWindow) }

// ViewerState has a viewer's reactions to a tweet.
type ViewerState struct{ Liked, Shared, Bookmarked bool }

// ReactionMonth has the reactions of a user to the tweets of one month: reactions/{uid}_{YYYY-MM}. One read returns the
// likes, shares and bookmarks of a whole page.
type ReactionMonth struct {
	UserID    UserID           `firestore:"userId"`
	Month     Month            `firestore:"month"`
	Tweets    map[TweetID]bool `firestore:"tweets"`    // tweets that the user likes
	Shares    map[TweetID]bool `firestore:"shares"`    // tweets that the user shares
	Bookmarks map[TweetID]bool `firestore:"bookmarks"` // tweets that the user bookmarks
	// Full is true if the user may like tweets of the month that Tweets does not have. SharesFull and BookmarksFull say
	// the same of Shares and Bookmarks.
	Full          bool `firestore:"full"`
	SharesFull    bool `firestore:"sharesFull"`
	BookmarksFull bool `firestore:"bookmarksFull"`
}

// Held returns the tweets of a month with one kind of reaction, and whether the month is saturated with them.
func (m *ReactionMonth) Held(kind ReactionKind) (tweets map[TweetID]bool, full bool) {
	switch kind {
	case ReactionLike:
		return m.Tweets, m.Full
	case ReactionShare:
		return m.Shares, m.SharesFull
	case ReactionBookmark:
		return m.Bookmarks, m.BookmarksFull
	default:
		panic("model: no month has reactions of kind " + string(kind))
	}
}

// Has reports whether the user likes, shares or bookmarks a tweet of the month. If known is false, only the source
// document decides.
func (m *ReactionMonth) Has(kind ReactionKind, id TweetID) (has, known bool) {
	tweets, full := m.Held(kind)
	return tweets[id], tweets[id] || !full
}

// Newest lists the ids of tweets or the positions of entries, newest first and at most limit. A limit of 0 lists all.
func Newest[K TweetID | Position, V any](items map[K]V, limit int) []K {
	keys := slices.SortedFunc(maps.Keys(items), func(a, b K) int { return compareByTime(string(b), string(a)) })
	if limit > 0 && len(keys) > limit {
		keys = keys[:limit]
	}
	return keys
}
