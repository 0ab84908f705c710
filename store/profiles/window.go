package profiles

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// authorMonth names a month of an author's tweets in an audience partition.
type authorMonth struct {
	author            model.UserID
	month             model.Month
	audiencePartition model.AudiencePartition
}

// monthPreviews returns the previews of a month one by one, newest first. They come from one audience partition or
// both.
type monthPreviews []*bucket.Reader[model.TweetPreview]

// monthPreviews opens a month at the newest tweet that is older than before. The caller has read the month's document
// for everybody. If followers is true, tweets for followers are included.
//
// Cost: nothing, or 1 read for a month with tweets for followers.
func (r *Reader) monthPreviews(ctx context.Context, open *model.TweetMonth, followers bool,
	before model.Position) (monthPreviews, error) {
	m := authorMonth{open.UserID, open.Month, model.OpenAudiencePartition}
	all := monthPreviews{r.read(m, open, before)}
	if !open.Followers || !followers {
		return all, nil
	}
	m.audiencePartition = model.FollowersAudiencePartition
	months, err := r.readMonths(ctx, []authorMonth{m})
	if err != nil {
		return nil, err
	}
	return append(all, r.read(m, months[m], before)), nil
}

// reads returns the number of overflow documents that were read.
func (all monthPreviews) reads() (n int) {
	for _, r := range all {
		n += r.Reads
	}
	return n
}

// read opens a month of one audience partition.
func (r *Reader) read(m authorMonth, month *model.TweetMonth,
	before model.Position) *bucket.Reader[model.TweetPreview] {
	return bucket.Read(r.buckets[m.audiencePartition], model.MonthKey(m.author, m.month), month.Tweets, month.Pages,
		before, month.ReadAt)
}

// next returns the next preview; ok is false at the end. A preview that moves between audience partitions may be in
// both, and comes once.
//
// Cost: 1 read an overflow document that next reaches.
func (all monthPreviews) next(ctx context.Context) (c PreviewOf, ok bool, err error) {
	for _, r := range all {
		position, found, err := r.Peek(ctx)
		if err != nil {
			return PreviewOf{}, false, err
		}
		if found && (!ok || position.Compare(c.ID.Position()) > 0) {
			c, ok = PreviewOf{position.Tweet(), r.Items[position]}, true
		}
	}
	for _, r := range all {
		r.Skip(c.ID.Position())
	}
	return c, ok, nil
}

// Months reads a month of each of some authors through the cache, as their followers see it. The result has one list or
// two for each author. The lists have the tweets that are older than before, or all if before is empty. sharers has the
// authors whose month of shares is to be pulled, too.
//
// Cost: 1 read an author not in the cache, 1 more for tweets for followers; later 1 an overflow document.
func (r *Reader) Months(ctx context.Context, authors []model.UserID, m model.Month,
	before model.Position) (readers map[model.UserID][]*bucket.Reader[model.TweetPreview], sharers []model.UserID,
	err error) {
	readers = make(map[model.UserID][]*bucket.Reader[model.TweetPreview], len(authors))
	var open, marked []authorMonth
	for _, author := range authors {
		open = append(open, authorMonth{author, m, model.OpenAudiencePartition})
	}
	for _, some := range []*[]authorMonth{&open, &marked} {
		if len(*some) == 0 {
			continue
		}
		months, err := r.months.All(ctx, *some)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range *some {
			readers[m.author] = append(readers[m.author], r.read(m, months[m], before))
			if months[m].Followers {
				marked = append(marked, authorMonth{m.author, m.month, model.FollowersAudiencePartition})
			}
			if months[m].Shares {
				sharers = append(sharers, m.author)
			}
		}
	}
	return readers, sharers, nil
}

// readMonths reads months of authors. A missing month has no tweets.
//
// Cost: 1 read a month.
func (r *Reader) readMonths(ctx context.Context, months []authorMonth) (map[authorMonth]*model.TweetMonth, error) {
	var l db.Lookup
	read := make(map[authorMonth]*db.Found[model.TweetMonth], len(months))
	for _, m := range months {
		read[m] = db.Find[model.TweetMonth](&l, r.tweetMonth(m))
	}
	if err := r.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	found := make(map[authorMonth]*model.TweetMonth, len(months))
	for m, is := range read {
		month := is.Doc // a copy without the snapshot; the cache remembers a month without tweets too
		month.ReadAt, found[m] = is.Snap.ReadTime, &month
	}
	return found, nil
}

// tweetMonth returns the document of a month.
func (r *Reader) tweetMonth(m authorMonth) *firestore.DocumentRef {
	return r.db.Doc(m.audiencePartition.Months(), model.MonthKey(m.author, m.month))
}
