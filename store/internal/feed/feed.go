// Package feed merges what a month of a home timeline shows.
package feed

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// Feed gives the tweets of a month of a home timeline one by one, newest first. It merges
// tweets that were pushed with tweets of large authors, which are pulled. Each tweet
// comes once.
type Feed struct {
	timeline *model.Timeline
	pushed   *bucket.Reader[model.UserID]
	pulled   map[model.UserID][]*bucket.Reader[model.Card]
	oldest   time.Time
}

// New returns the feed of a month. Pushed are its entries, and pulled the months of large
// authors, of each one list or two, all from the same tweet on. The feed ends at tweets from before oldest.
func New(t *model.Timeline, pushed *bucket.Reader[model.UserID], pulled map[model.UserID][]*bucket.Reader[model.Card], oldest time.Time) *Feed {
	return &Feed{t, pushed, pulled, oldest}
}

// Next gives the next tweet that the timeline shows; ok is false at the end of the month.
//
// Cost: 1 read an overflow document that the feed reaches.
func (f *Feed) Next(ctx context.Context) (id model.TweetID, ok bool, err error) {
	for {
		id, ok, err := f.pushed.Peek(ctx)
		if err != nil {
			return "", false, err
		}
		var author model.UserID
		if ok {
			author = f.pushed.Items[id]
		}
		for a, lists := range f.pulled {
			for _, r := range lists {
				other, found, err := r.Peek(ctx)
				if err != nil {
					return "", false, err
				}
				if found && (!ok || other.Compare(id) > 0) {
					id, author, ok = other, a, true
				}
			}
		}
		if !ok || id.Time().Before(f.oldest) {
			return "", false, nil
		}
		f.skip(id)
		if f.timeline.Shows(id, author) {
			return id, true, nil
		}
	}
}

// skip passes over a tweet in each list in which the tweet is next.
func (f *Feed) skip(id model.TweetID) {
	f.pushed.Skip(id)
	for _, lists := range f.pulled {
		for _, r := range lists {
			r.Skip(id)
		}
	}
}

// Author returns the author of a tweet that was pushed, as its entry has it. It is empty for
// a tweet that was pulled.
func (f *Feed) Author(id model.TweetID) model.UserID { return f.pushed.Items[id] }
