package functions_test

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A dormant reader is found by the sweep, and the next read rebuilds the home timeline. Then no work is left.
func TestSleepAndRebuild(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: time.Millisecond}})
	ctx := t.Context()
	raw := testenv.Client(t, s.Project)
	there := func(path string) bool {
		t.Helper()
		_, err := raw.Doc(path).Get(ctx)
		if status.Code(err) == codes.NotFound {
			return false
		}
		testenv.Must(t, err)
		return true
	}
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	testenv.Must(t, s.Store.Graph.Follow(ctx, "bob", "ann"))
	stacktest.Idle(t, s)
	var want []model.TweetID
	post := func() {
		t.Helper()
		tweet, err := s.Store.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "a spark"}, model.Request{})
		testenv.Must(t, err)
		want = slices.Insert(want, 0, tweet.ID)
		stacktest.Idle(t, s)
	}
	pushed := func() int {
		t.Helper()
		entries, _, err := s.Store.Timelines.Shown(ctx, "bob")
		testenv.Must(t, err)
		return len(entries)
	}
	look := func(what string) {
		t.Helper()
		items, _, err := s.Store.Timelines.Home(ctx, "bob", "", "", 20)
		testenv.Must(t, err)
		got := []model.TweetID{}
		for _, item := range items {
			got = append(got, item.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the home page has %v, want %v", what, got, want)
		}
		stacktest.Idle(t, s)
	}
	post()
	_, err := raw.Doc("homes/bob").Set(ctx, model.Home{SeenAt: time.Now().Add(-model.SleepAfter - 48*time.Hour)})
	testenv.Must(t, err)
	_, err = raw.Doc("sweeps/today").Set(ctx, model.SweepWork{ExpireAt: time.Now().Add(time.Hour)})
	testenv.Must(t, err)
	stacktest.Idle(t, s)
	post()
	if n := pushed(); there("homes/bob") || n != 1 {
		t.Errorf("bob is awake: %t; %d tweets were pushed, want the first alone", there("homes/bob"), n)
	}
	look("asleep")
	if !there("homes/bob") || there("wakes/bob") || pushed() != 2 {
		t.Errorf("after the look: awake %t, to be woken %t, %d tweets in the timeline, want 2", there("homes/bob"),
			there("wakes/bob"), pushed())
	}
	post()
	if n := pushed(); n != 3 {
		t.Errorf("%d tweets are in the timeline, want the third", n)
	}
	look("awake")
}
