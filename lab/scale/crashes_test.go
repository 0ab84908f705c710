package scale_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// crashes ends, after some of the writes, all functions that run, as if their process
// had ended just then: what they would have written next is not written, and their events are
// not answered.
type crashes struct {
	mu      sync.Mutex
	rng     *rand.Rand
	left    int // so many more crashes
	happen  int
	running map[int]context.CancelFunc
	next    int
}

// between is about how many writes there are from one crash to the next.
const between = 12

func (c *crashes) wrote(string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 || len(c.running) == 0 || c.rng.IntN(between) > 0 {
		return
	}
	c.left--
	c.happen++
	for _, cancel := range c.running {
		cancel()
	}
}

// around is what stands in front of the functions.
func (c *crashes) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		c.mu.Lock()
		n := c.next
		c.next++
		c.running[n] = cancel
		c.mu.Unlock()
		next.ServeHTTP(w, r.WithContext(ctx))
		c.mu.Lock()
		delete(c.running, n)
		c.mu.Unlock()
		if ctx.Err() != nil {
			panic(http.ErrAbortHandler) // nothing has been answered
		}
	})
}

// TestCrashes lets functions end between any two writes, while authors with many followers write, are followed and
// left, and their months overflow.
func TestCrashes(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	e := start(t, store.Options{PreviewsPerBucket: 12, WriteEvery: 50 * time.Millisecond,
		FlushAfter: 50 * time.Millisecond}, eventarc.Faults{Duplicate: 2, Delay: 100 * time.Millisecond, Drop: 0.1},
		func(e *env) { e.clock.set(time.Date(2026, time.March, 15, 12, 0, 0, 0, time.UTC)) })
	readers, authors := names("reader", 12), names("author", 2)
	e.users(t, append(readers, authors...)...)
	for _, author := range authors {
		e.tweets(t, author, model.RecentTweets+5)
	}
	e.idle(t)
	c := &crashes{rng: rand.New(rand.NewPCG(e.rng.Uint64(), 0)), left: 40, running: map[int]context.CancelFunc{}}
	e.writes.hook(c.wrote)
	e.front(t, c.around)
	for _, many := range []bool{true, false, true} {
		e.traffic(t, func(ctx context.Context, rng *rand.Rand) error { return e.crowd(ctx, rng, readers, authors, many) },
			authors, 5, readers[:5])
	}
	e.idle(t)
	c.mu.Lock()
	c.left = 0
	c.mu.Unlock()
	t.Logf("%d crashes, %d attempts repeated", c.happen, e.Runner.Stats().Retried)
	if c.happen == 0 {
		t.Error("nothing crashed")
	}
	for _, author := range authors {
		e.checkFollows(t, readers, author)
	}
	e.audit(t, readers)
	e.checkOverflow(t)
}
