package model

import (
	"slices"
	"strings"
	"time"
)

// Head has the newest posts and shares of a user, at most HeadItems together: heads/{uid}. It has every post in an
// audience partition, and every share, from Since on. If it is whole, it has all of them.
type Head struct {
	Tweets       map[TweetID]TweetPreview `firestore:"tweets,omitempty"`       // the posts that everybody may see
	ForFollowers map[TweetID]bool         `firestore:"forFollowers,omitempty"` // the posts for followers
	Shares       map[Position]UserID      `firestore:"shares,omitempty"`       // the author of each shared tweet

	Whole bool      `firestore:"whole"`           // the user has no older posts and shares
	Since time.Time `firestore:"since,omitempty"` // to the millisecond; absent if the head is whole

	// Subscribed says that the user may have subscribers, see [Subscription]. The commit of a subscription sets it, and
	// a post that finds none removes it.
	Subscribed bool `firestore:"subscribed,omitempty"`

	ChangedAt   time.Time `firestore:"changedAt,serverTimestamp"` // see db.Stamped
	ListedAt    time.Time `firestore:"listedAt,omitempty"`        // in its place if a ChangeDigest lists the change
	ChangeShard int       `firestore:"changeShard"`
}

// NewHead is the head of a user without posts and shares.
func NewHead(uid UserID) Head {
	return Head{Whole: true, ChangeShard: int(hashByte(string(uid))) % ChangeShards}
}

// HeadItem is a post or a share of a head.
type HeadItem struct {
	Position Position
	Author   UserID        // of a shared tweet
	Preview  *TweetPreview // of a post that everybody may see
}

// ForFollowers reports whether the item is a post for followers. The head has no preview of such a post.
func (i HeadItem) ForFollowers() bool { return i.Preview == nil && !i.Position.IsShare() }

// Len is the number of posts and shares.
func (h *Head) Len() int { return len(h.Tweets) + len(h.ForFollowers) + len(h.Shares) }

// Items lists the posts and shares in the order of a profile.
func (h *Head) Items() []HeadItem {
	items := make([]HeadItem, 0, h.Len())
	for id, preview := range h.Tweets {
		items = append(items, HeadItem{Position: id.Position(), Preview: &preview})
	}
	for id := range h.ForFollowers {
		items = append(items, HeadItem{Position: id.Position()})
	}
	for position, author := range h.Shares {
		items = append(items, HeadItem{Position: position, Author: author})
	}
	slices.SortFunc(items, func(a, b HeadItem) int { return compareOnProfile(a.Position, b.Position) })
	return items
}

// compareOnProfile orders positions of one user as a profile lists them: the newest first. At the same millisecond a
// share comes before a tweet, and shares have the order of their documents.
func compareOnProfile(a, b Position) int {
	switch c := b.Time().Compare(a.Time()); {
	case c != 0:
		return c
	case a.IsShare() != b.IsShare():
		if a.IsShare() {
			return -1
		}
		return 1
	case a.IsShare():
		return strings.Compare(string(b.Tweet()), string(a.Tweet()))
	}
	return b.Compare(a)
}

// Posts lists the ids of all posts, newest first.
func (h *Head) Posts() []TweetID {
	ids := append(Newest(h.Tweets, 0), Newest(h.ForFollowers, 0)...)
	slices.SortFunc(ids, func(a, b TweetID) int { return b.Compare(a) })
	return ids
}

// Reaches reports whether a post or share of a time must be in the head, if it exists.
func (h *Head) Reaches(at time.Time) bool { return h.Whole || !at.Before(h.Since) }

// headLate is how late a post or share may come to its head: an event whose function ended between the month and the
// head is redelivered within 10 minutes.
const headLate = time.Hour

// WrittenAt is when the head was last written; zero if no process hears of the head.
func (h *Head) WrittenAt() time.Time {
	if h.ListedAt.After(h.ChangedAt) {
		return h.ListedAt
	}
	return h.ChangedAt
}

