package profiles_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/facts"
)

// recents lists the ids in userRecent.
func recents(t *testing.T, e *storetest.Env, author model.UserID) []model.TweetID {
	t.Helper()
	tweets, _ := e.Doc(t, "userRecent/"+string(author))["tweets"].(map[string]any)
	byID := map[model.TweetID]any{}
	for id, card := range tweets {
		byID[model.TweetID(id)] = card
	}
	return model.Newest(byID, 0)
}

func TestSettle(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	settle := func(tweet *model.Tweet, want bool) func(context.Context) error {
		return func(ctx context.Context) error {
			found, err := e.Cards.Settle(ctx, tweet)
			if found != want {
				t.Errorf("Settle says that the tweet is there: %v, want %v", found, want)
			}
			return err
		}
	}
	put := func() *model.Tweet {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Cards.Put(t.Context(), tweet))
		return tweet
	}
	var want []model.TweetID
	for range model.RecentTweets + 2 {
		tweet := put()
		testenv.Must(t, storetest.Costs(t, "Settle", 2, 1, 0, settle(tweet, true)))
		want = slices.Insert(want, 0, tweet.ID)
	}
	if got := recents(t, e, "ann"); !slices.Equal(got, want[:model.RecentTweets]) {
		t.Errorf("recent tweets = %v, want the first 20 of %v", got, want)
	}

	// A tweet that was deleted before Settle.
	deleted := put()
	testenv.Must(t, e.Facts.DeleteTweet(t.Context(), "ann", false, deleted.ID))
	testenv.Must(t, settle(deleted, false)(t.Context()))
	if _, ok := months(t, e, "ann")[deleted.ID]; ok || !slices.Equal(recents(t, e, "ann"), want[:model.RecentTweets]) {
		t.Errorf("the card of a deleted tweet: in its month %v, recent tweets %v", ok, recents(t, e, "ann"))
	}

	// A tweet that was edited before Settle.
	edited := put()
	_, err := e.Raw.Doc("tweets/"+string(edited.ID)).Update(t.Context(), []firestore.Update{{Path: "snippet", Value: "edited"}})
	testenv.Must(t, err)
	testenv.Must(t, settle(edited, true)(t.Context()))
	if got := months(t, e, "ann")[edited.ID].Snippet; got != "edited" {
		t.Errorf("the month has %q, want the edit", got)
	}
	items, _, err := e.Cards.TweetsBy(t.Context(), model.Viewer{}, "ann", "", 1)
	testenv.Must(t, err)
	if items[0].ID != edited.ID || items[0].Snippet != "edited" {
		t.Errorf("the newest recent tweet is %+v, want the edited one", items[0])
	}
}

func TestRebuildRecent(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	rebuild := func(ctx context.Context) error { return e.Cards.RebuildRecent(ctx, "ann") }
	testenv.Must(t, storetest.Costs(t, "RebuildRecent of nothing", 2, 1, 0, rebuild))
	var want []model.TweetID
	for _, m := range []time.Month{time.May, time.June, time.September, time.November} {
		e.Clock.Set(storetest.Date(m, 3))
		for range 8 {
			tweet := e.Tweet(t, "ann", "x")
			testenv.Must(t, e.Cards.Put(t.Context(), tweet))
			want = slices.Insert(want, 0, tweet.ID)
		}
		if m == time.May { // one month, and a look for another
			testenv.Must(t, storetest.Costs(t, "RebuildRecent of a few", 3, 1, 0, rebuild))
		}
	}
	testenv.Must(t, storetest.Costs(t, "RebuildRecent", 1+3, 1, 0, rebuild))
	if got := recents(t, e, "ann"); !slices.Equal(got, want[:model.RecentTweets]) {
		t.Errorf("recent tweets = %v, want the first 20 of %v", got, want)
	}
}

// A writer that read the document before must notice every write, even a write that
// changes no card, within one tick of the clock.
func TestRecentsAreSeenToChange(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	var last time.Time
	for range 3 {
		testenv.Must(t, e.Cards.RebuildRecent(t.Context(), "ann"))
		snap, err := e.Raw.Doc("userRecent/ann").Get(t.Context())
		testenv.Must(t, err)
		if !snap.UpdateTime.After(last) {
			t.Errorf("update time %v, after one of %v", snap.UpdateTime, last)
		}
		last = snap.UpdateTime
	}
}

