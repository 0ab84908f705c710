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
)

// recents returns the ids of the posts that everybody may see in a head.
func recents(t *testing.T, e *storetest.Env, author model.UserID) []model.TweetID {
	t.Helper()
	tweets, _ := e.Doc(t, "heads/"+string(author))["tweets"].(map[string]any)
	byID := map[model.TweetID]any{}
	for id, preview := range tweets {
		byID[model.TweetID(id)] = preview
	}
	return model.Newest(byID, 0)
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	reconcile := func(tweet *model.Tweet, want bool) func(context.Context) error {
		return func(ctx context.Context) error {
			found, err := e.Previews.Reconcile(ctx, tweet)
			if found != want {
				t.Errorf("Settle says that the tweet is there: %v, want %v", found, want)
			}
			return err
		}
	}
	put := func() *model.Tweet {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		return tweet
	}
	var want []model.TweetID
	for range model.HeadItems + 2 {
		e.Clock.Add(time.Millisecond)
		tweet := put()
		testenv.Must(t, storetest.Costs(t, "Settle", 2, 1, 0, reconcile(tweet, true)))
		want = slices.Insert(want, 0, tweet.ID)
	}
	if got := recents(t, e, "ann"); !slices.Equal(got, want[:model.HeadItems]) {
		t.Errorf("recent tweets = %v, want the first 40 of %v", got, want)
	}

	// A tweet that was deleted before Reconcile.
	deleted := put()
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, deleted.ID))
	testenv.Must(t, reconcile(deleted, false)(t.Context()))
	if _, ok := months(t, e, "ann")[deleted.ID]; ok || !slices.Equal(recents(t, e, "ann"), want[:model.HeadItems]) {
		t.Errorf("the card of a deleted tweet: in its month %v, recent tweets %v", ok, recents(t, e, "ann"))
	}

	// A tweet that was edited before Reconcile.
	edited := put()
	_, err := e.Raw.Doc("tweets/"+string(edited.ID)).
		Update(t.Context(), []firestore.Update{{Path: "snippet", Value: "edited"}})
	testenv.Must(t, err)
	testenv.Must(t, reconcile(edited, true)(t.Context()))
	if got := months(t, e, "ann")[edited.ID].Snippet; got != "edited" {
		t.Errorf("the month has %q, want the edit", got)
	}
	items, _, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", "", 1)
	testenv.Must(t, err)
	if items[0].ID != edited.ID || items[0].Snippet != "edited" {
		t.Errorf("the newest recent tweet is %+v, want the edited one", items[0])
	}
}

func TestRebuildHead(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	rebuild := func(ctx context.Context) error { return e.Previews.RebuildHead(ctx, "ann") }
	testenv.Must(t, storetest.Costs(t, "RebuildHead of nothing", 3, 1, 0, rebuild))
	var want []model.TweetID
	for _, m := range []time.Month{time.May, time.June, time.September, time.November} {
		e.Clock.Set(storetest.Date(m, 3))
		for range 12 {
			e.Clock.Add(time.Millisecond)
			tweet := e.Tweet(t, "ann", "x")
			testenv.Must(t, e.Previews.Put(t.Context(), tweet))
			want = slices.Insert(want, 0, tweet.ID)
		}
		if m == time.May { // one month, and a query for another
			testenv.Must(t, storetest.Costs(t, "RebuildHead of a few", 4, 1, 0, rebuild))
		}
	}
	testenv.Must(t, storetest.Costs(t, "RebuildHead", 1+4+1, 1, 0, rebuild))
	if got := recents(t, e, "ann"); !slices.Equal(got, want[:model.HeadItems]) {
		t.Errorf("recent tweets = %v, want the first 40 of %v", got, want)
	}
}

// A writer that read the document before must notice every write within one tick of the clock, even a write that
// changes no preview.
func TestRecentsAreSeenToChange(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var last time.Time
	for range 3 {
		testenv.Must(t, e.Previews.RebuildHead(t.Context(), "ann"))
		snap, err := e.Raw.Doc("heads/ann").Get(t.Context())
		testenv.Must(t, err)
		if !snap.UpdateTime.After(last) {
			t.Errorf("update time %v, after one of %v", snap.UpdateTime, last)
		}
		last = snap.UpdateTime
	}
}

