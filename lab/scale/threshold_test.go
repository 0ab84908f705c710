package scale_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestThreshold moves authors across the number of followers above which their tweets
// are pulled, up and down, through several months, while they write and everybody reads.
func TestThreshold(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	tests := []struct {
		name string
		o    store.Options
	}{
		{"small buckets", store.Options{PullAbove: 5, EntriesPerBucket: 30, PreviewsPerBucket: 12}},
		{"hashed pages", store.Options{PullAbove: 5, FollowersPerPage: 5}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testThreshold(t, test.o)
		})
	}
}

func testThreshold(t *testing.T, o store.Options) {
	o.WriteEvery, o.FlushAfter = 50*time.Millisecond, 50*time.Millisecond
	e := start(t, o, eventarc.Faults{Duplicate: 2, Delay: 200 * time.Millisecond, Drop: 0.05}, func(e *env) {
		e.clock.set(time.Date(2026, time.March, 13, 12, 0, 0, 0, time.UTC))
	})
	readers, authors := names("reader", 8), names("author", 2)
	e.users(t, append(readers, authors...)...)
	for _, author := range authors {
		e.tweets(t, author, model.RecentTweets+5)
	}
	e.idle(t)
	const (
		rounds   = 4 // ten days each: both months see the threshold crossed both ways
		perRound = 5
	)
	for round := range rounds {
		many := round%2 == 0
		e.traffic(t, func(ctx context.Context, rng *rand.Rand) error { return e.crowd(ctx, rng, readers, authors, many) },
			authors, perRound, readers)
		e.idle(t)
		if many { // the tweets of the traffic may have been faster than the followers
			for _, author := range authors {
				e.tweets(t, author, 1)
			}
		} else {
			e.audit(t, readers)
		}
		e.clock.add(10*24*time.Hour + time.Duration(e.rng.IntN(24))*time.Hour)
	}
	e.traffic(t, func(context.Context, *rand.Rand) error { return nil }, authors, perRound, readers)
	e.idle(t)
	e.audit(t, readers)
	e.checkProvoked(t, o)
}

// checkProvoked looks that the limits were low enough: pages of followers were split, authors
// pulled, and buckets overflow.
func (e *env) checkProvoked(t *testing.T, o store.Options) {
	t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	const split, pulled = "no followers are on hashed pages", "no author was pulled"
	want[split], want[pulled] = o.FollowersPerPage > 0, o.PullAbove > 0
	testenv.Must(t, e.each(t.Context(), model.FollowerPages, func(snap *firestore.DocumentSnapshot) error {
		pages, _ := snap.Data()["pages"].(int64)
		months, _ := snap.Data()["pulledMonths"].(map[string]any)
		got[split], got[pulled] = got[split] || pages > 0, got[pulled] || len(months) > 0
		return nil
	}))
	for collection, limit := range map[string]int{model.Timelines: o.EntriesPerBucket,
		model.TweetMonths: o.PreviewsPerBucket} {
		spilled := "nothing overflowed in " + collection
		want[spilled] = limit > 0
		testenv.Must(t, e.each(t.Context(), collection, func(snap *firestore.DocumentSnapshot) error {
			pages, _ := snap.Data()["pages"].(map[string]any)
			got[spilled] = got[spilled] || len(pages) > 0
			return nil
		}))
	}
	for what := range want {
		if want[what] && !got[what] {
			t.Error(what)
		}
	}
}

// crowd makes most of the readers follow each author, or stop to: so many that the
// threshold is crossed. Some change their minds again and again.
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
