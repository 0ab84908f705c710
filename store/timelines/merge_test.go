package timelines_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// Authors have more posts than a head in each of two months. A page goes on from head to month and from month to month.
// Two authors whose month ends are closed at one position, and each costs a read.
func TestHeadsEndInMonths(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 60})
	e.CreateUsers(t, "ann", "bob", "cat")
	e.Clock.Set(storetest.Date(time.November, 30))
	follow(t, e, "bob", "ann", "cat")
	var want []model.TweetID
	for _, date := range []time.Time{storetest.Date(time.November, 30), storetest.Date(time.December, 1)} {
		e.Clock.Set(date.Add(time.Hour))
		for range 3 {
			e.Clock.Add(time.Minute)
			want = slices.Concat(deliver(t, e, "ann", 8), want)
			e.Clock.Add(time.Minute)
			want = slices.Concat(deliver(t, e, "cat", 8), want)
		}
	}
	e.Clock.Add(time.Minute)
	want = slices.Concat(deliver(t, e, "ann", 20), want)
	for _, n := range []int{3, 20, 100} {
		if got := home(t, e, "bob", n); !slices.Equal(got, want) {
			t.Errorf("by pages of %d: %v, want %v", n, got, want)
		}
	}
	e.Clock.Add(forget)
	_, _, _, err := e.Timelines.Home(t.Context(), "bob", "", "", 100)
	testenv.Must(t, err)
	e.Clock.Add(2 * forget)
	last := timelines.Cursor(want[len(want)-2])
	// The graph, the reactions of two months, a query for changes of heads and one for tweets, and a month of both
	// authors.
	testenv.Must(t, storetest.Costs(t, "the last page", 1+2+2+2, 0, 0, func(ctx context.Context) error {
		items, next, _, err := e.Timelines.Home(ctx, "bob", "", last, 20)
		if len(items) != 1 || next != "" {
			t.Errorf("the last page has %v, and a next one %q", items, next)
		}
		return err
	}))
}

// A reader follows more authors than a page opens months of at once. The walk ends, and until there it lacks nothing.
func TestMoreAuthorsThanMonths(t *testing.T) {
	t.Parallel()
	const n, together = 220, 200
	e := storetest.Open(t, store.Options{})
	s, now := newSeeds(t, e), e.Clock.Now()
	var all []model.TweetID
	for i, author := range authors(n) {
		at := now.Add(-time.Duration(i+1) * 20 * time.Second)
		newest, older := s.tweet(author, at, model.Public), s.tweet(author, at.Add(-10*time.Second), model.Public)
		s.head(author, at, newest.Position())
		s.month(author, []model.Position{newest.Position(), older.Position()}, nil, nil)
		all = append(all, newest, older)
	}
	s.follows("bob", now.Add(-20*24*time.Hour), authors(n)...)
	if got := home(t, e, "bob", 100); !slices.Equal(got, all[:len(got)]) || len(got) < 2*together ||
		len(got) > 2*together+40 {
		t.Errorf("%d tweets, want the newest %d", len(got), 2*together)
	}
}

// A page ends where the months of more authors would be opened, and the next page goes on.
func TestPageIsCut(t *testing.T) {
	t.Parallel()
	const n = 55
	e := storetest.Open(t, store.Options{})
	s := newSeeds(t, e)
	since := storetest.Date(time.November, 2)
	var all [3][]model.TweetID
	for i, author := range authors(n) {
		var ids [3]model.TweetID
		for part, date := range []time.Time{since, storetest.Date(time.November, 1), storetest.Date(time.October, 30)} {
			ids[part] = s.tweet(author, date.Add(-time.Duration(i)*time.Minute), model.Public)
			all[part] = append(all[part], ids[part])
		}
		s.head(author, since.Add(-time.Hour), ids[0].Position())
		s.month(author, []model.Position{ids[0].Position(), ids[1].Position()}, nil, nil)
		s.month(author, []model.Position{ids[2].Position()}, nil, nil)
	}
	s.follows("bob", storetest.Date(time.October, 1), authors(n)...)
	want := slices.Concat(all[0], all[1], all[2])
	for _, limit := range []int{1, 5, 20, 100} {
		if got := home(t, e, "bob", limit); !slices.Equal(got, want) {
			t.Errorf("by pages of %d: %d tweets, want %d", limit, len(got), len(want))
		}
	}
	border := model.Month("2026-11").Oldest().Position()
	items, next, _, err := e.Timelines.Home(t.Context(), "bob", border, timelines.Cursor(all[1][n-2]), 20)
	if err != nil || len(items) != 1 || next != "" {
		t.Errorf("the page above a position has %v, %q, %v, want one tweet", items, next, err)
	}
}

