package simulate

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestCrowd(t *testing.T) {
	t.Parallel()
	c, sum := newCrowd(1_000, 12, 1), 0
	for i, follows := range c.follows {
		if len(follows) < 6 || len(follows) > 18 || slices.Contains(follows, int32(i)) {
			t.Fatalf("user %d follows %v", i, follows)
		}
		sum += len(follows)
	}
	if mean := float64(sum) / 1_000; !near(mean, 12, 0.03) {
		t.Errorf("a user follows %.2f on average, want about 12", mean)
	}
	if c.followers[0] < 10*c.followers[900] || len(c.readers) != 1_000 {
		t.Errorf("%d and %d followers, %d readers", c.followers[0], c.followers[900], len(c.readers))
	}

	few := newCrowd(1_000, 600, 1)
	if len(few.readers) != 4 || len(few.follows[125]) < 300 || len(few.follows[126]) > 18 {
		t.Errorf("%d readers, who follow %d; others follow %d", len(few.readers), len(few.follows[125]),
			len(few.follows[126]))
	}
	if again := newCrowd(1_000, 600, 1); !slices.Equal(again.follows[125], few.follows[125]) {
		t.Error("the same seed gives another crowd")
	}
}

// A page has the newest items of the followed authors and of the reader, each tweet once, at its newest item. A
// reader's own shares are not there.
func TestPage(t *testing.T) {
	t.Parallel()
	c := &crowd{follows: [][]int32{{1, 2}, {}, {}, {}}, items: make([][]item, 4), heads: make([]history, 4)}
	c.post(0, 1*time.Second) // tweet 0
	c.post(1, 2*time.Second) // tweet 1
	c.post(3, 3*time.Second) // tweet 2, of a stranger
	c.add(2, item{4 * time.Second, 2, true})
	c.add(1, item{5 * time.Second, 2, true})
	c.add(0, item{6 * time.Second, 1, true})
	var got []entry
	got = c.page(0, got)
	want := []entry{
		{item{5 * time.Second, 2, true}, 1}, {item{2 * time.Second, 1, false}, 1}, {item{1 * time.Second, 0, false}, 0},
	}
	if !slices.Equal(got, want) {
		t.Errorf("page(0) = %v, want %v", got, want)
	}
	if authors := authorsOf(got); !slices.Equal(authors, []int32{1, 0}) {
		t.Errorf("authorsOf(%v) = %v, want [1 0]", got, authors)
	}
	for i := range 100 {
		c.post(int32(1+i%2), time.Duration(10+i)*time.Second)
	}
	if got = c.page(0, got); len(got) != page || got[0].at != 109*time.Second || got[19].at != 90*time.Second {
		t.Errorf("a full page has %d items from %v to %v, want 20 from 1m49s to 1m30s", len(got), got[0].at, got[19].at)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	h := never
	for _, at := range []time.Duration{1000, 1500, 2500, 3500, 4600} {
		h.change(at * time.Millisecond)
	}
	tests := []struct {
		after, before time.Duration // ms
		want          bool
	}{
		{4000, 5000, true}, {4600, 5000, false}, {3000, 4000, true}, {3500, 4600, false}, {2000, 3000, true},
		{0, 2000, false},
	}
	for _, test := range tests {
		if got := h.since(test.after*time.Millisecond, test.before*time.Millisecond); got != test.want {
			t.Errorf("since(%d ms, %d ms) = %v, want %v", test.after, test.before, got, test.want)
		}
	}
}

// The list holds what a plain list of keys, the last used first, holds.
func TestLRU(t *testing.T) {
	t.Parallel()
	r, l := rand.New(rand.NewPCG(1, 1)), newLRU(5)
	var plain []int32
	for i := range 10_000 {
		key := int32(r.IntN(12))
		_, ok := l.get(key)
		if want := slices.Contains(plain, key); ok != want {
			t.Fatalf("step %d: get(%d) = %v, want %v of %v", i, key, ok, want, plain)
		}
		plain = slices.DeleteFunc(plain, func(k int32) bool { return k == key })
		if !ok && r.IntN(2) == 0 {
			continue
		}
		l.add(key, time.Duration(i))
		if read, _ := l.get(key); read != time.Duration(i) {
			t.Fatalf("step %d: %d was read at %d", i, key, read)
		}
		plain = slices.Insert(plain, 0, key)
		plain = plain[:min(5, len(plain))]
	}
}

func TestDigests(t *testing.T) {
	t.Parallel()
	var d digests
	for _, n := range []struct {
		writer int
		ms     time.Duration
	}{{0, 100}, {0, 900}, {1, 950}, {0, 1_000}, {70, 5_500}} {
		d.note(n.writer, n.ms*time.Millisecond)
	}
	for _, test := range []struct {
		ms   time.Duration
		want int32
	}{{900, 0}, {1_000, 2}, {1_999, 2}, {2_000, 3}, {5_999, 3}, {6_000, 4}, {100_000, 4}} {
		if got := d.until(test.ms * time.Millisecond); got != test.want {
			t.Errorf("until(%d ms) = %d, want %d", test.ms, got, test.want)
		}
	}
	if got, want := (poll{at: 3_700 * time.Millisecond}).visible(), 3*time.Second; got != want {
		t.Errorf("visible() = %v, want %v", got, want)
	}
}
