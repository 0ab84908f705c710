package timelines_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// walk reads a home timeline page by page. limit gives the size of each page, and between runs between two pages.
func walk(ctx context.Context, t *testing.T, e *storetest.Env, uid model.UserID, limit func() int,
	between func()) (all []timelines.Item) {
	t.Helper()
	items, next, err := e.Timelines.Home(ctx, uid, "", "", limit())
	for pages := 1; ; pages++ {
		testenv.Must(t, err)
		if all = append(all, items...); next == "" {
			return all
		}
		if most := 36 + 1 + 4*timelines.MostShown; len(next) > most {
			t.Fatalf("a cursor has %d bytes, want %d at most", len(next), most)
		}
		if pages > 3_000 {
			t.Fatal("the timeline has no end")
		}
		between()
		items, next, err = e.Timelines.Home(ctx, uid, "", next, limit())
	}
}

// twice returns the tweets that a walk has more than once.
func twice(items []timelines.Item) (ids []model.TweetID) {
	seen := map[model.TweetID]bool{}
	for _, i := range items {
		if seen[i.ID] {
			ids = append(ids, i.ID)
		}
		seen[i.ID] = true
	}
	return ids
}

// crossroads is a home timeline with random tweets and shares, most of them in overflow documents. dan follows two
// authors and the sharers, and one of the sharers is pulled.
type crossroads struct {
	*storetest.Env
	t      *testing.T
	rng    *rand.Rand
	tweets []model.TweetID // oldest first; every third by a stranger
	shares map[[2]string]*model.Share
}

var sharers = []model.UserID{"bob", "cat", "star"}

func newCrossroads(t *testing.T, seed uint64, steps int) *crossroads {
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, EntriesPerBucket: 8, PreviewsPerBucket: 8,
		PullAbove: 1})
	c := &crossroads{Env: e, t: t, rng: rand.New(rand.NewPCG(seed, 0)), shares: map[[2]string]*model.Share{}}
	e.CreateUsers(t, "ann", "bob", "cat", "star", "stranger", "dan", "fan")
	e.Clock.Set(storetest.Date(time.October, 31))
	for _, uid := range append([]model.UserID{"ann"}, sharers...) {
		follow(t, e.Store, "dan", uid)
	}
	follow(t, e.Store, "fan", "star")
	e.Counts(t, "star", "followerCount", 2)
	for range steps {
		e.Clock.Add(20 * time.Minute) // over the end of the month
		c.act()
	}
	return c
}

// act posts, shares or withdraws a share.
func (c *crossroads) act() {
	c.t.Helper()
	switch n := c.rng.IntN(10); {
	case n < 4 || len(c.tweets) == 0:
		c.tweets = append(c.tweets, fanOut(c.t, c.Env, []model.UserID{"ann", "bob", "stranger"}[c.rng.IntN(3)], 1)[0])
	case n < 9:
		by, id := sharers[c.rng.IntN(len(sharers))], c.tweets[c.rng.IntN(len(c.tweets))]
		c.Clock.Add(time.Millisecond)
		if k := [2]string{string(by), string(id)}; c.shares[k] == nil {
			c.shares[k] = share(c.t, c.Env, by, id)
		}
	default:
		for k, l := range c.shares {
			unshare(c.t, c.Env, l)
			delete(c.shares, k)
			break
		}
	}
	for _, key := range c.IDs(c.t, model.Overflows) {
		collection, bucket, ok := cutKey(key)
		switch {
		case ok && collection == model.Timelines:
			testenv.Must(c.t, c.Timelines.Overflow(c.t.Context(), bucket))
		case ok && collection == model.ShareMonths:
			testenv.Must(c.t, c.Previews.OverflowShares(c.t.Context(), bucket))
		}
	}
}

// want is the present timeline: each tweet at the newest share, or at its own position if dan follows the author.
func (c *crossroads) want() map[model.TweetID]model.Position {
	positions := map[model.TweetID]model.Position{}
	for _, id := range c.tweets {
		snap, err := c.Raw.Doc("tweets/" + string(id)).Get(c.t.Context())
		testenv.Must(c.t, err)
		if author := snap.Data()["authorId"]; author != "stranger" {
			positions[id] = id.Position()
		}
	}
	for _, l := range c.shares {
		if at, ok := positions[l.TweetID]; !ok || l.Position().Compare(at) > 0 {
			positions[l.TweetID] = l.Position()
		}
	}
	return positions
}

func sizes(n int) func() int { return func() int { return n } }

// Tweets and shares are in overflow documents, in an earlier month and in the months of a large sharer. A walk shows
// each tweet once, at its newest position.
func TestWalkShowsEachTweetOnce(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	steps, sizes := 100, []int{2, 7, 50}
	if testenv.RunsSlow() {
		steps, sizes = 160, []int{1, 2, 7, 20, 50, 100}
	}
	c := newCrossroads(t, seed, steps)
	want := c.want()
	for _, n := range sizes {
		got := walk(t.Context(), t, c.Env, "dan", func() int { return n }, func() {})
		if again := twice(got); len(again) > 0 {
			t.Errorf("by pages of %d %d of %d tweets come again: %v", n, len(again), len(want), again)
		}
		positions := map[model.TweetID]model.Position{}
		for _, i := range got {
			if at, ok := positions[i.ID]; !ok || at.Compare(i.Position) < 0 {
				positions[i.ID] = i.Position
			}
		}
		for id, at := range want {
			if positions[id] != at {
				t.Errorf("by pages of %d tweet %s stands at %q, want %s", n, id, positions[id], at)
			}
		}
		if len(positions) != len(want) {
			t.Errorf("by pages of %d there are %d tweets, want %d", n, len(positions), len(want))
		}
	}
}

