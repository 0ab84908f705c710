package timelines_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A home timeline has the reader's own tweets between the tweets of others, with pages of any size. They include tweets
// for everybody and for followers, but not tweets for the mentioned alone, hidden or gone tweets. A reader who becomes
// dormant keeps them.
func TestOwnTweets(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{PreviewsPerBucket: 4})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.October, 30))
	follow(t, e.Store, "bob", "ann")
	var want []model.TweetID
	mine := func(d model.Draft) {
		t.Helper()
		e.Clock.Add(time.Minute)
		tweet := e.Draft(t, "bob", d)
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		_, err := e.Previews.Reconcile(t.Context(), tweet)
		testenv.Must(t, err)
		if tweet.AudiencePartition() != model.NoAudiencePartition {
			want = slices.Insert(want, 0, tweet.ID)
		}
	}
	for _, date := range []time.Time{storetest.Date(time.October, 30), storetest.Date(time.November, 2)} {
		e.Clock.Set(date)
		for i := range 5 {
			mine(model.Draft{Content: "for everybody"})
			if i == 2 {
				mine(model.Draft{Content: "for followers", Visibility: model.Followers})
				mine(model.Draft{Content: "for nobody else", Visibility: model.Mentioned})
			}
			e.Clock.Add(time.Minute)
			want = slices.Concat(fanOut(t, e, "ann", 1), want)
		}
	}
	check := func(what string) {
		t.Helper()
		for _, limit := range []int{1, 3, 20} {
			if got := home(t, e.Store, "bob", limit); !slices.Equal(got, want) {
				t.Errorf("%s, by pages of %d: %v, want %v", what, limit, got, want)
			}
		}
	}
	check("awake")
	gone := want[1]
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, gone))
	want = slices.DeleteFunc(want, func(id model.TweetID) bool { return id == gone })
	check("one is deleted")
	hidden := want[len(want)-1]
	testenv.Must(t, e.Tweets.Flag(t.Context(), hidden, true))
	want = want[:len(want)-1]
	check("one is flagged")

	items, _, err := e.Timelines.Home(t.Context(), "bob", want[4].Position(), "", 20)
	testenv.Must(t, err)
	var newer []model.TweetID
	for _, item := range items {
		newer = append(newer, item.ID)
	}
	if !slices.Equal(newer, want[:4]) {
		t.Errorf("what came since is %v, want %v", newer, want[:4])
	}
	_, err = e.Raw.Doc(model.Homes + "/bob").Delete(t.Context())
	testenv.Must(t, err)
	e.Clock.Add(25 * time.Hour) // the next visit is recorded, and finds bob dormant
	check("asleep")
}
