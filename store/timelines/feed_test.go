package timelines_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A tweet that was pushed before its author's month was pulled is shown once.
func TestPushedAndPulled(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PullAbove: 2})
	e.CreateUsers(t, "ann", "last")
	fans := crowd(t, e, "ann", 2)
	pushed := fanOut(t, e, "ann", 3)
	follow(t, e.Store, "last", "ann")
	want := slices.Concat(fanOut(t, e, "ann", 2), pushed)
	if got := entries(t, e, fans[0], "2026-11"); !slices.Equal(got, pushed) {
		t.Errorf("pushed were %v, want %v alone", got, pushed)
	}
	for _, limit := range []int{1, 2, 20} {
		for _, fan := range append(fans, "last") {
			if got := home(t, e.Store, fan, limit); !slices.Equal(got, want) {
				t.Errorf("by %d: the timeline of %s has %v, want %v", limit, fan, got, want)
			}
		}
	}
}

// A page may begin in the middle of an overflow document.
func TestPagesOfOverflow(t *testing.T) {
	t.Parallel()
	const limit = 4
	e := storetest.Open(t, store.Options{EntriesPerBucket: limit, PreviewsPerBucket: limit})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e.Store, "bob", "ann")
	var want []model.TweetID
	for range 4 {
		want = slices.Concat(fanOut(t, e, "ann", limit+1), want)
		testenv.Must(t, e.Timelines.Overflow(t.Context(), "bob_2026-11"))
		testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
	}
	for _, page := range []string{"timelines/bob_2026-11_4", "tweetMonths/ann_2026-11_4"} {
		if e.Doc(t, page) == nil {
			t.Errorf("there is no %s", page)
		}
	}
	for _, n := range []int{1, 3, 4, 7, 20} {
		if got := home(t, e.Store, "bob", n); !slices.Equal(got, want) {
			t.Errorf("by %d: the timeline has %v, want %v", n, got, want)
		}
		got := []model.TweetID{}
		for before := want[0]; before != ""; { // the first page comes from the newest tweets
			items, next, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", before, n)
			testenv.Must(t, err)
			for _, item := range items {
				got = append(got, item.ID)
			}
			before = next
		}
		if !slices.Equal(got, want[1:]) {
			t.Errorf("by %d: the author's tweets are %v, want %v", n, got, want[1:])
		}
	}
	expires := model.TimelineExpiry("2026-11")
	if got := e.Doc(t, "timelines/bob_2026-11_1")["expireAt"].(time.Time); !got.Equal(expires) {
		t.Errorf("an overflow document expires at %v, want %v", got, expires)
	}
}
