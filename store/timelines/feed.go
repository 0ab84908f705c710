package timelines

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/feed"
	"github.com/hibana-sns/hibana/store/internal/places"
)

// feed begins a month of a home timeline at the newest place that is older than before.
// It reads the months of large authors through the cache, because many readers share
// them. It notes in known, unless that is nil, which shares the documents have.
//
// Cost: what [cards.Reader.Months] and [cards.Reader.ShareMonths] cost.
func (r *Reader) feed(ctx context.Context, t *model.Timeline, uid model.UserID, m model.Month, before model.TweetID, oldest time.Time, known *places.Page) (*feed.Feed, error) {
	pushed := bucket.Read(r.buckets, model.MonthKey(uid, m), t.Items(), t.Pages, before, time.Time{})
	known.Note(t, t.Shares)
	var authors []model.UserID
	for author := range t.Pulled {
		if !t.Dropped[author].Equal(model.Never) {
			authors = append(authors, author)
		}
	}
	written, sharers, err := r.cards.Months(ctx, authors, m, before)
	if err != nil {
		return nil, err
	}
	shared, err := r.cards.ShareMonths(ctx, sharers, m)
	if err != nil {
		return nil, err
	}
	pulled := make(map[model.UserID][]feed.List, len(authors))
	for _, author := range authors {
		for _, list := range written[author] {
			pulled[author] = append(pulled[author], list)
		}
		if month := shared[author]; month != nil && len(month.Shares)+len(month.Pages) > 0 {
			pulled[author] = append(pulled[author], r.cards.ReadShares(author, m, month, before))
			known.NoteOf(t, author, month.Shares)
		}
	}
	return feed.New(t, pushed, pulled, oldest), nil
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