// What happens to many tweets of an author at once is written together.
func TestSettlesAtOnce(t *testing.T) {
	t.Parallel()
	const limit = 10
	var w storetest.Writes
	e := storetest.Open(t, store.Options{WriteEvery: time.Second, CardsPerBucket: limit, Meter: meter.Options{OnWrite: w.Add}})
	e.Users(t, "ann")
	tweets := make([]*model.Tweet, model.RecentTweets)
	for i := range tweets {
		tweets[i] = e.Tweet(t, "ann", "x")
	}
	ids := func(from int) (ids []model.TweetID) {
		for _, tweet := range slices.Backward(tweets[from:]) {
			ids = append(ids, tweet.ID)
		}
		return ids
	}
	each := func(f func(tweet *model.Tweet) error) {
		t.Helper()
		for _, err := range testenv.AtOnce(len(tweets), func(i int) error { return f(tweets[i]) }) {
			testenv.Must(t, err)
		}
	}
	check := func(what string, want []model.TweetID) {
		t.Helper()
		w.Check(t, map[string]int{"tweetMonths/ann_2026-11": 4, "userRecent/ann": 6})
		if got := recents(t, e, "ann"); !slices.Equal(got, want) {
			t.Errorf("%s: recent tweets = %v, want %v", what, got, want)
		}
		if got := model.Newest(months(t, e, "ann"), 0); !slices.Equal(got, want) {
			t.Errorf("%s: tweets of the month = %v, want %v", what, got, want)
		}
	}
	each(func(tweet *model.Tweet) error {
		if err := e.Cards.Put(t.Context(), tweet); err != nil {
			return err
		}
		found, err := e.Cards.Settle(t.Context(), tweet)
		if err == nil && !found {
			t.Errorf("Settle says that %s is gone", tweet.ID)
		}
		return err
	})
	check("written", ids(0))
	if root, _ := e.Doc(t, "tweetMonths/ann_2026-11")["tweets"].(map[string]any); len(root) > limit+limit/10+2 {
		t.Errorf("%d cards stand in the month, %d at most", len(root), limit)
	}
	testenv.Must(t, e.Cards.Spill(t.Context(), model.OpenShelf, "ann_2026-11"))
	testenv.Must(t, storetest.Costs(t, "Put, spilt", 0, 1, 0, func(ctx context.Context) error { return e.Cards.Put(ctx, tweets[len(tweets)-1]) }))

	const left = 12 // some on overflow documents, some in the month itself
	for i, tweet := range tweets {
		if i < left {
			testenv.Must(t, e.Facts.DeleteTweet(t.Context(), "ann", false, tweet.ID))
		}
	}
	w.Check(t, nil)
	each(func(tweet *model.Tweet) error {
		found, err := e.Cards.SettleCard(t.Context(), "ann", tweet.ID, model.OpenShelf)
		if err != nil {
			return err
		}
		if want := !slices.Contains(tweets[:left], tweet); found != want {
			t.Errorf("SettleCard says that %s is there: %v, want %v", tweet.ID, found, want)
		}
		return e.Cards.RebuildRecent(t.Context(), "ann")
	})
	check("deleted", ids(left))
}

