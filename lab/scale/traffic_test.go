package scale_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// checkOverflow looks that the limit of a month was low enough: a month of an author must overflow.
func (e *env) checkOverflow(t *testing.T) {
	t.Helper()
	overflowed := false
	testenv.Must(t, e.each(t.Context(), model.TweetMonths, func(snap *firestore.DocumentSnapshot) error {
		pages, _ := snap.Data()["pages"].(map[string]any)
		overflowed = overflowed || len(pages) > 0
		return nil
	}))
	if !overflowed {
		t.Error("no month overflowed")
	}
}

// crowd makes most of the readers follow each author, or stop to. Some change their minds again and again.
func (e *env) crowd(ctx context.Context, rng *rand.Rand, readers, authors []model.UserID, many bool) error {
	for _, i := range rng.Perm(len(readers) * len(authors)) {
		reader, author := readers[i%len(readers)], authors[i/len(readers)]
		stays := rng.IntN(12) == 0 != many
		for _, follow := range []bool{rng.IntN(2) == 0, stays} {
			change := e.follow
			if !follow {
				change = e.unfollow
			}
			if err := change(ctx, reader, author); err != nil {
				return err
			}
		}
	}
	return nil
}

// betweenLooks is for how long the readers of traffic pause. Without a pause they would take
// most of the machine, and the writers that much longer.
const betweenLooks = 20 * time.Millisecond

// traffic does something while authors write so many tweets each, and delete some, and
// readers read. What they see while that goes on must be in order, and each tweet once.
func (e *env) traffic(t *testing.T, something func(context.Context, *rand.Rand) error, authors []model.UserID,
	tweets int, readers []model.UserID) {
	t.Helper()
	g, ctx := errgroup.WithContext(t.Context())
	var writing atomic.Int64
	rngs := make([]*rand.Rand, len(authors)+2)
	for i := range rngs {
		rngs[i] = rand.New(rand.NewPCG(e.rng.Uint64(), 0))
	}
	for i, author := range authors {
		rng := rngs[i]
		writing.Add(1)
		g.Go(func() error {
			defer writing.Add(-1)
			for range tweets {
				id, err := e.tweet(ctx, author)
				if err != nil {
					return err
				}
				if rng.IntN(10) == 0 {
					err := testenv.Patiently(func() error { return e.Store.Tweets.DeleteTweet(ctx, author, false, id) })
					if err != nil && errs.KindOf(err) != errs.Gone { // by a try that seemed to fail
						return err
					}
				}
			}
			return nil
		})
	}
	writing.Add(1)
	g.Go(func() error {
		defer writing.Add(-1)
		return something(ctx, rngs[len(authors)])
	})
	g.Go(func() error {
		rng := rngs[len(authors)+1]
		for i := 0; i < len(readers) || writing.Load() > 0; i++ { // everybody at least once
			if _, err := e.home(ctx, readers[i%len(readers)], 3+rng.IntN(20), 0); err != nil {
				return err
			}
			time.Sleep(betweenLooks)
		}
		return nil
	})
	testenv.Must(t, g.Wait())
}
