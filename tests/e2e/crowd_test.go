package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/readcache"
)

var (
	crowdSeed = flag.Uint64("crowd", 0, "seed of TestCrowd; 0 for a new one")
	crowdActs = flag.Int("acts", 30, "how much each person of TestCrowd does")
)

// homeTweet is a tweet in a home timeline.
type homeTweet struct {
	ID, AuthorID string
	CreatedAt    time.Time
	LikeCount    int
	ShareCount   int
	Liked        bool
	Shared       bool
	SharedBy     *struct {
		ID       string
		SharedAt time.Time
	}
}

// place is where the timeline has the tweet.
func (t homeTweet) place() time.Time {
	if t.SharedBy != nil {
		return t.SharedBy.SharedAt
	}
	return t.CreatedAt
}

// written is what is so of a tweet, by the answers that people got.
type written struct {
	by            string
	gone          bool
	shared, liked map[string]bool // by whom
}

// crowd is people who use the API at once, and what they did.
type crowd struct {
	*env
	people  []person
	follows map[string][]string // by id
	mu      sync.Mutex
	tweets  map[string]*written
	order   []string
}

// pick chooses a tweet of somebody else that was there a moment ago.
func (c *crowd) pick(rng *rand.Rand, who person) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	recent := c.order[max(0, len(c.order)-40):]
	for range 10 {
		if len(recent) == 0 {
			break
		}
		if id := recent[rng.IntN(len(recent))]; c.tweets[id].by != who.id && !c.tweets[id].gone {
			return id
		}
	}
	return ""
}

// note changes what is so.
func (c *crowd) note(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// act lets a person do something. Somebody may have deleted the tweet meanwhile: then nothing is so.
func (c *crowd) act(t testing.TB, rng *rand.Rand, who person) {
	other := c.pick(rng, who)
	path := "/v1/tweets/" + other
	did := func(request string, change func(w *written)) {
		switch a := c.do(t, who, request, nil); a.status {
		case http.StatusNoContent:
			c.note(func() { change(c.tweets[other]) })
		case http.StatusNotFound, http.StatusGone:
		default:
			t.Errorf("%s answers %d %s", request, a.status, a.body)
		}
	}
	switch n := rng.IntN(100); {
	case n < 35 || other == "":
		var made tweet
		c.do(t, who, "POST /v1/tweets", map[string]any{"content": fmt.Sprint("a spark of ", n)}).
			want(t, http.StatusCreated, &made)
		c.note(func() {
			c.tweets[made.ID] = &written{by: who.id, shared: map[string]bool{}, liked: map[string]bool{}}
			c.order = append(c.order, made.ID)
		})
	case n < 60:
		did("PUT "+path+"/share", func(w *written) { w.shared[who.id] = true })
	case n < 70:
		did("DELETE "+path+"/share", func(w *written) { delete(w.shared, who.id) })
	case n < 82:
		did("PUT "+path+"/like", func(w *written) { w.liked[who.id] = true })
	case n < 87:
		did("DELETE "+path+"/like", func(w *written) { delete(w.liked, who.id) })
	case n < 92:
		own := ""
		c.note(func() {
			for _, id := range c.order {
				if w := c.tweets[id]; w.by == who.id && !w.gone && rng.IntN(3) == 0 {
					own, w.gone = id, true
				}
				if own != "" {
					break
				}
			}
		})
		if own != "" {
			c.remove(t, who, "/v1/tweets/"+own)
		}
	default: // a walk while others share, post and delete
		seen := map[string]bool{}
		for _, page := range all[homeTweet](t, c.env, who, "/v1/timeline", 1+rng.IntN(12)) {
			for _, tw := range page {
				if seen[tw.ID] {
					t.Errorf("%s meets %s twice on a walk while others write", who.name, tw.ID)
				}
				seen[tw.ID] = true
			}
		}
	}
}

// Ten people use the API at once, at random: they post, share, like, take back, delete and read. When every event was
// handled, each home timeline has by pages of every size what its reader should see, once, at the
// newest share of somebody whom the reader follows or at its own time; and every count is what
// people did.
func TestCrowd(t *testing.T) {
	testenv.Slow(t, "ten people who act at random through HTTP")
	t.Parallel()
	seed := *crowdSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-crowd %d", seed)
	c := &crowd{env: newEnv(t), follows: map[string][]string{}, tweets: map[string]*written{}}
	for n := range 10 {
		c.people = append(c.people, c.join(t, fmt.Sprintf("person%d", n)))
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for n, who := range c.people {
		for _, k := range rng.Perm(len(c.people))[:4] {
			if k != n {
				c.follow(t, who, c.people[k])
				c.follows[who.id] = append(c.follows[who.id], c.people[k].id)
			}
		}
	}
	c.idle(t)
	var acting sync.WaitGroup
	for n, who := range c.people {
		acting.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(n+1)))
			for range *crowdActs {
				c.act(t, rng, who)
			}
		})
	}
	acting.Wait()
	if t.Failed() {
		return
	}
	c.idle(t)
	time.Sleep(readcache.Every + time.Second) // pages have counts that are so old
	shown := 0
	for n, who := range c.people {
		shown += c.compare(t, who, n)
	}
	if shown < 10**crowdActs {
		t.Errorf("ten timelines have %d tweets: that shows little", shown)
	}
	t.Logf("%d tweets, %d on ten timelines", len(c.tweets), shown)
}

