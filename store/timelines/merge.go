// This file merges what a month of a home timeline shows.

package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// Feed gives the tweets and shares of a month of a home timeline one by one, newest first. It
// merges what was pushed with what is pulled of large authors. Each position comes once, and a
// tweet that is shared has several.
type mergedMonth struct {
	timeline *model.Timeline
	pushed   *bucket.Reader[model.UserID]
	pulled   map[model.UserID][]mergeList
	oldest   time.Time
}

// List gives positions one by one, newest first.
type mergeList interface {
	Peek(ctx context.Context) (id model.TweetID, ok bool, err error)
	Skip(id model.TweetID)
}

// Item is a tweet, or a share, in a feed.
type mergedItem struct {
	ID     model.TweetID // the tweet, or the position of the share
	Author model.UserID  // of the tweet, or who shared it
	Pushed bool          // the timeline itself has it
}

// New returns the feed of a month. Pushed are its entries and shares, and pulled the lists of
// each large author, all from the same position on. The feed ends at what is from before oldest.
func newMerge(t *model.Timeline, pushed *bucket.Reader[model.UserID], pulled map[model.UserID][]mergeList,
	oldest time.Time) *mergedMonth {
	return &mergedMonth{t, pushed, pulled, oldest}
}

// Next gives the next item of the timeline; ok is false at the end of the month.
//
// Cost: 1 read an overflow document that the feed reaches.
func (f *mergedMonth) Next(ctx context.Context) (item mergedItem, ok bool, err error) {
	for {
		id, ok, err := f.pushed.Peek(ctx)
		if err != nil {
			return mergedItem{}, false, err
		}
		pushed := ok
		var author model.UserID
		if ok {
			author = f.pushed.Items[id]
		}
		for a, lists := range f.pulled {
			for _, r := range lists {
				other, found, err := r.Peek(ctx)
				if err != nil {
					return mergedItem{}, false, err
				}
				if found && (!ok || other.Compare(id) > 0) {
					id, author, ok, pushed = other, a, true, false
				}
			}
		}
		if !ok || id.Time().Before(f.oldest) {
			return mergedItem{}, false, nil
		}
		f.skip(id)
		if f.timeline.Shows(id, author) {
			return mergedItem{id, author, pushed}, true, nil
		}
	}
}

// skip passes over a tweet in each list in which the tweet is next.
func (f *mergedMonth) skip(id model.TweetID) {
	f.pushed.Skip(id)
	for _, lists := range f.pulled {
		for _, r := range lists {
			r.Skip(id)
		}
	}
}
