package timelines_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A client asks again and again what is new. Shares by the reader, and by a user whom the reader mutes, cost nothing;
// what the page shows is found, also in another process.
func TestNews(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e, "bob", "ann", "cat")
	other := deliver(t, e, "dan", 2)
	e.Clock.Add(time.Second)
	newest := deliver(t, e, "ann", 1)[0]
	testenv.Must(t, e.Shares.Hide(t.Context(), "bob", "cat"))
	wantHome(t, "at first", e, "bob", []model.TweetID{newest})
	e.Clock.Add(time.Minute)
	wantHome(t, "a minute later", e, "bob", []model.TweetID{newest})

	news := func(what string, reads int64, want int) {
		t.Helper()
		e.Clock.Add(forget)
		testenv.Must(t, storetest.Costs(t, what, reads, 0, 0, func(ctx context.Context) error {
			items, next, _, err := e.Timelines.Home(ctx, "bob", newest.Position(), "", 20)
			if len(items) != want || next != "" {
				t.Errorf("%s: the timeline has %v, %q, want %d tweets", what, idsOf(items), next, want)
			}
			return err
		}))
	}
	// The process asks for changed heads, and hears of one.
	share(t, e, "bob", other[0])
	news("a share by the reader", 1, 0)
	share(t, e, "cat", other[0])
	news("a share by a user whom the reader mutes", 1, 0)
	news("no change", 1, 0)
	e.Clock.Add(6 * time.Minute)
	news("after some minutes", 2, 0) // the graph, too
	author := e.Again(t, store.Options{})
	tweet := e.Tweet(t, "ann", "a spark")
	testenv.Must(t, author.Timelines.Deliver(t.Context(), tweet))
	news("a tweet", 5, 1) // the graph, the reactions, the head, the tweet, the questions for changed ones
}
