package scale_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

var followed = flag.Int("followed", 240, "how many users somebody follows who returns after a month")

// TestReturn lets somebody who follows very many users be put to sleep, return after 31 days,
// look at the home timeline, and wait until it is complete.
func TestReturn(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	t.Parallel()
	bob := model.UserID("bob")
	n := *followed
	e := start(t, store.Options{StaleAfter: 5 * time.Second}, eventarc.Faults{Duplicate: 2}, func(e *env) {
		e.clock.set(time.Date(2026, time.April, 20, 12, 0, 0, 0, time.UTC))
		b := e.raw.BulkWriter(t.Context())
		set := func(path string, doc any) {
			_, err := b.Set(e.raw.Doc(path), doc)
			testenv.Must(t, err)
		}
		long := e.clock.now().Add(-100 * day)
		set(model.Users+"/bob", model.User{Username: "bob", FollowedCount: int64(n)})
		set(model.Homes+"/bob", model.Home{SeenAt: e.clock.now().Add(-32 * day).Truncate(day)})
		ids := model.NewTweetIDs(e.clock.now)
		for i := range n {
			author := model.UserID(fmt.Sprintf("author%05d", i))
			tweet, _, err := model.NewTweet(ids.Next(author), &model.User{ID: author, Username: string(author)}, nil,
				model.Draft{Content: "a spark"})
			testenv.Must(t, err)
			set(model.Relationships+"/"+model.RelationshipKey(bob, author), model.Relationship{FollowerID: bob,
				FollowedID: author, CreatedAt: long})
			set(model.FollowerPages+"/"+model.FollowerPageKey(author), map[string]any{"followers": map[string]any{"bob": long}})
			tweet.ChangedAt = time.Time{}
			set(model.Tweets+"/"+string(tweet.ID), tweet)
			set(model.Heads+"/"+string(author),
				map[string]any{"tweets": map[string]any{string(tweet.ID): tweet.Preview()}})
			set(model.TweetMonths+"/"+model.MonthKey(author, tweet.ID.Month()), map[string]any{
				"userId": author, "month": tweet.ID.Month(), "tweets": map[string]any{string(tweet.ID): tweet.Preview()},
			})
		}
		b.End()
	})
	gone := func(paths ...string) bool {
		refs := make([]*firestore.DocumentRef, len(paths))
		for i, path := range paths {
			refs[i] = e.raw.Doc(path)
		}
		snaps, err := e.raw.GetAll(t.Context(), refs)
		testenv.Must(t, err)
		for _, snap := range snaps {
			if snap.Exists() {
				return false
			}
		}
		return true
	}
	begun := time.Now()
	_, err := e.raw.Doc(model.Sweeps+"/today").Set(t.Context(), model.SweepWork{})
	testenv.Must(t, err)
	e.idle(t)
	if !gone("homes/bob", "sleeps/bob") {
		t.Fatal("bob is not dormant")
	}
	t.Logf("dormant with %d authors after %.1f s", n, time.Since(begun).Seconds())

	m := meter.New()
	begun = time.Now()
	items, _, err := e.Store.Timelines.Home(meter.With(t.Context(), m), bob, "", "", 20)
	testenv.Must(t, err)
	t.Logf("first page of %d tweets after %.2f s, %d reads", len(items), time.Since(begun).Seconds(), m.Reads())
	// 2 for the month, 2 or more for the list of authors, 1 for follows since, 200 authors, 20
	// tweets and 20 relationships.
	if most := int64(min(n, 200) + n/400 + 50); len(items) != 20 || m.Reads() > most {
		t.Errorf("the first page has %d tweets and costs %d reads, want 20 and at most %d", len(items), m.Reads(), most)
	}
	begun = time.Now()
	e.idle(t)
	for !gone("wakes/bob") { // the event was lost, or the idle runner did not see the next step yet
		time.Sleep(100 * time.Millisecond)
	}
	shown, kept, err := e.Store.Timelines.Shown(t.Context(), bob)
	testenv.Must(t, err)
	if len(shown) != n || !kept {
		t.Errorf("bob's timeline has %d tweets, kept up %v, want %d", len(shown), kept, n)
	}
	t.Logf("complete after %.1f s", time.Since(begun).Seconds())
}
