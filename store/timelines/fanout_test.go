package timelines_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// fanOut writes n tweets, fans each out, and returns their ids, newest first.
func fanOut(t *testing.T, e *storetest.Env, author model.UserID, n int) []model.TweetID {
	t.Helper()
	ids := make([]model.TweetID, n)
	for i := range ids {
		tweet := e.Tweet(t, author, "a spark")
		testenv.Must(t, e.Timelines.FanOut(t.Context(), tweet))
		ids[n-1-i] = tweet.ID
	}
	return ids
}

// crowd creates n followers of an author.
func crowd(t *testing.T, e *storetest.Env, author model.UserID, n int) []model.UserID {
	t.Helper()
	fans := make([]model.UserID, n)
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(100)
	for i := range fans {
		fans[i] = model.UserID(fmt.Sprintf("fan%03d", i))
		g.Go(func() error {
			if _, err := e.Users.CreateUser(ctx, fans[i], model.NewUser{Username: string(fans[i])}); err != nil {
				return err
			}
			return testenv.Patiently(func() error {
				if err := e.Graph.Follow(ctx, fans[i], author); err != nil {
					return err
				}
				return e.Timelines.Link(ctx, fans[i], author)
			})
		})
	}
	testenv.Must(t, g.Wait())
	return fans
}

// entries returns the tweets that were pushed into a month of a home timeline, newest first.
func entries(t *testing.T, e *storetest.Env, uid model.UserID, m model.Month) []model.TweetID {
	t.Helper()
	tweets, _ := e.Doc(t, "timelines/"+model.MonthKey(uid, m))["entries"].(map[string]any)
	byID := map[model.TweetID]any{}
	for id, entry := range tweets {
		byID[model.TweetID(id)] = entry
	}
	return model.Newest(byID, 0)
}

func TestFanOut(t *testing.T) {
	t.Parallel()
	const n = 250 // three slices
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	fans := crowd(t, e, "ann", n)
	tweet := e.Tweet(t, "ann", "x")
	out := func(ctx context.Context) error { return e.Timelines.FanOut(ctx, tweet) }
	testenv.Must(t, storetest.Costs(t, "FanOut", 3, 2+n, 0, out))
	testenv.Must(t, storetest.Costs(t, "FanOut again", 3, 1+n, 0, out))
	for _, reader := range fans {
		if got := entries(t, e, reader, "2026-11"); !slices.Equal(got, []model.TweetID{tweet.ID}) {
			t.Errorf("the timeline of %s has %v, want %s", reader, got, tweet.ID)
		}
	}
	if got := len(e.IDs(t, model.Timelines)); got != 2*n { // Link wrote to both months of the window
		t.Errorf("%d months of timelines, want %d", got, 2*n)
	}
	for _, reader := range []model.UserID{fans[0], fans[99], fans[100], fans[249]} {
		want := map[string]any{
			"userId": string(reader), "month": "2026-11", "expireAt": time.Date(2026, time.December, 31, 0, 0, 0, 0, time.UTC),
			"entries": map[string]any{string(tweet.ID): "ann"}, "size": int64(2),
		}
		if diff := cmp.Diff(want, e.Doc(t, "timelines/"+model.MonthKey(reader, "2026-11"))); diff != "" {
			t.Errorf("timeline of %s (-want +got):\n%s", reader, diff)
		}
		wantHome(t, "delivered", e.Store, reader, []model.TweetID{tweet.ID})
	}
	if recent, _, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", "", 1); err != nil || len(recent) != 1 ||
		recent[0].ID != tweet.ID {
		t.Errorf("the newest tweet is %v, %v, want %s", recent, err, tweet.ID)
	}

	unfollow(t, e.Store, fans[0], "ann")
	withdraw := func(ctx context.Context) error { return e.Timelines.Withdraw(ctx, tweet.ID.Position(), "ann") }
	testenv.Must(t, storetest.Costs(t, "Withdraw", 1, n-1, 0, withdraw))
	testenv.Must(t, storetest.Costs(t, "Withdraw again", 1, n-1, 0, withdraw))
	for _, reader := range fans[1:] {
		if got := entries(t, e, reader, "2026-11"); len(got) != 0 {
			t.Errorf("the timeline of %s still has %v", reader, got)
		}
	}
	wantHome(t, "withdrawn", e.Store, fans[249], nil)
	if got := entries(t, e, fans[0], "2026-11"); !slices.Equal(got, []model.TweetID{tweet.ID}) {
		t.Errorf("the timeline of one who left has %v, want %s, which was not withdrawn", got, tweet.ID)
	}

	bobs := e.Tweet(t, "bob", "x")
	testenv.Must(t, storetest.Costs(t, "FanOut to nobody", 3, 2, 0, func(ctx context.Context) error {
		return e.Timelines.FanOut(ctx, bobs)
	}))
	testenv.Must(t, storetest.Costs(t, "Withdraw from nobody", 1, 0, 0, func(ctx context.Context) error {
		return e.Timelines.Withdraw(ctx, bobs.ID.Position(), "bob")
	}))
}

