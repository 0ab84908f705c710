package timelines_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A follow brings an author's tweets into a timeline at once, an unfollow hides them, and another follow brings them
// back.
func TestFollow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	publish := func(author model.UserID, at time.Time, n int) (ids []model.TweetID) {
		for range n {
			e.Clock.Set(at)
			at = at.Add(time.Second)
			ids = slices.Concat(deliver(t, e, author, 1), ids)
		}
		return ids
	}
	publish("ann", storetest.Date(time.October, 10), 3) // older than any timeline
	october := publish("ann", storetest.Date(time.October, 25), 5)
	early := publish("ann", storetest.Date(time.November, 10), 18)
	cats := publish("cat", storetest.Date(time.November, 11), 2)
	e.Clock.Set(storetest.Date(time.November, 15))

	check := func(what string, want ...[]model.TweetID) {
		t.Helper()
		for _, n := range []int{1, 7, 50} {
			if got := home(t, e, "bob", n); !slices.Equal(got, slices.Concat(want...)) {
				t.Errorf("%s, by pages of %d: %v, want %v", what, n, got, want)
			}
		}
	}
	follow(t, e, "bob", "cat")
	check("follows cat", cats)
	follow(t, e, "bob", "ann")
	check("follows ann as well, with the newest twenty from before", cats, early, october[:2])
	since := publish("ann", storetest.Date(time.November, 16), 4)
	check("new tweets", since, cats, early, october[:2])
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "ann"))
	if got := idsOf(pages(t, e.Store, "bob", sizes(20), func() {})); !slices.Equal(got, cats) {
		t.Errorf("at once after the unfollow: %v, want %v", got, cats)
	}
	unseen := publish("ann", storetest.Date(time.November, 17), 1)
	follow(t, e, "bob", "ann")
	want := slices.Concat(unseen, since, cats, early)[:model.RecentTweets+len(cats)]
	if got := idsOf(pages(t, e.Store, "bob", sizes(20), func() {})); !slices.Equal(got, want) {
		t.Errorf("at once after the follow: %v, want %v", got, want)
	}
	check("back with ann", want)
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "cat"))
	check("left cat", slices.Concat(unseen, since, early)[:model.RecentTweets])
	wantHome(t, "another user has own tweets alone", e, "cat", cats)
}

// A reader follows an author of many tweets, who goes on. The tweets from before the follow are the same on the pages
// of each size: some are in the head, and others in two months.
func TestRecentOnEachPage(t *testing.T) {
	t.Parallel()
	for _, since := range []int{0, 25, model.HeadItems + 5} {
		t.Run(fmt.Sprint(since), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{PreviewsPerBucket: 12})
			e.CreateUsers(t, "ann", "bob")
			e.Clock.Set(time.Date(2026, time.November, 30, 23, 59, 50, 0, time.UTC))
			var want []model.TweetID
			for i := range model.RecentTweets + 5 { // over the end of the month
				e.Clock.Add(time.Second)
				tweet := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: []model.Audience{model.Public,
					model.Followers}[i%2]})
				testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
				want = slices.Insert(want, 0, tweet.ID)
			}
			overflow(t, e)
			want = want[:model.RecentTweets]
			follow(t, e, "bob", "ann")
			for range since / 5 {
				e.Clock.Add(time.Second)
				want = append(deliver(t, e, "ann", 5), want...)
				overflow(t, e)
			}
			for _, n := range []int{1, 7, 100} {
				if got := home(t, e, "bob", n); !slices.Equal(got, want) {
					t.Errorf("by pages of %d: %d tweets, want %d: %v", n, len(got), len(want), got)
				}
			}
		})
	}
}

// A follow and two tweets have the same millisecond. The tweets are of those from before the follow or since the
// follow, on each page alike.
func TestFollowWithinTheMillisecond(t *testing.T) {
	t.Parallel()
	for _, later := range []time.Duration{0, 300 * time.Microsecond} {
		e := storetest.Open(t, store.Options{})
		e.CreateUsers(t, "ann", "bob")
		before := deliver(t, e, "ann", model.RecentTweets+3)
		e.Clock.Add(time.Second)
		same := deliver(t, e, "ann", 2)
		e.Clock.Add(later)
		testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
		want := slices.Concat(same, before[:model.RecentTweets])
		if later > 0 {
			want = want[:model.RecentTweets]
		}
		for _, n := range []int{1, 2, 50} {
			if got := home(t, e, "bob", n); !slices.Equal(got, want) {
				t.Errorf("%v later, by pages of %d: %d tweets, want %d: %v", later, n, len(got), len(want), got)
			}
		}
	}
}

// A user follows an author in the last second of a month, and leaves the author then.
func TestEndOfMonth(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(time.Date(2026, time.November, 30, 23, 59, 57, 0, time.UTC))
	follow(t, e, "bob", "ann")
	e.Clock.Set(time.Date(2026, time.November, 30, 23, 59, 59, int(999*time.Millisecond), time.UTC))
	last := deliver(t, e, "ann", model.HeadItems)
	e.Clock.Add(time.Millisecond)
	first := deliver(t, e, "ann", 2) // the head has everything since the new month
	want := slices.Concat(first, last)
	for _, n := range []int{1, 2, 50} {
		if got := home(t, e, "bob", n); !slices.Equal(got, want) {
			t.Errorf("by pages of %d: %d tweets, want %d: %v", n, len(got), len(want), got)
		}
	}
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "ann"))
	wantHome(t, "bob left", e, "bob", []model.TweetID{})
}

// A follower who unfollows or is blocked sees no more tweets for followers at once.
func TestHomeAfterUnfollow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat")
	follow(t, e, "bob", "ann")
	public := deliver(t, e, "ann", 1)[0]
	tweet := e.Draft(t, "ann", model.Draft{Content: "for followers", Visibility: model.Followers})
	testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
	shared := share(t, e, "ann", deliver(t, e, "cat", 1)[0])
	if shared.TweetID == "" {
		t.Fatal("no share")
	}
	wantHome(t, "follows", e, "bob", []model.TweetID{shared.TweetID, tweet.ID, public})
	testenv.Must(t, e.Graph.Block(t.Context(), "cat", "bob")) // no event has come
	testenv.Must(t, e.Viewers.Block(t.Context(), "cat", "bob"))
	wantHome(t, "the author of a shared tweet blocks", e, "bob", []model.TweetID{tweet.ID, public})
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	wantHome(t, "blocked", e, "bob", []model.TweetID{})
	testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
	follow(t, e, "bob", "ann")
	wantHome(t, "back", e, "bob", []model.TweetID{tweet.ID, public})
	_, err := e.Edits.Edit(t.Context(), "ann", public, model.TweetPatch{Visibility: new(model.Mentioned)}, nil)
	testenv.Must(t, err)
	e.Clock.Add(2 * time.Hour)
	wantHome(t, "for nobody", e, "bob", []model.TweetID{tweet.ID})
}
