package store_test

import (
	"slices"
	"testing"
	"time"

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
			must(t, e.Deliver(t.Context(), tweet.ID, author, audience.Followers))
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
