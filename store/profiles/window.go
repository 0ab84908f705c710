package profiles

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// authorMonth names a month of an author's tweets on an audience partition.
type authorMonth struct {
	author            model.UserID
	month             model.Month
	audiencePartition model.AudiencePartition
}

// Window reads an author's previews that a follower may see who follows since a time: all that
// are newer, and somewhat more than model.RecentTweets from before, as far as they are in
// the window. It tells when the window begins.
//
// Cost: 1 read a month, also for the next month in the last hour of a month, and 1 read an overflow
// document that has such previews. 1 read more for a month with tweets for followers.
func (r *Reader) Window(ctx context.Context, author model.UserID,
	since time.Time) (_ map[model.TweetID]model.TweetPreview, oldest time.Time, err error) {
	oldest, _ = r.db.HomeWindow()
	months := r.db.LinkMonths()
	refs := make([]*firestore.DocumentRef, len(months))
	for i, m := range months {
		refs[i] = r.tweetMonth(authorMonth{author, m, model.OpenAudiencePartition})
	}
	snaps, err := r.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, oldest, err
	}
	previews := map[model.TweetID]model.TweetPreview{}
	before := 0 // previews from before since; one more than shown tells that there are more
	for i, snap := range snaps {
		var month model.TweetMonth
		if _, err := db.Decode(snap, nil)(&month); err != nil {
			return nil, oldest, err
		}
		month.UserID, month.Month, month.ReadAt = author, months[i], snap.ReadTime
		all, err := r.monthPreviews(ctx, &month, true, "")
		if err != nil {
			return nil, oldest, err
		}
		for before <= model.RecentTweets {
			c, ok, err := all.next(ctx)
			if err != nil {
				return nil, oldest, err
			}
			if !ok {
				break
			}
			if previews[c.ID] = c.TweetPreview; c.ID.Time().Before(since) {
				before++
			}
		}
	}
	return previews, oldest, nil
}

// monthPreviews gives the previews of a month one by one, newest first, from one audience partition or both.
type monthPreviews []*bucket.Reader[model.TweetPreview]

// monthPreviews begins a month, of which the caller has read what everybody may see, at the
// newest tweet that is older than before. If followers is true, tweets for followers are
// among them.
//
// Cost: nothing, or 1 read for a month with tweets for followers.
func (r *Reader) monthPreviews(ctx context.Context, open *model.TweetMonth, followers bool,
	before model.TweetID) (monthPreviews, error) {
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

// Own begins a month of a reader's own tweets, of which the caller has read what everybody may see. It gives the tweets
// that are older than before, or all if before is empty, from one list or two.
//
// Cost: 1 read for a month with tweets for followers. The result costs 1 read an overflow document that it reaches.
func (r *Reader) Own(ctx context.Context, open *model.TweetMonth,
	before model.TweetID) ([]*bucket.Reader[model.TweetPreview], error) {
	return r.monthPreviews(ctx, open, true, before)
}

// reads is how many overflow documents were read.
func (all monthPreviews) reads() (n int) {
	for _, r := range all {
		n += r.Reads
	}
	return n
}

// read begins a month of one audience partition.
func (r *Reader) read(m authorMonth, month *model.TweetMonth, before model.TweetID) *bucket.Reader[model.TweetPreview] {
	return bucket.Read(r.buckets[m.audiencePartition], model.MonthKey(m.author, m.month), month.Tweets, month.Pages,
		before, month.ReadAt)
}

// next gives the next preview; ok is false at the end. A preview that moves from one audience partition to the
// other may be on both, and comes once.
//
// Cost: 1 read an overflow document that next comes to.
func (all monthPreviews) next(ctx context.Context) (c PreviewOf, ok bool, err error) {
	for _, r := range all {
		id, found, err := r.Peek(ctx)
		if err != nil {
			return PreviewOf{}, false, err
		}
		if found && (!ok || id.Compare(c.ID) > 0) {
			c, ok = PreviewOf{id, r.Items[id]}, true
		}
	}
	for _, r := range all {
		r.Skip(c.ID)
	}
	return c, ok, nil
}

// Months reads a month of each of some authors through the cache, as their followers see it.
// The result gives the tweets of each author that are older than before, or all if before is
// empty, from one list or two. sharers are the authors whose month of shares is to be pulled, too.
//
// Cost: 1 read an author whose month is not cached, and 1 read more for a month with tweets
// for followers. The result costs 1 read an overflow document that it reaches.
func (r *Reader) Months(ctx context.Context, authors []model.UserID, m model.Month,
	before model.TweetID) (readers map[model.UserID][]*bucket.Reader[model.TweetPreview], sharers []model.UserID,
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

// readMonths reads months of authors. A month that is not there has no tweets.
//
// Cost: 1 read a month.
func (r *Reader) readMonths(ctx context.Context, months []authorMonth) (map[authorMonth]*model.TweetMonth, error) {
	refs := make([]*firestore.DocumentRef, len(months))
	for i, m := range months {
		refs[i] = r.tweetMonth(m)
	}
	snaps, err := r.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	found := make(map[authorMonth]*model.TweetMonth, len(months))
	for i, m := range months {
		found[m] = &model.TweetMonth{ReadAt: snaps[i].ReadTime} // the cache remembers a month without tweets too
		if _, err := db.Decode(snaps[i], nil)(found[m]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// tweetMonth names the document of a month.
func (r *Reader) tweetMonth(m authorMonth) *firestore.DocumentRef {
	return r.db.Doc(m.audiencePartition.Months(), model.MonthKey(m.author, m.month))
}