// The event of a tweet may come after the tweet was deleted.
func TestFanOutLate(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e.Store, "bob", "ann")
	deleted, kept := e.Tweet(t, "ann", "x"), e.Tweet(t, "ann", "x")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, deleted.ID))
	for _, tweet := range []*model.Tweet{deleted, kept} {
		testenv.Must(t, e.Timelines.FanOut(t.Context(), tweet))
	}
	if got := entries(t, e, "bob", "2026-11"); !slices.Equal(got, []model.TweetID{kept.ID}) {
		t.Errorf("the timeline has %v, want only %s, the tweet that is there", got, kept.ID)
	}
	all, _, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", "", 20)
	testenv.Must(t, err)
	if len(all) != 1 || all[0].ID != kept.ID {
		t.Errorf("the newest tweets are %v, want only %s", all, kept.ID)
	}
}

// The fan-out of an author with hashed pages writes one work document for each page.
func TestContinue(t *testing.T) {
	t.Parallel()
	const pages, n = model.FollowerPageCount, 12
	e := storetest.Open(t, store.Options{FollowersPerPage: 3})
	e.CreateUsers(t, "ann")
	fans := crowd(t, e, "ann", n)
	on := map[int]int64{} // followers, by page
	for _, fan := range fans {
		on[model.FollowerPage(fan)]++
	}
	work := func(kind model.FanOutKind, id model.TweetID, page int) model.FanOutWork {
		return model.FanOutWork{Kind: kind, Position: id.Position(), AuthorID: "ann", Page: page}
	}
	// serve continues a fan-out. Each page may have been served already.
	serve := func(kind model.FanOutKind, id model.TweetID, reads, writesEach int64) {
		t.Helper()
		for page := range pages {
			if got := len(e.IDs(t, model.FanOuts)); got != pages-page {
				t.Errorf("%d work documents, want %d", got, pages-page)
			}
			for range 2 {
				testenv.Must(t, storetest.Costs(t, "Continue", reads, writesEach*on[page], 1, func(ctx context.Context) error {
					return e.Timelines.Continue(ctx, work(kind, id, page))
				}))
			}
		}
	}

	tweet := e.Tweet(t, "ann", "x")
	out := func(ctx context.Context) error { return e.Timelines.FanOut(ctx, tweet) }
	testenv.Must(t, storetest.Costs(t, "FanOut", 3+1, 2+pages, 0, out))
	testenv.Must(t, storetest.Costs(t, "FanOut again", 3+1, 1+pages, 0, out))
	want := map[string]any{"tweetId": string(tweet.ID), "authorId": "ann", "page": int64(7), "kind": "push", "after": "",
		"expireAt": e.Clock.Now().Add(7 * 24 * time.Hour)}
	if diff := cmp.Diff(want, e.Doc(t, "fanouts/"+model.FanOutKey(tweet.ID.Position(), 7, model.FanOutPush))); diff != "" {
		t.Errorf("work of page 7 (-want +got):\n%s", diff)
	}
	serve(model.FanOutPush, tweet.ID, 2, 1)
	for _, fan := range fans {
		wantHome(t, "delivered", e.Store, fan, []model.TweetID{tweet.ID})
	}

	withdraw := func(ctx context.Context) error { return e.Timelines.Withdraw(ctx, tweet.ID.Position(), "ann") }
	testenv.Must(t, storetest.Costs(t, "Withdraw", 1+1, pages, 0, withdraw))
	serve(model.FanOutWithdraw, tweet.ID, 1, 1)
	for _, fan := range fans {
		wantHome(t, "withdrawn", e.Store, fan, nil)
	}

	// A tweet that is deleted before a page is served is withdrawn from the page.
	deleted := e.Tweet(t, "ann", "x")
	testenv.Must(t, e.Timelines.FanOut(t.Context(), deleted))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, deleted.ID))
	serve(model.FanOutPush, deleted.ID, 2, 2)
	for _, fan := range fans {
		if got := entries(t, e, fan, "2026-11"); len(got) != 0 {
			t.Errorf("the timeline of %s has %v, want nothing", fan, got)
		}
	}

	err := e.Timelines.Continue(t.Context(), work("other", tweet.ID, 0))
	if errs.KindOf(err) != errs.Internal {
		t.Errorf("Continue of an unknown kind = %v, want an internal error", err)
	}
}
