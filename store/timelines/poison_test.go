package timelines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// One follower's timeline cannot be written: it is as large as a document may be, but not because of its entries. All
// other followers get the tweet.
func TestOversizedTimelineFailsNobodyElse(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var fans []model.UserID
	for i := range 9 {
		fans = append(fans, model.UserID(fmt.Sprint("fan", i)))
		e.CreateUsers(t, fans[i])
		follow(t, e.Store, fans[i], "ann")
	}
	storetest.Fill(t, e.Raw.Doc("timelines/"+model.MonthKey(fans[4], "2026-11")))
	tweet := e.Tweet(t, "ann", "a spark")
	if err := e.Timelines.FanOut(t.Context(), tweet); err == nil {
		t.Error("the fan-out did not fail, so the test proves nothing")
	}
	for i, fan := range fans {
		want := []model.TweetID{tweet.ID}
		if i == 4 {
			want = nil
		}
		wantHome(t, string(fan), e.Store, fan, slices.Clip(append([]model.TweetID{}, want...)))
	}
}

// A timeline grew too large before its overflow, because events of overflows were lost. The delivery that does not fit
// overflows it.
func TestFullTimelineIsOverflowed(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e.Store, "bob", "ann")
	entries := map[string]any{}
	for i := range 10 * model.EntriesPerBucket {
		id := fmt.Sprintf("00%016x", uint64(e.Clock.Now().Add(-time.Duration(i)*time.Second).UnixMilli())<<20)
		entries[id] = strings.Repeat("u", 128)
	}
	month := e.Raw.Doc("timelines/" + model.MonthKey("bob", "2026-11"))
	_, err := month.Set(t.Context(), map[string]any{"userId": "bob", "month": "2026-11", "entries": entries},
		firestore.MergeAll)
	testenv.Must(t, err)
	storetest.Fill(t, month)
	tweet := e.Tweet(t, "ann", "a spark")
	testenv.Must(t, e.Timelines.FanOut(t.Context(), tweet))
	root := e.Doc(t, "timelines/"+model.MonthKey("bob", "2026-11"))
	if n := len(root["entries"].(map[string]any)); n > 2*model.EntriesPerBucket {
		t.Errorf("%d entries are left in the month, want at most %d", n, 2*model.EntriesPerBucket)
	}
	wantHome(t, "bob", e.Store, "bob", []model.TweetID{tweet.ID})
}

// A user unfollows an author in a month's last second. The author must stay hidden in the next month, too. A fan-out
// with an older read of the page of followers may still write into the next month.
func TestUnfollowAtTheEndOfAMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(time.Date(2026, time.October, 31, 23, 59, 58, 0, time.UTC))
	follow(t, e.Store, "bob", "ann")
	unfollow(t, e.Store, "bob", "ann")
	e.Clock.Set(time.Date(2026, time.November, 1, 0, 0, 0, int(time.Millisecond), time.UTC))
	tweet := e.Tweet(t, "ann", "a spark")
	// the write of the fan-out
	_, err := e.Raw.Doc("timelines/"+model.MonthKey("bob", "2026-11")).Set(t.Context(), map[string]any{
		"userId": "bob", "month": "2026-11", "entries": map[string]any{string(tweet.ID): "ann"},
	}, firestore.MergeAll)
	testenv.Must(t, err)
	wantHome(t, "bob left", e.Store, "bob", nil)
	e.Clock.Add(time.Second)
	follow(t, e.Store, "bob", "ann")
	e.Clock.Add(time.Second)
	more := fanOut(t, e, "ann", 1)
	wantHome(t, "bob is back", e.Store, "bob", append(more, tweet.ID))
}

// The clock of the API is in the new month already, and the clock of the functions is not. A new follower gets the
// first tweets of the month, though their fan-out found no follower.
func TestFollowAtTheEndOfAMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(time.Date(2026, time.October, 31, 23, 59, 58, 0, time.UTC))
	ahead := e.Again(t, store.Options{Now: func() time.Time { return e.Clock.Now().Add(3 * time.Second) }})
	tweet, err := ahead.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "a spark"}, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, e.Timelines.FanOut(t.Context(), tweet.Tweet))
	testenv.Must(t, ahead.Graph.Follow(t.Context(), "bob", "ann"))
	testenv.Must(t, e.Timelines.Link(t.Context(), "bob", "ann"))
	e.Clock.Add(5 * time.Second)
	wantHome(t, "bob", e.Store, "bob", []model.TweetID{tweet.ID})
}
