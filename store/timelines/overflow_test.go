package timelines_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Two processes overflow a month of shares at once, and the slower process has read fewer shares. No share is lost.
func TestOverflowsAtOnce(t *testing.T) {
	t.Parallel()
	const limit = 4
	e := storetest.Open(t, store.Options{SharesPerBucket: limit})
	e.CreateUsers(t, "ann", "bob", "cat")
	follow(t, e, "bob", "ann")
	cats := deliver(t, e, "cat", model.HeadItems+2*limit+2) // so that the head lacks the first shares
	slices.Reverse(cats)
	var want []model.TweetID
	put := func(n int) {
		t.Helper()
		for range n {
			want = slices.Insert(want, 0, share(t, e, "ann", cats[len(want)]).TweetID)
		}
	}
	put(limit + 2)
	overflowed := false
	slow := e.Again(t, store.Options{SharesPerBucket: limit, Meter: meter.Options{
		Below: storetest.Before(storetest.WritesTo("shareMonths/ann_2026-11_1"), func() {
			overflowed = true
			put(limit)
			testenv.Must(t, e.Previews.OverflowShares(t.Context(), "ann_2026-11"))
		}),
	}})
	testenv.Must(t, slow.Previews.OverflowShares(t.Context(), "ann_2026-11"))
	if !overflowed {
		t.Error("the month did not overflow")
	}
	put(model.HeadItems)
	wantHome(t, "overflowed twice", e, "bob", want)
}

// A page may begin in the middle of an overflow document.
func TestPagesOfOverflow(t *testing.T) {
	t.Parallel()
	const limit = 4
	e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	var want []model.TweetID
	for range 4 {
		want = slices.Concat(deliver(t, e, "ann", limit+1), want)
		testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
	}
	if e.Doc(t, "tweetMonths/ann_2026-11_4") == nil {
		t.Error("the month has not overflowed")
	}
	e.Clock.Add(time.Second)
	want = append(deliver(t, e, "ann", model.HeadItems), want...)
	overflow(t, e)
	for _, n := range []int{1, 3, 4, 7, 20} {
		if got := home(t, e, "bob", n); !slices.Equal(got, want) {
			t.Errorf("by %d: the timeline has %v, want %v", n, got, want)
		}
		got := []model.TweetID{}
		for before := want[model.HeadItems-1]; before != ""; {
			items, next, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", before, n)
			testenv.Must(t, err)
			for _, item := range items {
				got = append(got, item.ID)
			}
			before = next
		}
		if !slices.Equal(got, want[model.HeadItems:]) {
			t.Errorf("by %d: the author's tweets are %v, want %v", n, got, want[model.HeadItems:])
		}
	}
}

// A month overflows after a page has read it, and splits an overflow document. The page shows each tweet.
func TestOverflowWhileReading(t *testing.T) {
	t.Parallel()
	const limit = 4
	e := storetest.Open(t, store.Options{PreviewsPerBucket: limit})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	want := deliver(t, e, "ann", 2*limit+3)
	overflow(t, e)
	e.Clock.Add(time.Second)
	want = append(deliver(t, e, "ann", model.HeadItems), want...)
	done := false
	slow := e.Again(t, store.Options{PreviewsPerBucket: limit, Meter: meterAfterRead("tweetMonths/ann_2026-11", func() {
		done = true
		overflow(t, e)
	})})
	if got := idsOf(pages(t, slow, "bob", sizes(100), func() {})); !slices.Equal(got, want) || !done {
		t.Errorf("the timeline has %v, want %v", got, want)
	}
}