// Concurrent changes to many tweets of an author are written together.
func TestReconcilesAtOnce(t *testing.T) {
	t.Parallel()
	const limit = 10
	var w storetest.Writes
	e := storetest.Open(t, store.Options{WriteEvery: time.Second, PreviewsPerBucket: limit,
		Meter: meter.Options{OnWrite: w.Add}})
	e.CreateUsers(t, "ann")
	tweets := make([]*model.Tweet, model.HeadItems)
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
		w.Check(t, map[string]int{"tweetMonths/ann_2026-11": 4, "heads/ann": 6})
		if got := recents(t, e, "ann"); !slices.Equal(got, want) {
			t.Errorf("%s: recent tweets = %v, want %v", what, got, want)
		}
		if got := model.Newest(months(t, e, "ann"), 0); !slices.Equal(got, want) {
			t.Errorf("%s: tweets of the month = %v, want %v", what, got, want)
		}
	}
	each(func(tweet *model.Tweet) error {
		if err := e.Previews.Put(t.Context(), tweet); err != nil {
			return err
		}
		found, err := e.Previews.Reconcile(t.Context(), tweet)
		if err == nil && !found {
			t.Errorf("Settle says that %s is gone", tweet.ID)
		}
		return err
	})
	check("written", ids(0))
	if root, _ := e.Doc(t, "tweetMonths/ann_2026-11")["tweets"].(map[string]any); len(root) > limit+limit/10+2 {
		t.Errorf("%d cards stand in the month, %d at most", len(root), limit)
	}
	testenv.Must(t, e.Previews.Overflow(t.Context(), model.OpenAudiencePartition, "ann_2026-11"))
	testenv.Must(t, storetest.Costs(t, "Put, spilt", 0, 1, 0, func(ctx context.Context) error {
		return e.Previews.Put(ctx, tweets[len(tweets)-1])
	}))

	const left = 12 // some in overflow documents, some in the month itself
	for i, tweet := range tweets {
		if i < left {
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
		}
	}
	w.Check(t, nil)
	each(func(tweet *model.Tweet) error {
		found, err := e.Previews.ReconcilePreview(t.Context(), "ann", tweet.ID, model.OpenAudiencePartition)
		if err != nil {
			return err
		}
		if want := !slices.Contains(tweets[:left], tweet); found != want {
			t.Errorf("SettleCard says that %s is there: %v, want %v", tweet.ID, found, want)
		}
		return e.Previews.RebuildHead(t.Context(), "ann")
	})
	check("deleted", ids(left))
}

// A preview that is put while other previews are reconciled is in the month, and so are the reconciled previews.
func TestPutAndReconcileAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: 200 * time.Millisecond})
	e.CreateUsers(t, "ann")
	var tweets []*model.Tweet
	for range 12 {
		tweets = append(tweets, e.Tweet(t, "ann", "x"))
	}
	for i := 0; i < len(tweets); i += 3 {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweets[i].ID))
	}
	for _, err := range testenv.AtOnce(3*len(tweets), func(i int) error {
		n := i / 3
		if i%3 == 0 && n%3 > 0 {
			return e.Previews.Put(t.Context(), tweets[n])
		}
		found, err := e.Previews.ReconcilePreview(t.Context(), "ann", tweets[n].ID, model.OpenAudiencePartition)
		if err == nil && found != (n%3 > 0) {
			t.Errorf("SettleCard says that tweet %d is there: %v", n, found)
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	want := map[model.TweetID]model.TweetPreview{}
	for n, tweet := range tweets {
		if n%3 > 0 {
			want[tweet.ID] = tweet.Preview()
		}
	}
	testenv.Must(t, e.Previews.RebuildHead(t.Context(), "ann"))
	if diff := cmp.Diff(want, months(t, e, "ann")); diff != "" {
		t.Errorf("cards (-want +got):\n%s", diff)
	}
}

// A tweet is deleted while FanOut reconciles it. The preview is gone, whichever comes last.
func TestReconcileAndDeletion(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	for range 20 {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		for _, err := range testenv.AtOnce(2, func(i int) error {
			if i == 0 {
				_, err := e.Previews.Reconcile(t.Context(), tweet)
				return err
			}
			// The tweet may be gone by an earlier try.
			if err := e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID); err != nil && errs.KindOf(err) != errs.Gone {
				return err
			}
			if _, err := e.Previews.ReconcilePreview(t.Context(), "ann", tweet.ID, model.OpenAudiencePartition); err != nil {
				return err
			}
			return e.Previews.RebuildHead(t.Context(), "ann")
		}) {
			testenv.Must(t, err)
		}
		if got := recents(t, e, "ann"); len(got) > 0 {
			t.Fatalf("recent tweets = %v, want none", got)
		}
	}
}

// While tweets are written, other tweets are edited and deleted. The trigger of each change runs at any time after the
// change. In the end the months and the newest tweets agree with the source documents.
func TestRecentsConcurrently(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
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
			tweet, err := e.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "new"}, model.Request{})
			if err != nil {
				return err
			}
			created := func() error {
				if err := e.Previews.Put(ctx, tweet.Tweet); err != nil {
					return err
				}
				_, err := e.Previews.Reconcile(ctx, tweet.Tweet)
				return err
			}
			changed := func(id model.TweetID) error {
				if _, err := e.Previews.ReconcilePreview(ctx, "ann", id, model.OpenAudiencePartition); err != nil {
					return err
				}
				return e.Previews.RebuildHead(ctx, "ann")
			}
			var triggers errgroup.Group
			triggers.Go(func() error { return testenv.Patiently(created) })
			if rng.IntN(4) == 0 {
				triggers.Go(func() error { return testenv.Patiently(created) }) // delivered twice
			}
			if rng.IntN(2) == 0 {
				if err := e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID); err != nil {
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

	want := map[model.TweetID]model.TweetPreview{}
	for _, id := range e.IDs(t, model.Tweets) {
		tweet, err := e.Tweets.Tweet(t.Context(), model.TweetID(id), model.Viewer{})
		testenv.Must(t, err)
		want[tweet.ID] = tweet.Preview()
	}
	if diff := cmp.Diff(want, months(t, e, "ann")); diff != "" {
		t.Errorf("months (-want +got):\n%s", diff)
	}
	newest := model.Newest(want, model.HeadItems)
	if got := recents(t, e, "ann"); !slices.Equal(got, newest) {
		t.Errorf("recent tweets = %v, want %v", got, newest)
	}
	items, _, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", "", model.HeadItems)
	testenv.Must(t, err)
	for _, item := range items {
		if !item.Equal(want[item.ID]) {
			t.Errorf("recent card %s = %+v, want %+v", item.ID, item.TweetPreview, want[item.ID])
		}
	}
}

