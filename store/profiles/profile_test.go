package profiles_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestTweetsBy(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	var want []model.TweetID // newest first; some months between have no tweets
	for _, at := range []time.Time{time.Date(2025, time.December, 31, 23, 59, 59, 0, time.UTC),
		storetest.Date(time.March, 1), storetest.Date(time.March, 31), storetest.Date(time.July, 1),
		storetest.Date(time.November, 1)} {
		for range 6 {
			e.Clock.Set(at)
			at = at.Add(time.Millisecond)
			want = slices.Insert(want, 0, e.Publish(t, "ann", "x").ID)
			e.Publish(t, "bob", "not ann's")
		}
	}
	for _, limit := range []int{1, 4, 5, 6, 7, 12, 20, 29, 30, 31, 100} {
		var got []model.TweetID
		for before := model.TweetID(""); ; {
			items, next, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", before, limit)
			testenv.Must(t, err)
			if len(items) > limit || next != "" && len(items) != limit {
				t.Errorf("a page of %d tweets, want %d; next is %q", len(items), limit, next)
			}
			for _, item := range items {
				got = append(got, item.ID)
			}
			if before = next; next == "" || len(got) > len(want) {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: TweetsBy lists %v, want %v", limit, got, want)
		}
	}
	page := func(before model.TweetID, limit int) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := e.Previews.TweetsBy(ctx, model.Viewer{}, "ann", before, limit)
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "first page", 1, 0, 0, page("", 20)))
	testenv.Must(t, storetest.Costs(t, "page in a month", 1, 0, 0, page(want[0], 4)))
	testenv.Must(t, storetest.Costs(t, "page of two months with a gap between", 2, 0, 0, page(want[3], 4)))
	testenv.Must(t, storetest.Costs(t, "page of three months", 3, 0, 0, page(want[3], 16)))
	testenv.Must(t, storetest.Costs(t, "large first page", 1, 0, 0, page("", 30)))
	// the second read sees the end
	testenv.Must(t, storetest.Costs(t, "page that reaches the end", 1+1, 0, 0, page(want[25], 20)))
	if items, next, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "nobody", "", 20); err != nil ||
		len(items) != 0 || next != "" {
		t.Errorf("TweetsBy(nobody) = %v, %q, %v", items, next, err)
	}
}

func TestTweetsByHidesViolative(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var want []model.TweetID
	for i := range 45 {
		tweet := e.Tweet(t, "ann", "x")
		tweet.IsViolative = i >= 20 // more than the newest tweets hold
		if tweet.IsViolative {
			_, err := e.Raw.Doc("tweets/"+string(tweet.ID)).
				Update(t.Context(), []firestore.Update{{Path: "isViolative", Value: true}})
			testenv.Must(t, err)
		} else {
			want = slices.Insert(want, 0, tweet.ID)
		}
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
	}
	testenv.Must(t, e.Previews.RebuildHead(t.Context(), "ann"))
	var got []model.TweetID
	for before := model.TweetID(""); ; {
		items, next, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", before, 7)
		testenv.Must(t, err)
		for _, item := range items {
			got = append(got, item.ID)
		}
		if before = next; next == "" || len(got) > len(want) {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("TweetsBy lists %v, want %v", got, want)
	}
}

// Right after a burst the author's newest tweets lack some tweets of the month. No page takes them for all tweets: a
// list goes on to the oldest tweet, with pages of any size.
func TestListDuringBurst(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "dan")
	for _, reconciled := range [][]int{nil, {9}, {5, 9, 11}} {
		var want []model.TweetID
		for i := range 12 {
			e.Clock.Add(time.Second)
			tweet := e.Tweet(t, "ann", "x")
			testenv.Must(t, e.Previews.Put(t.Context(), tweet))
			if slices.Contains(reconciled, i) {
				_, err := e.Previews.Reconcile(t.Context(), tweet)
				testenv.Must(t, err)
			}
			want = slices.Insert(want, 0, tweet.ID)
		}
		for _, size := range []int{1, 4, 20} {
			var got []model.TweetID
			for before := model.TweetID(""); ; {
				items, next, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", before, size)
				testenv.Must(t, err)
				for _, item := range items {
					got = append(got, item.ID)
				}
				if before = next; next == "" {
					break
				}
			}
			if oldest := want[len(want)-1]; len(got) == 0 || got[len(got)-1] != oldest || size == model.RecentTweets &&
				!slices.Equal(got, want) {
				t.Errorf("settled %v, by pages of %d: %v, want %v", reconciled, size, got, want)
			}
		}
		for _, id := range want {
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
			_, err := e.Previews.ReconcilePreview(t.Context(), "ann", id, model.OpenAudiencePartition)
			testenv.Must(t, err)
		}
		testenv.Must(t, e.Previews.RebuildHead(t.Context(), "ann"))
	}

	// An hour later a page of few tweets is the last, and costs the same.
	only := e.Publish(t, "ann", "x")
	e.Clock.Add(2 * time.Hour)
	testenv.Must(t, storetest.Costs(t, "a page of few tweets", 1, 0, 0, func(ctx context.Context) error {
		items, next, err := e.Previews.TweetsBy(ctx, model.Viewer{}, "ann", "", 20)
		if len(items) != 1 || items[0].ID != only.ID || next != "" {
			t.Errorf("the page has %v, %q", items, next)
		}
		return err
	}))
}