// A reader follows many authors who posted before. Each page counts the posts from before the follow, also those above
// the page. Where this needs the months of too many authors, the walk ends, and no page begins above another.
func TestCutAboveThePage(t *testing.T) {
	t.Parallel()
	const n = 103
	e := storetest.Open(t, store.Options{})
	s, now := newSeeds(t, e), e.Clock.Now()
	var all []model.TweetID
	for i, author := range authors(n) {
		at := now.Add(-time.Hour - time.Duration(i)*time.Minute)
		newest := s.tweet(author, at, model.Public)
		older := s.tweet(author, at.Add(-9*time.Hour), model.Public)
		s.head(author, at, newest.Position())
		s.month(author, []model.Position{newest.Position(), older.Position()}, nil, nil)
		all = append(all, newest)
	}
	s.follows("bob", now, authors(n)...)
	if got := home(t, e, "bob", 20); len(got) < 100 || !slices.Equal(got, all[:len(got)]) {
		t.Errorf("the walk has %d tweets, want the newest 100", len(got))
	}
}

// Authors without a head have their posts in months alone. One request opens the months of all.
func TestAuthorsWithoutHead(t *testing.T) {
	t.Parallel()
	const n = 10
	var requests atomic.Int64
	count := meter.Options{BelowReads: func(ctx context.Context, desc *grpc.StreamDesc,
		conn *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		requests.Add(1)
		return open(ctx, desc, conn, method, opts...)
	}}
	e := storetest.Open(t, store.Options{})
	s, now := newSeeds(t, e), e.Clock.Now()
	var want []model.TweetID
	for i, author := range authors(n) {
		at := now.Add(30*time.Minute - time.Duration(i)*time.Minute) // the clock of their process was ahead
		want = append(want, s.tweet(author, at, model.Public))
		s.month(author, []model.Position{want[i].Position()}, nil, nil)
	}
	s.follows("bob", now.Add(-time.Hour), authors(n)...)
	ticking := e.Again(t, store.Options{Meter: count, Now: func() time.Time { // as a clock does
		e.Clock.Add(time.Millisecond)
		return e.Clock.Now()
	}})
	if got := idsOf(pages(t, ticking, "bob", sizes(20), func() {})); !slices.Equal(got, want) {
		t.Errorf("without heads: the timeline has %v, want %v", got, want)
	}
	// The graph, the reactions, the heads, two months, and the tweets.
	if most := int64(6); requests.Load() > most {
		t.Errorf("the page makes %d requests, want %d at most", requests.Load(), most)
	}
	wantHome(t, "in a later page", e, "bob", want)
	testenv.Must(t, e.Previews.RebuildHead(t.Context(), "author000"))
	e.Clock.Add(40 * time.Minute)
	wantHome(t, "a head was written", e, "bob", want)
}

// A page reads at most so many documents beyond the heads: 105 of tweets, likes and shares, and three months of all
// authors at its begin, and of 100 further down.
func TestReadsOfPage(t *testing.T) {
	t.Parallel()
	const n, most = 100, 2 + 105 + 3*100 + 3*100
	e := storetest.Open(t, store.Options{})
	s, now := newSeeds(t, e), e.Clock.Now()
	e.CreateUsers(t, "stranger")
	var want []model.Position
	for i, author := range authors(n) {
		at := now.Add(-time.Duration(i+1) * time.Minute)
		newest := s.tweet(author, at, model.Public)
		open := s.tweet(author, at.Add(-5*time.Hour), model.Public)
		secret := s.tweet(author, at.Add(-5*time.Hour-time.Second), model.Followers)
		shared := s.share(author, at.Add(-5*time.Hour-2*time.Second),
			s.tweet("stranger", at.Add(-24*time.Hour), model.Public))
		s.head(author, at, newest.Position())
		s.month(author, []model.Position{open.Position()}, []model.Position{secret.Position()}, []model.Position{shared})
		want = append(want, newest.Position(), open.Position(), secret.Position(), shared)
	}
	s.follows("bob", now.Add(-20*24*time.Hour), authors(n)...)
	slices.SortFunc(want, func(a, b model.Position) int { return b.Compare(a) })
	_, _, _, err := e.Timelines.Home(t.Context(), "bob", "", "", 1) // reads the heads
	testenv.Must(t, err)
	dearest := int64(0)
	for _, begin := range []int{-1, 60, 99, 150, 250, 350, 398} {
		from := timelines.Cursor("")
		if begin >= 0 {
			from = timelines.Cursor(want[begin])
		}
		e.Clock.Add(2 * forget) // months are read again
		bill := meter.New()
		items, next, _, err := e.Timelines.Home(meter.With(t.Context(), bill), "bob", "", from, 100)
		testenv.Must(t, err)
		if len(items) == 0 || next == "" && begin+1+len(items) < len(want) {
			t.Fatalf("the page after %d has %d tweets, and a next one %q", begin, len(items), next)
		}
		for i, item := range items {
			if item.Position != want[begin+1+i] {
				t.Errorf("after %d, item %d stands at %s, want %s", begin, i, item.Position, want[begin+1+i])
			}
		}
		if dearest = max(dearest, bill.Reads()); bill.Reads() > most {
			t.Errorf("a page of %d tweets costs %d reads, want %d at most", len(items), bill.Reads(), most)
		}
		t.Logf("the page after %d: %d tweets, %d reads", begin, len(items), bill.Reads())
	}
	if dearest < 300 {
		t.Errorf("the most expensive page costs %d reads, so the test proves nothing", dearest)
	}
}
