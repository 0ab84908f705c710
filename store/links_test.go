package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// What a follow brings into a timeline, an unfollow hides, and another follow brings
// back.
func TestLinkTimeline(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob", "cat")
	publish := func(author model.UserID, at time.Time, n int) (ids []model.TweetID) {
		for range n {
			e.clock.set(at)
			at = at.Add(time.Second)
			tweet := e.publish(t, author, "x")
			ids = slices.Insert(ids, 0, tweet.ID)
			audience, err := e.Audience(t.Context(), author, tweet.ID.Month())
			must(t, err)
			must(t, e.Deliver(t.Context(), tweet.ID, author, 0, audience.Followers))
		}
		return ids
	}
	follow := func(follower, author model.UserID) {
		t.Helper()
		e.clock.add(time.Second)
		must(t, e.Follow(t.Context(), follower, author))
		must(t, e.LinkTimeline(t.Context(), follower, author))
	}
	unfollow := func(follower, author model.UserID) {
		t.Helper()
		must(t, e.Unfollow(t.Context(), follower, author))
		must(t, e.LinkTimeline(t.Context(), follower, author))
	}
	publish("ann", date(time.October, 10), 3) // older than any timeline
	october := publish("ann", date(time.October, 25), 5)
	early := publish("ann", date(time.November, 10), 18)
	cats := publish("cat", date(time.November, 11), 2)
	e.clock.set(date(time.November, 15))

	follow("bob", "cat")
	wantHome(t, "follows cat", e.Store, "bob", cats)
	follow("bob", "ann")
	// The newest twenty from before, out of two months.
	want := slices.Concat(cats, early, october[:2])
	wantHome(t, "follows ann as well", e.Store, "bob", want)
	must(t, e.LinkTimeline(t.Context(), "bob", "ann"))
	wantHome(t, "linked again", e.Store, "bob", want)
	since := publish("ann", date(time.November, 16), 4)
	wantHome(t, "new tweets", e.Store, "bob", slices.Concat(since, want))
	must(t, e.LinkTimeline(t.Context(), "bob", "ann"))
	wantHome(t, "linked late", e.Store, "bob", slices.Concat(since, want))

	unfollow("bob", "ann")
	wantHome(t, "left ann", e.Store, "bob", cats)
	unseen := publish("ann", date(time.November, 17), 1)
	wantHome(t, "left ann, who goes on", e.Store, "bob", cats)
	follow("bob", "ann")
	// Twenty again: those that have dropped out of them since stay hidden, though they
	// stand in the timeline.
	want = slices.Concat(unseen, since, cats, early)[:model.RecentTweets+len(cats)]
	wantHome(t, "back with ann", e.Store, "bob", want)
	unfollow("bob", "cat")
	wantHome(t, "left cat", e.Store, "bob", slices.Concat(unseen, since, early)[:model.RecentTweets])
	wantHome(t, "somebody else", e.Store, "cat", nil)
}

// Of many who come and go at once, the first is served at once, and all others together.
func TestLinkTimelineAtOnce(t *testing.T) {
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
			var w writes
			e := open(t, store.Options{RollUpEvery: time.Second, FollowersPerPage: test.perPage, Meter: meter.Options{OnWrite: w.add}})
			e.users(t, "ann")
			tweets := e.tweets(t, "ann", 3)
			for _, err := range atOnce(len(tweets), func(i int) error {
				tweet, err := e.Tweet(t.Context(), tweets[i], "")
				if err != nil {
					return err
				}
				return e.PutCard(t.Context(), tweet.Tweet)
			}) {
				must(t, err)
			}
			fans := make([]model.UserID, 50)
			for i := range fans {
				fans[i] = model.UserID(fmt.Sprint("fan", i))
				e.users(t, fans[i])
				must(t, e.Follow(t.Context(), fans[i], "ann"))
			}
			gone := fans[:10]
			for _, fan := range gone {
				must(t, e.Unfollow(t.Context(), fan, "ann"))
			}
			for _, err := range atOnce(2*len(fans), func(i int) error { // each is told of twice
				return e.LinkTimeline(t.Context(), fans[i%len(fans)], "ann")
			}) {
				must(t, err)
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
			w.check(t, most)
		})
	}
}
