// This file merges the entries of a month of a home timeline.

package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// mergedMonth returns the tweets and shares of a month of a home timeline one by one, newest first. It merges the
// pushed entries with the ones pulled from large authors. Each position comes once. A shared tweet has several
// positions.
type mergedMonth struct {
	timeline *model.Timeline
	pushed   *bucket.Reader[model.UserID]
	pulled   map[model.UserID][]mergeList
	oldest   time.Time
}

// mergeList returns positions one by one, newest first.
type mergeList interface {
	Peek(ctx context.Context) (position model.Position, ok bool, err error)
	Skip(position model.Position)
}

// mergedItem is a tweet or a share in a merged month.
type mergedItem struct {
	Position model.Position // of the tweet or share
	Author   model.UserID   // author of the tweet, or the sharer
	Pushed   bool           // the entry is in the timeline itself
}

// newMerge returns the merged month. pushed has the month's own entries and shares, and pulled has the lists of each
// large author. All lists begin at the same position. The month ends at the first item from before oldest.
func newMerge(t *model.Timeline, pushed *bucket.Reader[model.UserID], pulled map[model.UserID][]mergeList,
	oldest time.Time) *mergedMonth {
	return &mergedMonth{t, pushed, pulled, oldest}
}

// Next returns the next item of the timeline; ok is false at the end of the month.
//
// Cost: 1 read an overflow document that the month reaches.
func (f *mergedMonth) Next(ctx context.Context) (item mergedItem, ok bool, err error) {
	for {
		position, ok, err := f.pushed.Peek(ctx)
		if err != nil {
			return mergedItem{}, false, err
		}
		pushed := ok
		var author model.UserID
		if ok {
			author = f.pushed.Items[position]
		}
		for a, lists := range f.pulled {
			for _, r := range lists {
				other, found, err := r.Peek(ctx)
				if err != nil {
					return mergedItem{}, false, err
				}
				if found && (!ok || other.Compare(position) > 0) {
					position, author, ok, pushed = other, a, true, false
				}
			}
		}
		if !ok || position.Time().Before(f.oldest) {
			return mergedItem{}, false, nil
		}
		f.skip(position)
		if f.timeline.Shows(position, author) {
			return mergedItem{position, author, pushed}, true, nil
		}
	}
}

// skip drops a position from each list in which the position is next.
func (f *mergedMonth) skip(position model.Position) {
	f.pushed.Skip(position)
	for _, lists := range f.pulled {
		for _, r := range lists {
			r.Skip(position)
		}
	}
}
