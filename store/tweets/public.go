package tweets

import (
	"context"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

const (
	// publicTTL is the age at which a page of the public timeline is read anew.
	publicTTL = time.Second

	// publicStale is the largest age of a page that is returned while it is read anew.
	publicStale = 10 * time.Second

	// publicAhead is the number of tweets that are read of a shard beyond its part of the page. With 1 a page takes two or
	// three round trips, with 0 four, and with 4 one or two.
	publicAhead = 1
)

// publicPage names a page of the public timeline, with or without replies.
type publicPage struct {
	replies bool
	from    model.Cursor
	limit   int
}

// publicRead is a page that was read.
type publicRead struct {
	model.Page[*model.Tweet]
	owed atomic.Pointer[meter.Counts] // the cost of a read that no caller waited for
}

// Public returns the tweets of all users, newest first: root tweets alone, or with replies. Public leaves violative
// tweets out. Callers that request the same page within a second share the page, so no caller may change the page. Only
// the first of these callers pays.
//
// A page that is older than a second and younger than 10 s is returned at once, and read anew for later callers. The
// first caller who gets the new page pays for that read. No caller pays if the read fails. Nor does a caller pay if the
// page is not requested within 10 s.
//
// Public reads each shard a little beyond its part of the page, and again if the shard has more. In rare cases the page
// would cost too many reads, and then it ends early.
//
// Cost: n + 2×model.PublicShards reads for a page of n on average, n + 4×model.PublicShards at most.
func (s *Store) Public(ctx context.Context, replies bool, from model.Cursor, limit int) (_ model.Page[*model.Tweet],
	err error) {
	defer errs.Wrap(&err, "tweets.Public")
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

// mergePublic merges the shards into a page. A tweet's position is its time and then its id, both in a shard and in the
// page. So pages follow each other without a gap, even between tweets of one time.
func (s *Store) mergePublic(ctx context.Context, p publicPage) (merged model.Page[*model.Tweet], err error) {
	queries := make([]firestore.Query, model.PublicShards)
	for n := range queries {
		queries[n] = s.db.Client.Collection(model.Tweets).Where(fields.PublicShard, "==", n).
			Where(fields.IsViolative, "==", false)
		if !p.replies {
			queries[n] = queries[n].Where(fields.ReplyTo, "==", nil)
		}
	}
	tweets := s.newest(queries, p.from, p.limit+4*model.PublicShards)
	for len(merged.Items) < p.limit {
		t, err := tweets.next(ctx, p.limit-len(merged.Items))
		if err != nil {
			return merged, err
		}
		if t == nil {
			if tweets.left.Load() > 0 {
				merged.Next = model.Cursor{}
			}
			break
		}
		merged.Items, merged.Next = append(merged.Items, t), placeOf(t)
	}
	return merged, nil
}
