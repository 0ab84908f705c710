package timelines_test

import (
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A large author's followers are being marked to pull a month. The link marks a new follower.
func TestLinkWhileMarking(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	_, err := e.Raw.Doc("followerPages/ann").
		Set(t.Context(), map[string]any{"pulledMonths": map[string]any{"2026-11": "marking"}}, firestore.MergeAll)
	testenv.Must(t, err)
	follow(t, e.Store, "bob", "ann")
	tweet := e.Publish(t, "ann", "not pushed")
	wantHome(t, "linked while marking", e.Store, "bob", []model.TweetID{tweet.ID})
}

// A follower unfollows and follows again during the link of the first follow. The timeline gets the tweets of the
// second follow.
func TestFollowAgainDuringLink(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.November, 10))
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	e.Clock.Set(storetest.Date(time.November, 11))
	var want []model.TweetID
	for range model.RecentTweets + 5 {
		want = slices.Insert(want, 0, e.Publish(t, "ann", "a spark").ID)
	}
	e.Clock.Set(storetest.Date(time.November, 15))
	left := false
	slow := e.Again(t, store.Options{Meter: meter.Options{OnWrite: func(path string, _ bool) {
		if path != "followerPages/ann" || left { // the link has read the relationship
			return
		}
		left = true
		if err := e.Graph.Unfollow(ctx, "bob", "ann"); err != nil {
			t.Error(err)
		}
		if err := e.Graph.Follow(ctx, "bob", "ann"); err != nil {
			t.Error(err)
		}
	}}})
	testenv.Must(t, slow.Timelines.Link(ctx, "bob", "ann"))
	wantHome(t, "followed again", e.Store, "bob", want[:model.RecentTweets])
}

// A pushed tweet is withdrawn as long as the month is not pulled, even if its author has become a large author.
func TestWithdrawBeforePull(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PullAbove: 2})
	e.CreateUsers(t, "ann", "last")
	fans := crowd(t, e, "ann", 2)
	id := fanOut(t, e, "ann", 1)[0]
	follow(t, e.Store, "last", "ann")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	testenv.Must(t, e.Timelines.Withdraw(t.Context(), id.Position(), "ann"))
	for _, fan := range append(fans, "last") {
		if got := entries(t, e, fan, "2026-11"); len(got) > 0 {
			t.Errorf("the timeline of %s still has %v", fan, got)
		}
	}
}
