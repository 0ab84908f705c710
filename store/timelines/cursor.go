package timelines

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// Cursor says where a page of a home timeline begins: right after a position. Each page returns the Cursor of the next
// page. The Cursor also has bytes that record which tweets the earlier pages have shown at positions of shares. So a
// tweet comes once, even if somebody shares it or takes a share back between two pages. After MostShown more of these
// tweets, the tweet may come again.
//
// The zero Cursor is for the first page. A position alone is also a Cursor: its page begins below the position and has
// no earlier pages.
type Cursor string

// MostShown is the largest number of tweets that a Cursor remembers.
const MostShown = mostShown

// cursorMark separates the position from the record of shown tweets.
const cursorMark = "~"

func cursor(end model.Position, shown PositionMemory) Cursor {
	if shown == "" {
		return Cursor(end)
	}
	return Cursor(end) + cursorMark + Cursor(shown)
}

func (c Cursor) cut() (before model.Position, shown PositionMemory) {
	position, prints, _ := strings.Cut(string(c), cursorMark)
	return model.Position(position), PositionMemory(prints)
}

// MarshalBinary returns the form that page tokens hold.
func (c Cursor) MarshalBinary() ([]byte, error) { return []byte(c), nil }

// UnmarshalBinary reads the form of MarshalBinary, and also the JSON of older page tokens.
func (c *Cursor) UnmarshalBinary(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) { // no position begins with a quote
		return json.Unmarshal(b, (*string)(c))
	}
	*c = Cursor(b)
	return nil
}
