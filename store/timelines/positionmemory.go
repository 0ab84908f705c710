package timelines

import (
	"crypto/sha256"

	"github.com/hibana-sns/hibana/model"
)

// PositionMemory is what the pages of a walk through a home timeline have shown at positions of shares: a
// print of each of these tweets, the first shown first. A page leaves them out, at older
// shares and at their own positions. It stands in page tokens, so it has an end: it keeps the last MostShown.
//
// A print is a hash. Of two tweets in 4 billion one is left out by mistake on the pages after the other.
type PositionMemory string

// MostShown is how many tweets a Memory has at most. So a tweet comes once within so many entries.
const mostShown = 1_000

const printSize = 4 // bytes

// printOf is the print of a tweet.
func printOf(id model.TweetID) [printSize]byte {
	sum := sha256.Sum256([]byte(id))
	return [printSize]byte(sum[:])
}

// prints are the prints in a Memory.
func (m PositionMemory) prints() map[[printSize]byte]bool {
	set := make(map[[printSize]byte]bool, len(m)/printSize)
	for ; len(m) >= printSize; m = m[printSize:] {
		set[[printSize]byte([]byte(m[:printSize]))] = true
	}
	return set
}

// with is the Memory with the tweets that a page has shown at positions of shares, and that may come again
// behind end, where the page ended. A tweet does not come behind its own position.
func (m PositionMemory) with(items []PositionItem, end model.TweetID) PositionMemory {
	for _, i := range items {
		if i.Place.IsShare() && i.ID.Compare(end) < 0 {
			next := printOf(i.ID)
			m += PositionMemory(next[:])
		}
	}
	return m[max(0, len(m)-mostShown*printSize):]
}
