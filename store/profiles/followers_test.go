package profiles_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestTweetsForFollowers reads a profile with tweets for followers, with pages of every size and as every viewer.
// Months overflow in both audience partitions.
func TestTweetsForFollowers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 4})
	e.CreateUsers(t, "ann", "fan", "bob")
	testenv.Must(t, e.Graph.Follow(t.Context(), "fan", "ann"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	var open, all []model.TweetID // newest first
	for n, m := range []time.Month{time.March, time.April, time.September, time.November} {
		e.Clock.Set(storetest.Date(m, 1))
		for i := range 14 {
			draft := model.Draft{Content: "x"}
			switch {
			case i%3 == n%3 || m == time.April:
				draft.Visibility = model.Followers
			case i == 7:
				draft.Visibility = model.Mentioned
			}
			tweet := e.Draft(t, "ann", draft)
			testenv.Must(t, e.Previews.Put(t.Context(), tweet))
			_, err := e.Previews.Reconcile(t.Context(), tweet)
			testenv.Must(t, err)
			if draft.Visibility == "" {
				open = slices.Insert(open, 0, tweet.ID)
			}
			if draft.Visibility != model.Mentioned {
				all = slices.Insert(all, 0, tweet.ID)
			}
		}
		for _, audiencePartition := range []model.AudiencePartition{model.OpenAudiencePartition,
			model.FollowersAudiencePartition} {
			testenv.Must(t, e.Previews.Overflow(t.Context(), audiencePartition,
				model.MonthKey("ann", model.MonthOf(e.Clock.Now()))))
		}
	}
	if e.Doc(t, "followerMonths/ann_2026-11_1") == nil {
		t.Error("the month for followers was not spilt")
	}
	for viewer, want := range map[model.Viewer][]model.TweetID{
		{}:                                     open,
		{ID: "bob", Role: model.Member}:        open,
		{ID: "ann", Role: model.Anonymous}:     open,
		{ID: "ann", Role: model.Frozen}:        all,
		{ID: "fan", Role: model.Member}:        all,
		{ID: "bob", Role: model.Moderator}:     all,
		{ID: "bob", Role: model.Administrator}: all,
	} {
		for _, limit := range []int{1, 5, 19, model.RecentTweets, 21, 100} {
			var got []model.TweetID
			for before := model.TweetID(""); ; {
				items, next, err := e.Previews.TweetsBy(t.Context(), viewer, "ann", before, limit)
				testenv.Must(t, err)
				for _, item := range items {
					got = append(got, item.ID)
				}
				if before = next; next == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v by pages of %d gets %v, want %v", viewer, limit, got, want)
			}
		}
	}
	first := func(v model.Viewer) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := e.Previews.TweetsBy(ctx, v, "ann", "", 2)
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "first page, signed out", 1, 0, 0, first(model.Viewer{})))
	testenv.Must(t, storetest.Costs(t, "first page of a stranger", 2, 0, 0,
		first(model.Viewer{ID: "bob", Role: model.Member})))
	testenv.Must(t, storetest.Costs(t, "first page of a follower", 4, 0, 0,
		first(model.Viewer{ID: "fan", Role: model.Member})))
	testenv.Must(t, storetest.Costs(t, "first page of the author", 3, 0, 0,
		first(model.Viewer{ID: "ann", Role: model.Member})))
	testenv.Must(t, storetest.Costs(t, "first page of an author without tweets", 2, 0, 0, func(ctx context.Context) error {
		_, _, err := e.Previews.TweetsBy(ctx, model.Viewer{ID: "fan", Role: model.Member}, "bob", "", 20)
		return err
	}))
}

