package model

import (
	"slices"
	"time"
)

// MaxPins is how many tweets a user may pin.
const MaxPins = 5

// Pins are the tweets that a user shows first on the profile: pins/{uid}.
type Pins struct {
	UserID UserID   `firestore:"userId"`
	Tweets []Pinned `firestore:"tweets"` // at most MaxPins; some may be gone
}

// Pinned is a pinned tweet.
type Pinned struct {
	TweetID  TweetID   `firestore:"tweetId" json:"tweetId"`
	PinnedAt time.Time `firestore:"pinnedAt" json:"pinnedAt"`
}

// Has reports whether a tweet is pinned.
func (p *Pins) Has(id TweetID) bool {
	return slices.ContainsFunc(p.Tweets, func(one Pinned) bool { return one.TweetID == id })
}
