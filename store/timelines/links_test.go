package timelines_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// follow makes follower follow author, and runs the trigger of the follow.
func follow(t *testing.T, s *store.Store, follower, author model.UserID) {
	t.Helper()
	testenv.Must(t, s.Graph.Follow(t.Context(), follower, author))
	testenv.Must(t, s.Timelines.Link(t.Context(), follower, author))
}

// unfollow ends a follow, and runs the trigger of the unfollow.
func unfollow(t *testing.T, s *store.Store, follower, author model.UserID) {
	t.Helper()
	testenv.Must(t, s.Graph.Unfollow(t.Context(), follower, author))
	testenv.Must(t, s.Timelines.Link(t.Context(), follower, author))
}

// A follow brings an author's tweets into a timeline, an unfollow hides them, and another follow brings them back.
func TestLink(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	publish := func(author model.UserID, at time.Time, n int) (ids []model.TweetID) {
		for range n {
			e.Clock.Set(at)
			at = at.Add(time.Second)
			ids = slices.Concat(fanOut(t, e, author, 1), ids)
		}
		return ids
	}
	publish("ann", storetest.Date(time.October, 10), 3) // older than any timeline
	october := publish("ann", storetest.Date(time.October, 25), 5)
	early := publish("ann", storetest.Date(time.November, 10), 18)
	cats := publish("cat", storetest.Date(time.November, 11), 2)
	e.Clock.Set(storetest.Date(time.November, 15))

	e.Clock.Add(time.Second)
	follow(t, e.Store, "bob", "cat")
	wantHome(t, "follows cat", e.Store, "bob", cats)
	e.Clock.Add(time.Second)
	follow(t, e.Store, "bob", "ann")
	// The newest twenty tweets from before the follow, from two months.
	want := slices.Concat(cats, early, october[:2])
	wantHome(t, "follows ann as well", e.Store, "bob", want)
	testenv.Must(t, e.Timelines.Link(t.Context(), "bob", "ann"))
	wantHome(t, "linked again", e.Store, "bob", want)
	since := publish("ann", storetest.Date(time.November, 16), 4)
	wantHome(t, "new tweets", e.Store, "bob", slices.Concat(since, want))
	testenv.Must(t, e.Timelines.Link(t.Context(), "bob", "ann"))
	wantHome(t, "linked late", e.Store, "bob", slices.Concat(since, want))

	unfollow(t, e.Store, "bob", "ann")
	wantHome(t, "left ann", e.Store, "bob", cats)
	unseen := publish("ann", storetest.Date(time.November, 17), 1)
	wantHome(t, "left ann, who goes on", e.Store, "bob", cats)
	e.Clock.Add(time.Second)
	follow(t, e.Store, "bob", "ann")
	// The newest twenty again. Older tweets stay hidden, though the timeline has them.
	want = slices.Concat(unseen, since, cats, early)[:model.RecentTweets+len(cats)]
	wantHome(t, "back with ann", e.Store, "bob", want)
	unfollow(t, e.Store, "bob", "cat")
	wantHome(t, "left cat", e.Store, "bob", slices.Concat(unseen, since, early)[:model.RecentTweets])
	wantHome(t, "somebody else, who has own tweets alone", e.Store, "cat", cats)
}

// Many users follow and unfollow at once. The first is served at once, and all others together.
func TestLinkAtOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name             string
		perPage          int
		pages            int
		ofFirst, ofOther int // writes of the pages, at most
	}{
		{"on one page", 1_000, 0, 3, 0},
		{"so many that they are split", 20, model.FollowerPageCount, 3 + 2, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var w storetest.Writes
			e := storetest.Open(t, store.Options{WriteEvery: time.Second, FollowersPerPage: test.perPage,
				Meter: meter.Options{OnWrite: w.Add}})
			e.CreateUsers(t, "ann")
			tweets := e.CreateTweets(t, "ann", 3)
			for _, err := range testenv.AtOnce(len(tweets), func(i int) error {
				tweet, err := e.Tweets.Tweet(t.Context(), tweets[i], model.Viewer{})
				if err != nil {
					return err
				}
				return e.Previews.Put(t.Context(), tweet.Tweet)
			}) {
				testenv.Must(t, err)
			}
			fans := make([]model.UserID, 50)
			for i := range fans {
				fans[i] = model.UserID(fmt.Sprint("fan", i))
				e.CreateUsers(t, fans[i])
				testenv.Must(t, e.Graph.Follow(t.Context(), fans[i], "ann"))
			}
			gone := fans[:10]
			for _, fan := range gone {
				testenv.Must(t, e.Graph.Unfollow(t.Context(), fan, "ann"))
			}
			for _, err := range testenv.AtOnce(2*len(fans), func(i int) error { // each event comes twice
				return e.Timelines.Link(t.Context(), fans[i%len(fans)], "ann")
			}) {
				testenv.Must(t, err)
			}
			most := map[string]int{"followerPages/ann": test.ofFirst}
			got, pages := linked(t, e.Store, "ann")
			if want := followersOf(t, e.Store, "ann"); pages != test.pages || !slices.Equal(got, want) || len(got) != 40 {
				t.Errorf("followers = %v on %d pages, want %v on %d", got, pages, want, test.pages)
			}
			for _, fan := range fans {
				if test.pages > 0 {
					most["followerPages/"+model.HashedFollowerPageKey("ann", model.FollowerPage(fan))] = test.ofOther
				}
				if slices.Contains(gone, fan) {
					wantHome(t, "left ann", e.Store, fan, nil)
				} else {
					wantHome(t, "follows ann", e.Store, fan, tweets)
				}
			}
			w.Check(t, most)
		})
	}
}

// An author wrote more than a timeline takes at once: the follower pulls the tweets.
func TestBackfillOfVeryMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	var want []model.TweetID
	tweets := map[string]any{}
	for range 250 {
		e.Clock.Add(time.Second)
		tweet := e.Tweet(t, "bob", "a spark")
		want = slices.Insert(want, 0, tweet.ID)
		tweets[string(tweet.ID)] = tweet.Preview()
	}
	_, err := e.Raw.Doc("tweetMonths/bob_2026-11").
		Set(t.Context(), map[string]any{"userId": "bob", "month": "2026-11", "tweets": tweets})
	testenv.Must(t, err)
	testenv.Must(t, e.Timelines.Link(t.Context(), "ann", "bob"))
	if entries, _ := e.Doc(t, "timelines/ann_2026-11")["entries"].(map[string]any); len(entries) > 0 {
		t.Errorf("%d entries were written, want none", len(entries))
	}
	more := fanOut(t, e, "bob", 1)
	wantHome(t, "pulled", e.Store, "ann", append(more, want...))
}