// compare reads somebody's home timeline by pages of several sizes. It returns how many tweets are there.
func (c *crowd) compare(t *testing.T, who person, n int) int {
	sharers := func(w *written) (some []string) {
		for by := range w.shared {
			if slices.Contains(c.follows[who.id], by) {
				some = append(some, by)
			}
		}
		return some
	}
	var want []string
	for id, w := range c.tweets {
		if !w.gone && (w.by == who.id || slices.Contains(c.follows[who.id], w.by) || len(sharers(w)) > 0) {
			want = append(want, id)
		}
	}
	slices.Sort(want)
	sizes := []int{3, 7, 20, 100}
	if n < 2 {
		sizes = append(sizes, 1)
	}
	var first []string
	for _, size := range sizes {
		var got []string
		last := time.Now().Add(time.Hour)
		for _, page := range all[homeTweet](t, c.env, who, "/v1/timeline", size) {
			for _, tw := range page {
				got = append(got, tw.ID)
				w := c.tweets[tw.ID]
				if w == nil {
					continue // the lists differ
				}
				if tw.place().After(last) {
					t.Errorf("%s, by pages of %d: %s is out of order", who.name, size, tw.ID)
				}
				last = tw.place()
				if some := sharers(w); (tw.SharedBy != nil) != (len(some) > 0) || tw.SharedBy != nil &&
					!slices.Contains(some, tw.SharedBy.ID) {
					t.Errorf("%s, by pages of %d: %s is shared by %+v, want one of %v", who.name, size, tw.ID, tw.SharedBy, some)
				}
				have := [...]any{tw.LikeCount, tw.ShareCount, tw.Liked, tw.Shared}
				if is := [...]any{len(w.liked), len(w.shared), w.liked[who.id], w.shared[who.id]}; have != is {
					t.Errorf("%s: %s has %v, want %v", who.name, tw.ID, have, is)
				}
			}
		}
		if first == nil {
			first = slices.Clone(got)
		}
		same(t, who.name+", by pages of "+strconv.Itoa(size)+" as by pages of "+strconv.Itoa(sizes[0]), got, first)
		slices.Sort(got)
		same(t, who.name+", by pages of "+strconv.Itoa(size), got, want)
	}
	count := 0
	for _, w := range c.tweets {
		if w.by == who.id && !w.gone {
			count++
		}
	}
	same(t, "tweets of "+who.name, c.user(t, who).TweetCount, count)
	return len(want)
}