// A card that is put while other cards are settled is there, and so are the settled
// cards.
func TestPutAndSettleAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: 200 * time.Millisecond})
	e.Users(t, "ann")
	var tweets []*model.Tweet
	for range 12 {
		tweets = append(tweets, e.Tweet(t, "ann", "x"))
	}
	for i := 0; i < len(tweets); i += 3 {
		testenv.Must(t, e.Facts.DeleteTweet(t.Context(), "ann", false, tweets[i].ID))
	}
	for _, err := range testenv.AtOnce(3*len(tweets), func(i int) error {
		n := i / 3
		if i%3 == 0 && n%3 > 0 {
			return e.Cards.Put(t.Context(), tweets[n])
		}
		found, err := e.Cards.SettleCard(t.Context(), "ann", tweets[n].ID, model.OpenShelf)
		if err == nil && found != (n%3 > 0) {
			t.Errorf("SettleCard says that tweet %d is there: %v", n, found)
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	want := map[model.TweetID]model.Card{}
	for n, tweet := range tweets {
		if n%3 > 0 {
			want[tweet.ID] = tweet.Card()
		}
	}
	testenv.Must(t, e.Cards.RebuildRecent(t.Context(), "ann"))
	if diff := cmp.Diff(want, months(t, e, "ann")); diff != "" {
		t.Errorf("cards (-want +got):\n%s", diff)
	}
}

// A tweet is deleted while FanOut settles it. Whichever comes last, the card is gone.
func TestSettleAndDeletion(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	for range 20 {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Cards.Put(t.Context(), tweet))
		for _, err := range testenv.AtOnce(2, func(i int) error {
			if i == 0 {
				_, err := e.Cards.Settle(t.Context(), tweet)
				return err
			}
			if err := e.Facts.DeleteTweet(t.Context(), "ann", false, tweet.ID); err != nil && errs.KindOf(err) != errs.Gone { // by an earlier try
				return err
			}
			if _, err := e.Cards.SettleCard(t.Context(), "ann", tweet.ID, model.OpenShelf); err != nil {
				return err
			}
			return e.Cards.RebuildRecent(t.Context(), "ann")
		}) {
			testenv.Must(t, err)
		}
		if got := recents(t, e, "ann"); len(got) > 0 {
			t.Fatalf("recent tweets = %v, want none", got)
		}
	}
}

// While tweets are written, other tweets are edited and deleted. The trigger of each
// change runs at any time after the change. In the end the months and the newest tweets
// agree with the facts.
func TestRecentsConcurrently(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for range 12 {
		e.Publish(t, "ann", "from before")
	}
	old := recents(t, e, "ann")
	var g errgroup.Group
	g.SetLimit(4)
	for i := range 24 {
		g.Go(func() error {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			ctx := t.Context()
			tweet, err := e.Facts.CreateTweet(ctx, "ann", model.Draft{Content: "new"}, facts.Request{})
			if err != nil {
				return err
			}
			created := func() error {
				if err := e.Cards.Put(ctx, tweet.Tweet); err != nil {
					return err
				}
				_, err := e.Cards.Settle(ctx, tweet.Tweet)
				return err
			}
			changed := func(id model.TweetID) error {
				if _, err := e.Cards.SettleCard(ctx, "ann", id, model.OpenShelf); err != nil {
					return err
				}
				return e.Cards.RebuildRecent(ctx, "ann")
			}
			var triggers errgroup.Group
			triggers.Go(func() error { return testenv.Patiently(created) })
			if rng.IntN(4) == 0 {
				triggers.Go(func() error { return testenv.Patiently(created) }) // delivered twice
			}
			if rng.IntN(2) == 0 {
				if err := e.Facts.DeleteTweet(ctx, "ann", false, tweet.ID); err != nil {
					return err
				}
				triggers.Go(func() error { return testenv.Patiently(func() error { return changed(tweet.ID) }) })
			}
			if i < len(old) {
				err := testenv.Patiently(func() error {
					_, err := e.Raw.Doc("tweets/"+string(old[i])).Update(ctx, []firestore.Update{{Path: "revision", Value: 1}})
					return err
				})
				if err != nil {
					return err
				}
				triggers.Go(func() error { return testenv.Patiently(func() error { return changed(old[i]) }) })
			}
			return triggers.Wait()
		})
	}
	testenv.Must(t, g.Wait())

	want := map[model.TweetID]model.Card{}
	for _, id := range e.IDs(t, model.Tweets) {
		tweet, err := e.Facts.Tweet(t.Context(), model.TweetID(id), model.Viewer{})
		testenv.Must(t, err)
		want[tweet.ID] = tweet.Card()
	}
	if diff := cmp.Diff(want, months(t, e, "ann")); diff != "" {
		t.Errorf("months (-want +got):\n%s", diff)
	}
	newest := model.Newest(want, model.RecentTweets)
	if got := recents(t, e, "ann"); !slices.Equal(got, newest) {
		t.Errorf("recent tweets = %v, want %v", got, newest)
	}
	items, _, err := e.Cards.TweetsBy(t.Context(), model.Viewer{}, "ann", "", model.RecentTweets)
	testenv.Must(t, err)
	for _, item := range items {
		if !item.Equal(want[item.ID]) {
			t.Errorf("recent card %s = %+v, want %+v", item.ID, item.Card, want[item.ID])
		}
	}
}

// Two processes add a tweet to the newest tweets at once. Neither tweet is lost.
func TestSettleInTwoProcesses(t *testing.T) {
	t.Parallel()
	for _, before := range []int{0, 1} {
		t.Run(fmt.Sprint(before, " tweets before"), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.Users(t, "ann")
			var want []model.TweetID
			for range before {
				want = slices.Insert(want, 0, e.Publish(t, "ann", "from before").ID)
			}
			tweets := []*model.Tweet{e.Tweet(t, "ann", "x"), e.Tweet(t, "ann", "x")}
			for _, tweet := range tweets {
				testenv.Must(t, e.Cards.Put(t.Context(), tweet))
				want = slices.Insert(want, 0, tweet.ID)
			}
			slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("userRecent/ann"), func() {
				if _, err := e.Cards.Settle(t.Context(), tweets[1]); err != nil {
					t.Error(err)
				}
			})}})
			_, err := slow.Cards.Settle(t.Context(), tweets[0])
			testenv.Must(t, err)
			if got := recents(t, e, "ann"); !slices.Equal(got, want) {
				t.Errorf("recent tweets = %v, want %v", got, want)
			}
		})
	}
}

// A rebuild that shares its write with new tweets is a rebuild nonetheless.
func TestRebuildJoinsOthers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	stale := e.Publish(t, "ann", "deleted")
	testenv.Must(t, e.Facts.DeleteTweet(t.Context(), "ann", false, stale.ID))
	_, err := e.Cards.SettleCard(t.Context(), "ann", stale.ID, model.OpenShelf)
	testenv.Must(t, err)
	var want []model.TweetID
	var tweets []*model.Tweet
	for range 3 {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Cards.Put(t.Context(), tweet))
		tweets, want = append(tweets, tweet), slices.Insert(want, 0, tweet.ID)
	}
	joining := e.Again(t, store.Options{WriteEvery: time.Second})
	_, err = joining.Cards.Settle(t.Context(), tweets[0]) // alone; the others wait for a second, and share a write
	testenv.Must(t, err)
	for _, err := range testenv.AtOnce(3, func(i int) error {
		if i == 0 {
			return joining.Cards.RebuildRecent(t.Context(), "ann")
		}
		_, err := joining.Cards.Settle(t.Context(), tweets[i])
		return err
	}) {
		testenv.Must(t, err)
	}
	if got := recents(t, e, "ann"); !slices.Equal(got, want) {
		t.Errorf("recent tweets = %v, want %v", got, want)
	}
}
