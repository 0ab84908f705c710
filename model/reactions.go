package model

import "time"

// ReactionKind is a kind of documents in which a user reacts to a tweet: one document for each user and tweet.
type ReactionKind string

// The kinds of reactions. A vote is not in the month of its user's reactions, see [Vote].
const (
	ReactionLike     ReactionKind = "like"
	ReactionShare    ReactionKind = "share"
	ReactionBookmark ReactionKind = "bookmark"
	ReactionVote     ReactionKind = "vote"
)

// Collection is the collection of the documents of the kind.
func (k ReactionKind) Collection() string {
	switch k {
	case ReactionLike:
		return Likes
	case ReactionShare:
		return Shares
	case ReactionBookmark:
		return Bookmarks
	case ReactionVote:
		return Votes
	}
	panic("model: no reaction is of kind " + string(k))
}

// Reaction has what likes, shares and bookmarks have alike.
type Reaction struct {
	UserID    UserID    `firestore:"userId"`
	TweetID   TweetID   `firestore:"tweetId"`
	AuthorID  UserID    `firestore:"authorId"` // of the tweet
	CreatedAt time.Time `firestore:"createdAt"`
}

// AnyReaction is a [Like], a [Share] or a [Bookmark].
type AnyReaction interface {
	Kind() ReactionKind
	Base() Reaction
}

// TrendReaction is a reaction that counts for trends: a [Like] or a [Share].
type TrendReaction interface {
	AnyReaction
	TrendUse(on bool, at time.Time) (u TrendUse, ok bool)
}

// Like is a like of a tweet: likes/{uid_tweetId}.
type Like struct {
	UserID    UserID    `firestore:"userId"`
	TweetID   TweetID   `firestore:"tweetId"`
	AuthorID  UserID    `firestore:"authorId"` // of the tweet
	CreatedAt time.Time `firestore:"createdAt"`

	// Language is that of the tweet, if lists for everybody had the tweet then: trends count only such likes. Absent
	// otherwise.
	Language string `firestore:"language,omitempty"`

	// AllowedAt is the database time at which neither the user nor the author blocked the other, and the author's settings
	// took notifications of likes. So the event of a young like reads neither again. Absent if that is not known.
	AllowedAt time.Time `firestore:"allowedAt,omitempty"`
}

// Kind is that of likes.
func (Like) Kind() ReactionKind { return ReactionLike }

// Base has what the like has in common with other reactions.
func (l Like) Base() Reaction { return Reaction{l.UserID, l.TweetID, l.AuthorID, l.CreatedAt} }

// Share is a share of a tweet: shares/{uid_tweetId}.
type Share struct {
	UserID    UserID    `firestore:"userId"`
	TweetID   TweetID   `firestore:"tweetId"`
	AuthorID  UserID    `firestore:"authorId"` // of the tweet
	CreatedAt time.Time `firestore:"createdAt"`
	ShareID   TweetID   `firestore:"shareId,omitempty"`   // its own id, which has its time
	Language  string    `firestore:"language,omitempty"`  // as in a like
	AllowedAt time.Time `firestore:"allowedAt,omitempty"` // as in a like
}

// Kind is that of shares.
func (Share) Kind() ReactionKind { return ReactionShare }

// Base has what the share has in common with other reactions.
func (s Share) Base() Reaction { return Reaction{s.UserID, s.TweetID, s.AuthorID, s.CreatedAt} }

// Position is the position of the share in lists. A share from before shares reached home timelines has none.
func (s Share) Position() Position {
	if s.ShareID == "" {
		return ""
	}
	return SharePosition(s.ShareID, s.TweetID)
}

// Bookmark is a bookmark of a tweet: bookmarks/{uid_tweetId}.
type Bookmark struct {
	UserID    UserID    `firestore:"userId"`
	TweetID   TweetID   `firestore:"tweetId"`
	AuthorID  UserID    `firestore:"authorId"` // of the tweet
	CreatedAt time.Time `firestore:"createdAt"`
}

// Kind is that of bookmarks.
func (Bookmark) Kind() ReactionKind { return ReactionBookmark }

// Base has what the bookmark has in common with other reactions.
func (b Bookmark) Base() Reaction { return Reaction(b) }
