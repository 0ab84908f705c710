package timelines_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Tweets that one author writes at once share the writes of a timeline. So do authors whom one reader follows at once.
func TestTimelineWritesAreJoined(t *testing.T) {
	t.Parallel()
	var w storetest.Writes
	e := storetest.Open(t, store.Options{WriteEvery: time.Second, Meter: meter.Options{OnWrite: w.Add}})
	e.CreateUsers(t, "ann", "bob", "cat")
	follow(t, e.Store, "bob", "ann")
	follow(t, e.Store, "cat", "ann")
	timeline := func(uid model.UserID) string { return "timelines/" + model.MonthKey(uid, "2026-11") }
	w.Check(t, map[string]int{timeline("bob"): 1, timeline("cat"): 1})

	tweets := make([]*model.Tweet, 30)
	var ids []model.TweetID // newest first
	for i := range tweets {
		tweets[i] = e.Tweet(t, "ann", "a spark")
		ids = slices.Insert(ids, 0, tweets[i].ID)
	}
	for _, err := range testenv.AtOnce(len(tweets),
		func(i int) error { return e.Timelines.FanOut(t.Context(), tweets[i]) }) {
		testenv.Must(t, err)
	}
	// the first delivery alone, and the other deliveries, which may come in two parts
	w.Check(t, map[string]int{timeline("bob"): 3, timeline("cat"): 3})
	wantHome(t, "delivered together", e.Store, "bob", ids)
	for _, err := range testenv.AtOnce(10, func(i int) error {
		return e.Timelines.Withdraw(t.Context(), ids[i].Position(), "ann")
	}) {
		testenv.Must(t, err)
	}
	wantHome(t, "withdrawn together", e.Store, "bob", ids[10:])
	w.Check(t, map[string]int{timeline("bob"): 3, timeline("cat"): 3})

	var want []model.TweetID
	authors := make([]model.UserID, 30)
	for i := range authors {
		authors[i] = model.UserID(fmt.Sprint("author", i))
		e.CreateUsers(t, authors[i])
		want = slices.Insert(want, 0, e.Publish(t, authors[i], "a spark").ID)
		testenv.Must(t, e.Graph.Follow(t.Context(), "cat", authors[i]))
	}
	w.Check(t, nil)
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "cat", authors[29]))
	for _, err := range testenv.AtOnce(len(authors), func(i int) error {
		return e.Timelines.Link(t.Context(), "cat",
			authors[i])
	}) {
		testenv.Must(t, err)
	}
	// the first follow alone, the other follows, and the unfollowed author
	w.Check(t, map[string]int{timeline("cat"): 4})
	wantHome(t, "followed together", e.Store, "cat", append(want[1:], ids[10:]...))
}
