package timelines

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// month holds one month of a home timeline, read in one round trip at one moment.
type month struct {
	timeline  *model.Timeline
	reactions *model.ReactionMonth
	noted     *firestore.DocumentSnapshot // the reactions at the time of the read
	own       *model.TweetMonth           // the reader's tweets for everybody
}

// month reads a month of a home timeline.
//
// Cost: 3 reads.
func (r *Reader) month(ctx context.Context, uid model.UserID, m model.Month) (*month, error) {
	var l db.Lookup
	timeline := db.Find[model.Timeline](&l, r.db.Timeline(uid, m))
	reactions := db.Find[model.ReactionMonth](&l, r.db.ReactionMonth(uid, m))
	own := db.Find[model.TweetMonth](&l, r.db.Doc(model.TweetMonths, model.MonthKey(uid, m)))
	if err := r.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	own.Doc.UserID, own.Doc.Month, own.Doc.ReadAt = uid, m, own.Snap.ReadTime
	return &month{&timeline.Doc, &reactions.Doc, reactions.Snap, &own.Doc}, nil
}

// feed opens a month of a home timeline at the newest position that is older than before. It adds the reader's own
// tweets from the reader's month of tweets, because no timeline has them. It reads the months of large authors through
// the cache, because many readers share them. If known is not nil, feed adds the shares of the documents to it.
//
// Cost: up to 3 reads, and the costs of [profiles.Reader.Months] and [profiles.Reader.ShareMonths].
func (r *Reader) feed(ctx context.Context, of *month, uid model.UserID, m model.Month, before model.Position,
	oldest time.Time, known *positionPage) (*mergedMonth, error) {
	t := of.timeline
	pushed := bucket.Read(r.buckets, model.MonthKey(uid, m), t.Items(), t.Pages, before, time.Time{})
	known.Note(t, t.Shares)
	pulled, err := r.pulled(ctx, t, m, before, known)
	if err != nil {
		return nil, err
	}
	own, err := r.previews.Own(ctx, of.own, before)
	if err != nil {
		return nil, err
	}
	for _, list := range own {
		pulled[uid] = append(pulled[uid], list)
	}
	return newMerge(t, pushed, pulled, oldest), nil
}

// pulled opens a month of each large author whom the timeline's reader follows.
//
// Cost: the costs of [profiles.Reader.Months] and [profiles.Reader.ShareMonths].
func (r *Reader) pulled(ctx context.Context, t *model.Timeline, m model.Month, before model.Position,
	known *positionPage) (map[model.UserID][]mergeList, error) {
	var authors []model.UserID
	for author := range t.Pulled {
		if !t.Dropped[author].Equal(model.Never) {
			authors = append(authors, author)
		}
	}
	written, sharers, err := r.previews.Months(ctx, authors, m, before)
	if err != nil {
		return nil, err
	}
	shared, err := r.previews.ShareMonths(ctx, sharers, m)
	if err != nil {
		return nil, err
	}
	pulled := make(map[model.UserID][]mergeList, len(authors)+1)
	for _, author := range authors {
		for _, list := range written[author] {
			pulled[author] = append(pulled[author], list)
		}
		if month := shared[author]; month != nil && len(month.Shares)+len(month.Pages) > 0 {
			pulled[author] = append(pulled[author], r.previews.ReadShares(author, m, month, before))
			known.NoteOf(t, author, month.Shares)
		}
	}
	return pulled, nil
}