// Two processes add a tweet to the newest tweets at once. Neither tweet is lost.
func TestReconcileInTwoProcesses(t *testing.T) {
	t.Parallel()
	for _, before := range []int{0, 1} {
		t.Run(fmt.Sprint(before, " tweets before"), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann")
			var want []model.TweetID
			for range before {
				want = slices.Insert(want, 0, e.Publish(t, "ann", "from before").ID)
			}
			tweets := []*model.Tweet{e.Tweet(t, "ann", "x"), e.Tweet(t, "ann", "x")}
			for _, tweet := range tweets {
				testenv.Must(t, e.Previews.Put(t.Context(), tweet))
				want = slices.Insert(want, 0, tweet.ID)
			}
			slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("heads/ann"),
				func() {
					if _, err := e.Previews.Reconcile(t.Context(), tweets[1]); err != nil {
						t.Error(err)
					}
				})}})
			_, err := slow.Previews.Reconcile(t.Context(), tweets[0])
			testenv.Must(t, err)
			if got := recents(t, e, "ann"); !slices.Equal(got, want) {
				t.Errorf("recent tweets = %v, want %v", got, want)
			}
		})
	}
}

// A rebuild that shares its write with new tweets is still a rebuild.
func TestRebuildJoinsOthers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	stale := e.Publish(t, "ann", "deleted")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, stale.ID))
	_, err := e.Previews.ReconcilePreview(t.Context(), "ann", stale.ID, model.OpenAudiencePartition)
	testenv.Must(t, err)
	var want []model.TweetID
	var tweets []*model.Tweet
	for range 3 {
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		tweets, want = append(tweets, tweet), slices.Insert(want, 0, tweet.ID)
	}
	joining := e.Again(t, store.Options{WriteEvery: time.Second})
	_, err = joining.Previews.Reconcile(t.Context(), tweets[0]) // alone; the others wait for a second, and share a write
	testenv.Must(t, err)
	for _, err := range testenv.AtOnce(3, func(i int) error {
		if i == 0 {
			return joining.Previews.RebuildHead(t.Context(), "ann")
		}
		_, err := joining.Previews.Reconcile(t.Context(), tweets[i])
		return err
	}) {
		testenv.Must(t, err)
	}
	if got := recents(t, e, "ann"); !slices.Equal(got, want) {
		t.Errorf("recent tweets = %v, want %v", got, want)
	}
}

// posts publishes posts of ann, a second apart.
func posts(t *testing.T, e *storetest.Env, n int) (ids []model.TweetID) {
	t.Helper()
	for range n {
		e.Clock.Add(time.Second)
		ids = append(ids, e.Publish(t, "ann", "x").ID)
	}
	return ids
}

// remove deletes posts of ann, whose functions run at once.
func remove(t *testing.T, e *storetest.Env, ids ...model.TweetID) {
	t.Helper()
	for _, id := range ids {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
		_, err := e.Previews.ReconcilePreview(t.Context(), "ann", id, model.OpenAudiencePartition)
		testenv.Must(t, err)
		testenv.Must(t, e.Previews.ReconcileHead(t.Context(), "ann", id.Position()))
	}
}

