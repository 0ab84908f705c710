package facts

import (
	"context"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// publicTTL is how old a page of the public timeline is before it is read anew.
	publicTTL = time.Second

	// publicStale is how old a page may be that is shown while it is read anew.
	publicStale = 10 * time.Second

	// publicAhead is how many tweets beyond its share are read of a shard. With 1 a page
	// takes two to three round trips, with 0 four, and with 4 one or two.
	publicAhead = 1
)

// publicPage names a page of the public timeline, with replies or without.
type publicPage struct {
	replies bool
	from    model.Cursor
	limit   int
}

// publicRead is a page that was read.
type publicRead struct {
	model.Page[*model.Tweet]
	owed atomic.Pointer[meter.Counts] // the bill of a reading that no caller waited for
}

// Public lists the tweets of all users, newest first: root tweets alone, or with replies.
// Public leaves violative tweets out. Callers that ask for the same page within a second
// share the page, so no caller may change the page. Only the first of these callers pays.
//
// A page that is older than a second and younger than 10 s is returned at once, and read
// anew for later callers. The first caller who gets the new page pays for that reading. If
// nobody gets the page within 10 s, or if the reading fails, no caller pays.
//
// Each shard is read a little beyond its share of the page. A shard that has more than its
// share of the newest tweets is read again.
//
// Cost: n + 2×model.PublicShards reads, or a little more, for a page of n. On average
// that is 28 reads for 20 tweets and 112 for 100, seldom more than 33 and 126.
func (s *Store) Public(ctx context.Context, replies bool, from model.Cursor, limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "facts.Public")
	p, _, err := s.public.One(ctx, publicPage{replies, from, limit})
	if err != nil {
		return model.Page[*model.Tweet]{}, err
	}
	if owed := p.owed.Swap(nil); owed != nil {
		meter.Bill(ctx, *owed)
	}
	return p.Page, nil
}

// readPublic loads pages for the cache.
func (s *Store) readPublic(ctx context.Context, pages []publicPage) (map[publicPage]*publicRead, error) {
	read := make(map[publicPage]*publicRead, len(pages))
	for _, p := range pages {
		ctx, bill := ctx, (*meter.Meter)(nil)
		if readcache.InBackground(ctx) {
			bill = meter.New()
			ctx = meter.With(ctx, bill)
		}
		merged, err := s.mergePublic(ctx, p)
		if err != nil {
			return nil, err
		}
		read[p] = &publicRead{Page: merged}
		if bill != nil {
			read[p].owed.Store(new(bill.Snapshot()))
		}
	}
	return read, nil
}

// mergePublic merges the shards into a page. A tweet's place is its time and then its id,
// in each shard as in the page. So pages meet without a gap, even between tweets of one
// time.
func (s *Store) mergePublic(ctx context.Context, p publicPage) (merged model.Page[*model.Tweet], err error) {
	shards := make([]publicShard, model.PublicShards)
	g, side := errgroup.WithContext(ctx)
	for n := range shards {
		q := s.db.Client.Collection(model.Tweets).Where("publicShard", "==", n).Where("isViolative", "==", false)
		if !p.replies {
			q = q.Where("replyTo", "==", nil)
		}
		shards[n] = publicShard{store: s, query: q, from: p.from}
		g.Go(func() error { return shards[n].read(side, p.limit) })
	}
	if err := g.Wait(); err != nil {
		return merged, err
	}
	for len(merged.Items) < p.limit {
		var newest *publicShard
		for n := range shards {
			shard := &shards[n]
			if len(shard.tweets) == 0 && !shard.ended {
				if err := shard.read(ctx, p.limit-len(merged.Items)); err != nil {
					return merged, err
				}
			}
			if len(shard.tweets) > 0 && (newest == nil || shard.next().After(newest.next())) {
				newest = shard
			}
		}
		if newest == nil {
			merged.Next = model.Cursor{}
			break
		}
		merged.Items = append(merged.Items, newest.tweets[0])
		merged.Next = newest.next()
		newest.tweets = newest.tweets[1:]
	}
	return merged, nil
}

// publicShard is a part of the public timeline while it is merged.
type publicShard struct {
	store  *Store
	query  firestore.Query
	from   model.Cursor
	tweets []*model.Tweet // read and not merged yet
	ended  bool           // the database has no more than tweets
}

// read reads a shard's share of the tweets that the page needs of all shards.
func (p *publicShard) read(ctx context.Context, needed int) error {
	share := (needed+model.PublicShards-1)/model.PublicShards + publicAhead
	got, err := db.Page(ctx, p.query, firestore.FieldPath{"createdAt"}, firestore.Desc, p.from, share,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := p.store.keepTweet(snap)
			return t, publicPlace(t), err
		})
	p.tweets, p.from, p.ended = got.Items, got.Next, got.Next.IsZero()
	return err
}

// next returns the place of the newest tweet that is not merged yet.
func (p *publicShard) next() model.Cursor { return publicPlace(p.tweets[0]) }

// publicPlace returns the place of a tweet in the public timeline.
func publicPlace(t *model.Tweet) model.Cursor { return model.Cursor{At: t.CreatedAt, ID: string(t.ID)} }
