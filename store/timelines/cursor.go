package timelines

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// Cursor is where a page of a home timeline begins: after a position. A page makes it for the page
// after, and adds what the pages so far have shown at positions of shares, as bytes. So a tweet
// comes once, whatever was shared or taken back between two pages: up to MostShown of such
// tweets later, further down it may come again. The zero Cursor is for the first page. The id of a tweet
// alone is the Cursor of a page that begins below the tweet, and of which no page came before.
type Cursor string

// MostShown is how many tweets a Cursor remembers at most.
const MostShown = mostShown

// cursorMark stands between the position and what was shown.
const cursorMark = "~"

func cursor(end model.TweetID, shown PositionMemory) Cursor {
	if shown == "" {
		return Cursor(end)
	}
	return Cursor(end) + cursorMark + Cursor(shown)
}

func (c Cursor) cut() (before model.TweetID, shown PositionMemory) {
	position, prints, _ := strings.Cut(string(c), cursorMark)
	return model.TweetID(position), PositionMemory(prints)
}

// MarshalBinary is the form of page tokens.
func (c Cursor) MarshalBinary() ([]byte, error) { return []byte(c), nil }

// UnmarshalBinary reads what MarshalBinary wrote, or the JSON that was in page tokens before.
func (c *Cursor) UnmarshalBinary(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) { // no place begins so
		return json.Unmarshal(b, (*string)(c))
	}
	*c = Cursor(b)
	return nil
}