func shareOf(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) model.Position {
	t.Helper()
	testenv.Must(t, e.Shares.Share(t.Context(), uid, id))
	found, _ := e.Doc(t, "shares/"+model.ReactionKey(uid, id))["shareId"].(string)
	return model.SharePosition(model.TweetID(found), id)
}

// A head has posts and shares together, 40 at most. A rebuild makes the same head.
func TestHeadOfPostsAndShares(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	want := map[model.Position]bool{}
	for i := range 30 {
		e.Clock.Add(time.Second)
		draft := model.Draft{Content: "x"}
		if i%2 == 1 {
			draft.Visibility = model.Followers
		}
		tweet := e.Draft(t, "ann", draft)
		testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
		e.Clock.Add(time.Second)
		position := shareOf(t, e, "ann", e.Tweet(t, "bob", "x").ID)
		testenv.Must(t, storetest.Costs(t, "ReconcileNewShare", 2, 1, 0, func(ctx context.Context) error {
			_, err := e.Previews.ReconcileNewShare(ctx, "ann", position)
			return err
		}))
		testenv.Must(t, storetest.Costs(t, "ReconcileNewShare again", 2, 0, 0, func(ctx context.Context) error {
			_, err := e.Previews.ReconcileNewShare(ctx, "ann", position)
			return err
		}))
		if i >= 10 {
			want[tweet.ID.Position()], want[position] = true, true
		}
	}
	check := func(what string) {
		t.Helper()
		h, found, err := e.Previews.Head(t.Context(), "ann")
		testenv.Must(t, err)
		got := map[model.Position]bool{}
		for _, i := range h.Items() {
			got[i.Position] = true
		}
		if diff := cmp.Diff(want, got); diff != "" || !found || h.Whole || len(h.Shares) != 20 || len(h.ForFollowers) != 10 {
			t.Errorf("%s: whole %v, %d shares, %d for followers (-want +got):\n%s", what, h.Whole, len(h.Shares),
				len(h.ForFollowers), diff)
		}
	}
	check("written")
	testenv.Must(t, e.Previews.RebuildHead(t.Context(), "ann"))
	check("rebuilt")
	_, err := e.Raw.Doc("heads/ann").Delete(t.Context())
	testenv.Must(t, err)
	var last model.Position
	for position := range want {
		last = position
	}
	testenv.Must(t, e.Previews.ReconcileHead(t.Context(), "ann", last))
	check("missing")
}

// A head whose items were deleted is filled up.
func TestHeadRefill(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := posts(t, e, 60)
	for left := 60; left > 39; left-- {
		remove(t, e, ids[left-1])
		h, _, err := e.Previews.Head(t.Context(), "ann")
		testenv.Must(t, err)
		want := left - 1 - 20 // of the 40 newest
		if left-1 == 39 {
			want = 39
		}
		if h.Len() != want || h.Whole != (left-1 == 39) {
			t.Errorf("%d posts: the head has %d, whole %v; want %d", left-1, h.Len(), h.Whole, want)
		}
	}
}

// A share is withdrawn while another process adds it to the head.
func TestWithdrawalDuringNewShare(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	id := e.Tweet(t, "bob", "x").ID
	position := shareOf(t, e, "ann", id)
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("heads/ann"),
		func() {
			testenv.Must(t, e.Shares.Unshare(t.Context(), "ann", id))
			testenv.Must(t, e.Previews.ReconcileHead(t.Context(), "ann", position))
		})}})
	found, err := slow.Previews.ReconcileNewShare(t.Context(), "ann", position)
	testenv.Must(t, err)
	if h, _, err := e.Previews.Head(t.Context(), "ann"); err != nil || found || h.Len() > 0 {
		t.Errorf("the head has %v, %v; found %v", h.Shares, err, found)
	}
}

// A late post comes while another process rebuilds the head further into the past.
func TestLatePostDuringRebuild(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	posts(t, e, 5)
	e.Clock.Add(time.Second)
	late := e.Tweet(t, "ann", "late")
	ids := posts(t, e, model.HeadItems+1)
	remove(t, e, ids[len(ids)-5:]...)
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("heads/ann"),
		func() {
			testenv.Must(t, e.Previews.Put(t.Context(), late))
			_, err := e.Previews.Reconcile(t.Context(), late)
			testenv.Must(t, err)
		})}})
	testenv.Must(t, slow.Previews.RebuildHead(t.Context(), "ann"))
	h, _, err := e.Previews.Head(t.Context(), "ann")
	testenv.Must(t, err)
	if _, there := h.Tweets[late.ID]; !there || !h.Reaches(late.ID.Time()) {
		t.Errorf("the head reaches to %v, and has the late post: %v", h.Since, there)
	}
}
