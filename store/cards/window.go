package cards

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// authorMonth names a month of an author's tweets.
type authorMonth struct {
	author model.UserID
	month  model.Month
}

// Window reads an author's cards that a follower may see who follows since a time: all that
// are newer, and somewhat more than model.RecentTweets from before, as far as they are in
// the window. It tells when the window begins.
//
// Cost: 1 read a month, also for the next month in the last hour of a month, and 1 read an overflow document that has such cards.
func (r *Reader) Window(ctx context.Context, author model.UserID, since time.Time) (_ map[model.TweetID]model.Card, oldest time.Time, err error) {
	oldest, _ = r.db.HomeWindow()
	months := r.db.LinkMonths()
	refs := make([]*firestore.DocumentRef, len(months))
	for i, m := range months {
		refs[i] = r.tweetMonth(authorMonth{author, m})
	}
	snaps, err := r.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, oldest, err
	}
	cards := map[model.TweetID]model.Card{}
	before := 0 // cards from before since; one more than shown tells that there are more
	for _, snap := range snaps {
		var month model.TweetMonth
		if _, err := db.Decode(snap, nil)(&month); err != nil {
			return nil, oldest, err
		}
		for all := bucket.Read(r.buckets, snap.Ref.ID, month.Tweets, month.Pages, ""); before <= model.RecentTweets; {
			id, ok, err := all.Next(ctx)
			if err != nil {
				return nil, oldest, err
			}
			if !ok {
				break
			}
			if cards[id] = all.Items[id]; id.Time().Before(since) {
				before++
			}
		}
	}
	return cards, oldest, nil
}

// Months reads a month of each of some authors through the cache. The result gives the
// tweets of each author that are older than before, or all if before is empty.
//
// Cost: 1 read an author whose month is not cached. The result costs 1 read an overflow
// document that it reaches.
func (r *Reader) Months(ctx context.Context, authors []model.UserID, m model.Month, before model.TweetID) (map[model.UserID]*bucket.Reader[model.Card], error) {
	readers := make(map[model.UserID]*bucket.Reader[model.Card], len(authors))
	if len(authors) == 0 {
		return readers, nil
	}
	ids := make([]string, len(authors))
	for i, author := range authors {
		ids[i] = model.MonthKey(author, m)
	}
	months, err := r.months.All(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i, author := range authors {
		month := months[ids[i]]
		readers[author] = bucket.Read(r.buckets, ids[i], month.Tweets, month.Pages, before)
	}
	return readers, nil
}

// readMonths reads months of authors, by their document ids, for the cache.
//
// Cost: 1 read a month.
func (r *Reader) readMonths(ctx context.Context, ids []string) (map[string]*model.TweetMonth, error) {
	found, err := db.ReadAll(ctx, r.db, model.TweetMonths, ids, func(string, *model.TweetMonth) {})
	for _, id := range ids {
		if err == nil && found[id] == nil {
			found[id] = &model.TweetMonth{} // the cache remembers a month without tweets too
		}
	}
	return found, err
}

// tweetMonth names the document of a month.
func (r *Reader) tweetMonth(m authorMonth) *firestore.DocumentRef {
	return r.db.Doc(model.TweetMonths, model.MonthKey(m.author, m.month))
}
