package timelines_test

import (
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

// Users share, withdraw shares, post and delete between the pages. A walk shows no tweet twice. It leaves out no tweet
// that exists both at its beginning and at its end.
func TestWalkWhileOthersShare(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w := newWorld(t, seed, false)
	for range 120 {
		w.Clock.Add(20 * time.Minute)
		w.act()
	}
	for range 4 {
		before := w.want("dan")
		got := pages(t, w.Store, "dan", func() int { return 1 + w.rng.IntN(12) }, func() {
			for range w.rng.IntN(3) {
				w.Clock.Add(forget)
				w.act()
			}
		})
		if again := twice(got); len(again) > 0 {
			t.Errorf("%d of %d tweets come again: %v", len(again), len(got), again)
		}
		after := w.want("dan")
		for _, is := range before {
			still := slices.ContainsFunc(after, func(i shown) bool { return i.ID == is.ID })
			if still && !slices.ContainsFunc(got, func(i timelines.Item) bool { return i.ID == is.ID }) {
				t.Errorf("the walk lacks %s, which was at %s", is.ID, is.Position)
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
	e := storetest.Open(t, store.Options{})
	s, now := newSeeds(t, e), e.Clock.Now().Add(-time.Hour)
	posts, shares := make([]model.Position, n), make([]model.Position, n)
	for i := range n {
		posts[i] = s.tweet("ann", now.Add(time.Duration(i)*time.Millisecond), model.Public).Position()
	}
	for i := range n {
		shares[i] = s.share("bob", now.Add(time.Duration(n+i)*time.Millisecond), posts[i].Tweet())
	}
	s.head("ann", now.Add(time.Duration(n)*time.Millisecond))
	s.head("bob", now.Add(time.Duration(2*n)*time.Millisecond))
	s.month("ann", posts, nil, nil)
	s.month("bob", nil, nil, shares)
	s.follows("dan", now, "ann", "bob")
	for _, size := range []int{100, 20} {
		e.Clock.Add(forget)
		bill, of := meter.New(), 0
		got := []timelines.Item{}
		for from := timelines.Cursor(""); of == 0 || from != ""; of++ {
			items, next, _, err := e.Timelines.Home(meter.With(t.Context(), bill), "dan", "", from, size)
			testenv.Must(t, err)
			got, from = append(got, items...), next
		}
		for i, item := range got[:n] {
			if want := shares[n-1-i]; item.Position != want {
				t.Fatalf("by pages of %d item %d stands at %s, want %s", size, i, item.Position, want)
			}
		}
		again := twice(got)
		if least, most := min(1, n-timelines.MostShown), n-timelines.MostShown; len(again) < least || len(again) > most {
			t.Errorf("by pages of %d %d tweets come again, want from %d to %d", size, len(again), least, most)
		}
		last := map[model.TweetID]int{}
		for i, item := range got {
			if before, ok := last[item.ID]; ok && i-before < timelines.MostShown {
				t.Errorf("by pages of %d %s comes again after %d tweets", size, item.ID, i-before)
			}
			last[item.ID] = i
		}
		// For each share the tweet and the share; for each page the graph and the reactions; the heads and months.
		if most := int64(2*(n+len(again)) + 2*of + 20); bill.Reads() > most {
			t.Errorf("by pages of %d the walk costs %d reads, want %d at most", size, bill.Reads(), most)
		}
	}
}
