package timelines

import (
	"crypto/sha256"

	"github.com/hibana-sns/hibana/model"
)

// PositionMemory holds a print of each tweet that the pages of a walk have shown at positions of shares, oldest first.
// Later pages leave these tweets out, both at older shares and at the tweets' own positions. The memory is part of page
// tokens, so its size is limited: it keeps the last mostShown prints.
//
// A print is a hash of 4 bytes. Two tweets have the same print once in 4 billion, and then later pages leave out the
// second tweet by mistake.
type PositionMemory string

// mostShown is the largest number of tweets in a PositionMemory. So a tweet comes once within that many entries.
const mostShown = 1_000

const printSize = 4 // bytes

// printOf returns the print of a tweet.
func printOf(id model.TweetID) [printSize]byte {
	sum := sha256.Sum256([]byte(id))
	return [printSize]byte(sum[:])
}

// prints returns the set of prints in a PositionMemory.
func (m PositionMemory) prints() map[[printSize]byte]bool {
	set := make(map[[printSize]byte]bool, len(m)/printSize)
	for rest := m; len(rest) >= printSize; rest = rest[printSize:] {
		set[[printSize]byte([]byte(rest[:printSize]))] = true
	}
	return set
}

// with returns the PositionMemory plus the tweets that a page has shown at positions of shares, if they may come again
// after end. The page ended at end. A tweet does not come again after its own position.
func (m PositionMemory) with(items []PositionItem, end model.Position) PositionMemory {
	all := m
	for _, i := range items {
		if i.Position.IsShare() && i.ID.Position().Compare(end) < 0 {
			next := printOf(i.ID)
			all += PositionMemory(next[:])
		}
	}
	return all[max(0, len(all)-mostShown*printSize):]
}
