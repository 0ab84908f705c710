package timelines

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// feed gives the tweets of a month of a home timeline one by one, newest first. It merges
// tweets that were pushed with tweets of large authors, which are pulled. Each tweet
// comes once.
type feed struct {
	timeline *model.Timeline
	pushed   *bucket.Reader[model.UserID]
	pulled   map[model.UserID]*bucket.Reader[model.Card]
	oldest   time.Time // when the window begins
}

// feed begins a month of a home timeline at the newest tweet that is older than before.
// It reads the months of large authors through the cache, because many readers share
// them.
//
// Cost: 1 read a large author whose month is not cached.
func (r *Reader) feed(ctx context.Context, t *model.Timeline, uid model.UserID, m model.Month, before model.TweetID, oldest time.Time) (*feed, error) {
	f := &feed{timeline: t, oldest: oldest}
	f.pushed = bucket.Read(r.buckets, model.MonthKey(uid, m), t.Entries, t.Pages, before)
	var authors []model.UserID
	for author := range t.Pulled {
		if !t.Dropped[author].Equal(model.Never) {
			authors = append(authors, author)
		}
	}
	var err error
	f.pulled, err = r.cards.Months(ctx, authors, m, before)
	return f, err
}

// next gives the next tweet that the timeline shows; ok is false at the end of the month.
//
// Cost: 1 read an overflow document that the feed reaches.
func (f *feed) next(ctx context.Context) (id model.TweetID, ok bool, err error) {
	for {
		id, ok, err := f.pushed.Peek(ctx)
		if err != nil {
			return "", false, err
		}
		var author model.UserID
		if ok {
			author = f.pushed.Items[id]
		}
		for a, r := range f.pulled {
			other, found, err := r.Peek(ctx)
			if err != nil {
				return "", false, err
			}
			if found && (!ok || other.Compare(id) > 0) {
				id, author, ok = other, a, true
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
func (f *feed) skip(id model.TweetID) {
	f.pushed.Skip(id)
	for _, r := range f.pulled {
		r.Skip(id)
	}
}

// homeMonth reads a month of a home timeline and of its reader's reactions, in one round
// trip and at one moment. It also returns the reactions as they were read.
//
// Cost: 2 reads.
func (r *Reader) homeMonth(ctx context.Context, uid model.UserID, m model.Month) (*model.Timeline, *model.ReactionMonth, *firestore.DocumentSnapshot, error) {
	snaps, err := r.db.Client.GetAll(ctx, []*firestore.DocumentRef{r.db.Timeline(uid, m), r.db.ReactionMonth(uid, m)})
	if err != nil {
		return nil, nil, nil, err
	}
	timeline, reactions := &model.Timeline{}, &model.ReactionMonth{}
	if _, err := db.Decode(snaps[0], nil)(timeline); err != nil {
		return nil, nil, nil, err
	}
	if _, err := db.Decode(snaps[1], nil)(reactions); err != nil {
		return nil, nil, nil, err
	}
	return timeline, reactions, snaps[1], nil
}
