package scale_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// pages is a store whose functions are called by the test.
func pages(t *testing.T, users ...model.UserID) *storetest.Env {
	t.Helper()
	e := storetest.Open(t, store.Options{CacheTTL: 2 * time.Second, WriteEvery: time.Millisecond, Patience: time.Minute})
	e.Clock.Set(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))
	e.CreateUsers(t, users...)
	return e
}

// deliver lets an author post tweets, a minute apart, and calls their functions. It returns them, newest first.
func deliver(t *testing.T, e *storetest.Env, author model.UserID, n int) (ids []model.TweetID) {
	t.Helper()
	for range n {
		e.Clock.Add(time.Minute)
		tweet := e.Tweet(t, author, "a spark")
		testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
		ids = append(ids, tweet.ID)
	}
	slices.Reverse(ids)
	return ids
}

// walk reads a home timeline to its end, in pages of 20.
func walk(t *testing.T, e *storetest.Env, reader model.UserID) (ids []model.TweetID) {
	t.Helper()
	for from := timelines.Cursor(""); ; {
		items, next, _, err := e.Timelines.Home(t.Context(), reader, "", from, 20)
		testenv.Must(t, err)
		for _, item := range items {
			ids = append(ids, item.ID)
		}
		if from = next; from == "" {
			return ids
		}
	}
}

// TestNewFollow reads the home timeline of a reader who follows an author of many tweets. It has the newest 20 from
// before the follow, and all since then, also those that are older than the author's head.
func TestNewFollow(t *testing.T) {
	t.Parallel()
	e := pages(t, "ann", "bob")
	before := deliver(t, e, "ann", model.RecentTweets+5)
	e.Clock.Add(time.Minute)
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	want := before[:model.RecentTweets]
	checkIDs(t, walk(t, e, "bob"), want)
	since := deliver(t, e, "ann", model.HeadItems+5)
	e.Clock.Add(3 * time.Second)
	checkIDs(t, walk(t, e, "bob"), append(since, want...))
}

// TestWithdrawnShare takes back a share that is on a home page.
func TestWithdrawnShare(t *testing.T) {
	t.Parallel()
	e := pages(t, "ann", "bob", "cat")
	id := deliver(t, e, "cat", 1)[0]
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	e.Clock.Add(time.Minute)
	testenv.Must(t, e.Shares.Share(t.Context(), "ann", id))
	snap, err := e.Raw.Doc(model.Shares + "/" + model.ReactionKey("ann", id)).Get(t.Context())
	testenv.Must(t, err)
	var share model.Share
	testenv.Must(t, snap.DataTo(&share))
	testenv.Must(t, e.Timelines.DeliverShare(t.Context(), &share))
	checkIDs(t, walk(t, e, "bob"), []model.TweetID{id})
	if own := walk(t, e, "ann"); len(own) > 0 {
		t.Errorf("the sharer's own home timeline has %v, want nothing", own)
	}
	testenv.Must(t, e.Shares.Unshare(t.Context(), "ann", id))
	testenv.Must(t, e.Timelines.WithdrawShare(t.Context(), &share))
	e.Clock.Add(time.Minute)
	checkIDs(t, walk(t, e, "bob"), nil)
}