// Ends reports whether the user has no other posts and shares than these. A head that says that it is whole is not
// proof by itself. If its oldest post or share is new, older ones may be on their way to it. The same holds for an
// empty head that was written a moment ago.
func (h *Head) Ends(now time.Time) bool {
	if !h.Whole {
		return false
	}
	since := h.WrittenAt()
	if items := h.Items(); len(items) > 0 {
		since = items[len(items)-1].Position.Time()
	}
	return now.Sub(since) > headLate
}

// PutTweet makes the head agree with a tweet of the user. It returns whether the head has changed.
func (h *Head) PutTweet(id TweetID, t *Tweet) bool {
	partition := NoAudiencePartition
	if t != nil && h.Reaches(id.Time()) {
		partition = t.AudiencePartition()
	}
	before, was := h.Tweets[id]
	changed := h.ForFollowers[id] != (partition == FollowersAudiencePartition) ||
		was != (partition == OpenAudiencePartition) || was && !before.Equal(t.Preview())
	delete(h.Tweets, id)
	delete(h.ForFollowers, id)
	switch partition {
	case OpenAudiencePartition:
		h.Tweets = with(h.Tweets, id, t.Preview())
	case FollowersAudiencePartition:
		h.ForFollowers = with(h.ForFollowers, id, true)
	case NoAudiencePartition: // it is in no list
	}
	return changed
}

// PutPreview adds a post to the head. The preview is from a month of one of the two audience partitions.
func (h *Head) PutPreview(id TweetID, c TweetPreview) {
	switch {
	case c.IsViolative:
	case c.Visibility == Followers:
		h.ForFollowers = with(h.ForFollowers, id, true)
	default:
		h.Tweets = with(h.Tweets, id, c)
	}
}

// PutShare makes the head agree with a share of the user. author is the author of the shared tweet, or empty if there
// is no such share. PutShare returns whether the head has changed.
func (h *Head) PutShare(position Position, author UserID) bool {
	if !h.Reaches(position.Time()) {
		author = ""
	}
	before := h.Shares[position]
	if delete(h.Shares, position); author != "" {
		h.Shares = with(h.Shares, position, author)
	}
	return before != author
}

// with adds an entry to a map that may be nil.
func with[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	m[key] = value
	return m
}

// Trim removes the oldest posts and shares beyond HeadItems. The head then lacks everything of their time and earlier.
func (h *Head) Trim() {
	items := h.Items()
	if len(items) <= HeadItems {
		return
	}
	h.Cut(items[HeadItems].Position.Time().Add(time.Millisecond))
}

// Cut removes the posts and shares from before a time. The head says no longer that it has them.
func (h *Head) Cut(since time.Time) {
	if h.Whole || since.After(h.Since) {
		h.Whole, h.Since = false, since
	}
	for _, i := range h.Items() {
		if !h.Reaches(i.Position.Time()) {
			delete(h.Tweets, i.Position.Tweet())
			delete(h.ForFollowers, i.Position.Tweet())
			delete(h.Shares, i.Position)
		}
	}
}

// After lists the items of a profile that follow a cursor: the cursor of a tweet is its time and id, and that of a
// share its time and key. The zero cursor lists all.
func (h *Head) After(uid UserID, from Cursor) []HeadItem {
	items := h.Items()
	if from.IsZero() {
		return items
	}
	return slices.DeleteFunc(items, func(i HeadItem) bool {
		at, share := i.Position.Time(), strings.Contains(from.ID, "_")
		switch {
		case !at.Equal(from.At):
			return at.After(from.At)
		case share && i.Position.IsShare():
			return strings.Compare(ReactionKey(uid, i.Position.Tweet()), from.ID) >= 0
		case share || i.Position.IsShare():
			return !share // after a share of the same time come the tweets
		}
		return i.Position.Compare(TweetID(from.ID).Position()) >= 0
	})
}