// A page of months without tweets for followers may be longer than a page with such tweets. If it reaches such tweets,
// it ends there, and the next page goes on.
func TestPageThatGetsShorter(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var want []model.TweetID // newest first
	put := func(m time.Month, n int, visibility model.Audience) {
		e.Clock.Set(storetest.Date(m, 1))
		for range n {
			tweet := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: visibility})
			testenv.Must(t, e.Previews.Put(t.Context(), tweet))
			_, err := e.Previews.Reconcile(t.Context(), tweet)
			testenv.Must(t, err)
			want = slices.Insert(want, 0, tweet.ID)
		}
	}
	put(time.September, 5, model.Public)
	put(time.October, 2, model.Followers)
	put(time.November, model.MaxJoinedPage+3, model.Public)
	ann := model.Viewer{ID: "ann", Role: model.Member}
	items, next, err := e.Previews.TweetsBy(t.Context(), ann, "ann", "", 100)
	testenv.Must(t, err)
	if len(items) != model.MaxJoinedPage+3 || next != items[len(items)-1].ID {
		t.Fatalf("the first page has %d tweets, and the next begins at %q", len(items), next)
	}
	rest, next, err := e.Previews.TweetsBy(t.Context(), ann, "ann", next, 100)
	testenv.Must(t, err)
	var got []model.TweetID
	for _, item := range append(items, rest...) {
		got = append(got, item.ID)
	}
	if !slices.Equal(got, want) || next != "" {
		t.Errorf("both pages have %d tweets, want %d; next %q", len(got), len(want), next)
	}
}

// A tweet that changes its audience during Put ends in the right audience partition.
func TestReconcileOtherAudiencePartition(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	on := func(what string, id model.TweetID, want model.AudiencePartition) {
		t.Helper()
		for _, audiencePartition := range []model.AudiencePartition{model.OpenAudiencePartition,
			model.FollowersAudiencePartition} {
			tweets, _ := e.Doc(t, audiencePartition.Months()+"/ann_2026-11")["tweets"].(map[string]any)
			if _, got := tweets[string(id)]; got != (audiencePartition == want) {
				t.Errorf("%s: %s has the card: %v", what, audiencePartition.Months(), got)
			}
		}
	}
	now := func(id model.TweetID) *model.Tweet {
		all, err := e.Tweets.TweetsNow(t.Context(), []model.TweetID{id})
		testenv.Must(t, err)
		return all[id]
	}
	for _, pair := range [][2]model.Audience{{model.Public, model.Followers}, {model.Followers, model.Unlisted},
		{model.Followers, model.Mentioned}} {
		posted := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: pair[0]})
		_, err := e.Edits.Edit(t.Context(), "ann", posted.ID, model.TweetPatch{Visibility: &pair[1]}, nil)
		testenv.Must(t, err)
		edited := now(posted.ID)
		testenv.Must(t, e.Previews.Update(t.Context(), posted.ID, posted, edited)) // the later event comes first
		on("updated", posted.ID, edited.AudiencePartition())
		testenv.Must(t, e.Previews.Put(t.Context(), posted))
		found, err := e.Previews.Reconcile(t.Context(), posted)
		if err != nil || !found {
			t.Errorf("Settle: %v, %v", found, err)
		}
		on("settled", posted.ID, edited.AudiencePartition())
		testenv.Must(t, e.Previews.Update(t.Context(), posted.ID, posted, edited))
		on("updated again", posted.ID, edited.AudiencePartition())
	}
}

// A late event of a new tweet never writes a preview of a former version. Not even for the moment before Reconcile,
// because the function may be killed then.
func TestLatePut(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	previews := func() int {
		tweets, _ := e.Doc(t, model.OpenAudiencePartition.Months()+"/ann_2026-11")["tweets"].(map[string]any)
		return len(tweets)
	}
	narrow, gone, same := e.Tweet(t, "ann", "a spark"), e.Tweet(t, "ann", "a spark"), e.Tweet(t, "ann", "a spark")
	_, err := e.Edits.Edit(t.Context(), "ann", narrow.ID, model.TweetPatch{Visibility: new(model.Followers)}, nil)
	testenv.Must(t, err)
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, gone.ID))
	e.CoolDown()
	testenv.Must(t, e.Previews.Put(t.Context(), narrow))
	testenv.Must(t, e.Previews.Put(t.Context(), gone))
	if n := previews(); n > 0 {
		t.Errorf("%d late cards show tweets that are for followers or gone", n)
	}
	testenv.Must(t, e.Previews.Put(t.Context(), same))
	if n := previews(); n != 1 {
		t.Errorf("ann's month has %d cards, want 1", n)
	}
}
