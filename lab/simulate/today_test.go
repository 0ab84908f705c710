package simulate

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// realCache is the API's cache of tweets over a list of changes, as in lab/cost/cache.go. What it keeps of a tweet is
// when the tweet was read.
type realCache struct {
	*readcache.Fresh[int32, time.Time]
	changes []change
	now     time.Time
	reads   float64
}

func clock(at time.Duration) time.Time { return time.Unix(0, 0).Add(at) }

func newRealCache(t *testing.T) *realCache {
	c := &realCache{}
	now := func() time.Time { return c.now }
	read := func(_ context.Context, tweets []int32) (map[int32]time.Time, error) {
		all := make(map[int32]time.Time, len(tweets))
		for _, tweet := range tweets {
			all[tweet] = c.now
		}
		c.reads += float64(len(tweets))
		return all, nil
	}
	weigh := func(time.Time) int { return tweetBytes - 300 }
	c.Fresh = readcache.NewFresh(readcache.New(now, cacheTTL, store.TweetBytes(model.CacheBytes), weigh, read),
		readcache.Source[int32, time.Time]{
			Now:     now,
			Version: func(read time.Time) readcache.Version { return readcache.Version{Read: read} },
			Changed: func(_ context.Context, since time.Time) (map[int32]time.Time, error) {
				all := map[int32]time.Time{}
				for n := len(c.changes) - 1; n >= 0 && clock(c.changes[n].at).After(since) && len(all) < readcache.Limit; n-- {
					all[c.changes[n].tweet] = c.now
				}
				c.reads += max(1, float64(len(all)))
				return all, nil
			},
			Removed: func(context.Context, time.Time) ([]int32, error) { c.reads++; return nil, nil },
			Outdated: func(context.Context, time.Time) (func(time.Time) bool, bool, error) {
				c.reads++
				return nil, false, nil
			},
			Failed: func(err error) { t.Error(err) },
		})
	c.Patience = time.Minute
	return c
}

// today reads about as much as the real cache, with few changes, and with more than the cache follows.
func TestToday(t *testing.T) {
	t.Parallel()
	for _, changesASecond := range []int{1, 20, 80} {
		r, c, s := rand.New(rand.NewPCG(1, 1)), newRealCache(t), newToday(1)
		var got float64
		for second := range 1_200 {
			at := time.Hour + time.Duration(second)*time.Second
			for i := range changesASecond {
				ch := change{int32(r.IntN(3_000)), at + time.Duration(i)*time.Millisecond}
				c.changes = append(c.changes, ch)
				s.change(ch.tweet, ch.at)
			}
			at += 500 * time.Millisecond
			entries, tweets := make([]entry, page), make([]int32, page)
			for i, tweet := range r.Perm(1_000)[:page] {
				entries[i].tweet, tweets[i] = int32(tweet), int32(tweet)
			}
			c.now = clock(at)
			_, err := c.Get(t.Context(), tweets)
			testenv.Must(t, err)
			got += s.show(0, nil, 0, entries, at)
		}
		if !near(got, c.reads, 0.01) {
			t.Errorf("%d changes a second: %.0f reads, and %.0f of the real cache", changesASecond, got, c.reads)
		}
	}
}

// A share costs five access checks, which are cached for two seconds.
func TestAccessChecks(t *testing.T) {
	t.Parallel()
	c, s := &crowd{authors: []int32{7}}, newToday(1)
	shared := []entry{{item{tweet: 0, share: true}, 3}}
	for _, step := range []struct {
		at   time.Duration
		want float64
	}{{time.Hour, 1 + 5}, {time.Hour + time.Second, 0}, {time.Hour + cacheTTL, 5}} {
		if got := s.show(0, c, 1, shared, step.at); got != step.want {
			t.Errorf("after %v: %v reads, want %v", step.at, got, step.want)
		}
	}
}