// Users share, withdraw shares and post between the pages. A walk shows no tweet twice. It leaves out no tweet that
// exists both at its beginning and at its end.
func TestWalkWhileOthersShare(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := newCrossroads(t, seed, 90)
	for range 4 {
		before := c.want()
		got := walk(t.Context(), t, c.Env, "dan", func() int { return 1 + c.rng.IntN(12) }, func() {
			for range c.rng.IntN(3) {
				c.Clock.Add(time.Second)
				c.act()
			}
		})
		if again := twice(got); len(again) > 0 {
			t.Errorf("%d of %d tweets come again: %v", len(again), len(got), again)
		}
		after := c.want()
		for id := range before {
			if _, ok := after[id]; ok && !slices.ContainsFunc(got, func(i timelines.Item) bool { return i.ID == id }) {
				t.Errorf("the walk lacks %s, which was at %s and is at %s", id, before[id], after[id])
			}
		}
	}
}

// A thousand tweets come once, each shared a thousand positions before its own. The positions that show nothing cost
// only the reads of their documents. With more shares, the tweets shown first may come again.
func TestWalkOfAThousandShares(t *testing.T) {
	t.Parallel()
	for _, n := range []int{timelines.MostShown, timelines.MostShown + 100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			walkOfShares(t, n)
		})
	}
}

func walkOfShares(t *testing.T, n int) {
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e.Store, "dan", "ann")
	follow(t, e.Store, "dan", "bob")
	one := e.Tweet(t, "ann", "a spark")
	ids := model.NewTweetIDs(e.Clock.Now)
	own, shared := make([]model.TweetID, n), make([]model.Position, n)
	b := e.Raw.BulkWriter(t.Context())
	posts := make([]model.Position, n)
	for i := range own {
		e.Clock.Add(time.Millisecond)
		own[i] = ids.Next("ann")
		posts[i] = own[i].Position()
		tweet := *one
		tweet.ID, tweet.CreatedAt, tweet.RootID = own[i], own[i].Time(), own[i]
		_, err := b.Set(e.Raw.Doc("tweets/"+string(own[i])), tweet)
		testenv.Must(t, err)
	}
	put := func(name string, from int, positions []model.Position) (months []map[string]any) {
		for i, part := range slices.Collect(slices.Chunk(positions, 150)) {
			items := map[string]any{}
			for _, p := range part {
				items[string(p)] = map[bool]string{true: "bob", false: "ann"}[p.IsShare()]
			}
			page := fmt.Sprint(from + i)
			_, err := b.Set(e.Raw.Doc("timelines/dan_2026-11_"+page), map[string]any{"pageOf": "dan", name: items})
			testenv.Must(t, err)
			months = append(months, map[string]any{page: map[string]any{"oldest": part[0], "newest": part[len(part)-1],
				"size": len(part)}})
		}
		return months
	}
	for i := range shared {
		e.Clock.Add(time.Millisecond)
		l := model.Share{UserID: "bob", TweetID: own[i], AuthorID: "ann", CreatedAt: e.Clock.Now(), ShareID: ids.Next("bob")}
		shared[i] = l.Position()
		_, err := b.Set(e.Raw.Doc("shares/"+model.ReactionKey("bob", own[i])), l)
		testenv.Must(t, err)
	}
	pages := map[string]any{}
	for _, page := range append(put("entries", 1, posts), put("shares", 100, shared)...) {
		for name, p := range page {
			pages[name] = p
		}
	}
	_, err := b.Set(e.Raw.Doc("timelines/dan_2026-11"), map[string]any{"userId": "dan", "month": "2026-11",
		"pages": pages})
	testenv.Must(t, err)
	b.End()
	e.Clock.Add(time.Second)
	for _, size := range []int{100, 20} {
		bill := meter.New()
		got := walk(meter.With(t.Context(), bill), t, e, "dan", sizes(size), func() {})
		for i, item := range got[:n] {
			if want := shared[n-1-i]; item.Position != want {
				t.Fatalf("by pages of %d item %d stands at %s, want %s", size, i, item.Position, want)
			}
		}
		again := twice(got)
		if least, most := min(1, n-timelines.MostShown), n-timelines.MostShown; len(again) < least || len(again) > most {
			t.Errorf("by pages of %d %d tweets come again, want from %d to %d", size, len(again), least, most)
		}
		for i, item := range got {
			if earlier := slices.IndexFunc(got, func(o timelines.Item) bool { return o.ID == item.ID }); earlier < i &&
				i-earlier < timelines.MostShown {
				t.Errorf("by pages of %d %s comes again after %d tweets", size, item.ID, i-earlier)
			}
		}
		// For each share: the tweet, the share, the relationship, whether the sharer is muted, two blocks. For each page: the
		// two months and an overflow document.
		if most := int64(6*n + 2*n + (n/10+20)*4); bill.Reads() > most {
			t.Errorf("by pages of %d the walk costs %d reads, want %d at most", size, bill.Reads(), most)
		}
		t.Logf("by pages of %d the walk costs %d reads", size, bill.Reads())
	}
}
