package timelines_test

import (
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Two processes overflow a month at once, and the slower process has read fewer entries. No entry is lost.
func TestOverflowsAtOnce(t *testing.T) {
	t.Parallel()
	const limit = 4
	e := storetest.Open(t, store.Options{EntriesPerBucket: limit})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e.Store, "bob", "ann")
	want := fanOut(t, e, "ann", limit+2)
	var more []*model.Tweet
	for range limit {
		more = append(more, e.Tweet(t, "ann", "a spark"))
		want = slices.Insert(want, 0, more[len(more)-1].ID)
	}
	overflowed := false
	slow := e.Again(t, store.Options{EntriesPerBucket: limit, Meter: meter.Options{
		Below: storetest.Before(storetest.WritesTo("timelines/bob_2026-11_1"), func() {
			overflowed = true
			for _, tweet := range more {
				if err := e.Timelines.FanOut(t.Context(), tweet); err != nil {
					t.Error(err)
				}
			}
			if err := e.Timelines.Overflow(t.Context(), "bob_2026-11"); err != nil {
				t.Error(err)
			}
		}),
	}})
	testenv.Must(t, slow.Timelines.Overflow(t.Context(), "bob_2026-11"))
	if !overflowed {
		t.Error("the month was not spilt")
	}
	wantHome(t, "spilt twice", e.Store, "bob", want)
}
