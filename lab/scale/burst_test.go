package scale_test

import (
	"cmp"
	"context"
	"flag"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var followers = flag.Int("followers", 100, "how many users begin to follow one author at once; every other one "+
	"leaves again")

// TestBurst lets an author become popular and lose half of it again, while writing.
func TestBurst(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	e := start(t, store.Options{}, eventarc.Faults{Duplicate: 2, Delay: 300 * time.Millisecond})
	fans := names("fan", *followers)
	e.users(t, append(fans, "ann")...)
	e.tweets(t, "ann", model.RecentTweets+5)
	e.idle(t)

	const tweets = 12
	var steps atomic.Int64 // of followers
	g, ctx := errgroup.WithContext(t.Context())
	for w := range workers {
		mine := fans[w*len(fans)/workers : (w+1)*len(fans)/workers]
		g.Go(func() error {
			for i, fan := range mine {
				if err := e.follow(ctx, fan, "ann"); err != nil {
					return err
				}
				steps.Add(1)
				if i%2 == 1 { // somebody who came a while ago leaves
					if err := e.unfollow(ctx, mine[i/2], "ann"); err != nil {
						return err
					}
					steps.Add(1)
				}
			}
			return nil
		})
	}
	total := int64(len(fans) + len(fans)/2 - workers) // at least
	g.Go(func() error {
		for i := int64(0); i < tweets && ctx.Err() == nil; {
			if steps.Load() < total*i/tweets {
				time.Sleep(time.Millisecond)
				continue
			}
			i++
			if _, err := e.tweet(ctx, "ann"); err != nil {
				return err
			}
		}
		return nil
	})
	begun := time.Now()
	testenv.Must(t, g.Wait())
	came := time.Since(begun)
	e.idle(t)
	t.Logf("%d steps of %d followers in %.1f s, done with after %.1f s", steps.Load(), len(fans), came.Seconds(),
		time.Since(begun).Seconds())

	e.checkFollows(t, fans, "ann")
	e.audit(t, fans)
	e.checkJoined(t)
}

// checkJoined checks that what many change at once is written about once a second.
func (e *env) checkJoined(t *testing.T) {
	t.Helper()
	rates := e.logRates(t)
	for kind, most := range map[string]int{
		model.TweetMonths + "/*": mostWrites,
		model.Heads + "/*":       mostWrites,
	} {
		if r := rates[kind]; r.most == 0 || r.most > most {
			t.Errorf("%s is written %d times in one second, want 1 to %d times", cmp.Or(r.document, kind), r.most, most)
		}
	}
}

// checkFollows compares the counts of an author and their followers with the relationships.
func (e *env) checkFollows(t *testing.T, fans []model.UserID, author model.UserID) {
	t.Helper()
	now, err := e.world(t.Context())
	testenv.Must(t, err)
	var following int64
	inParallel(t, len(fans), func(ctx context.Context, i int) error {
		u, err := e.Store.Users.User(ctx, fans[i])
		if err != nil {
			return err
		}
		if n := int64(len(now.follows[fans[i]])); u.FollowedCount != n {
			t.Errorf("followedCount of %s = %d, want %d", u.ID, u.FollowedCount, n)
		}
		return nil
	})
	for _, rels := range now.follows {
		for _, rel := range rels {
			if rel.FollowedID == author {
				following++
			}
		}
	}
	u, err := e.Store.Users.User(t.Context(), author)
	testenv.Must(t, err)
	if u.FollowerCount != following {
		t.Errorf("followerCount of %s = %d, want %d", author, u.FollowerCount, following)
	}
}
