package facts_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestFullMonth likes more tweets of a month than the month of reactions holds. The
// document stays small, and every answer stays right.
func TestFullMonth(t *testing.T) {
	t.Parallel()
	const limit, n = 5, 12
	e := storetest.Open(t, store.Options{ReactionsPerMonth: limit})
	e.Users(t, "ann", "bob")
	ids := e.Tweets(t, "ann", n) // newest first; the oldest are liked first
	liked := map[model.TweetID]bool{}
	month := "reactions/" + model.MonthKey("bob", ids[0].Month())
	check := func(what string, held int, full bool) {
		t.Helper()
		doc := e.Doc(t, month)
		tweets, _ := doc["tweets"].(map[string]any)
		if isFull, _ := doc["full"].(bool); len(tweets) != held || isFull != full {
			t.Errorf("%s: the month holds %d likes and full is %v, want %d and %v: %v", what, len(tweets), isFull, held, full, doc)
		}
		reads := int64(1)
		if full { // the likes that the month does not hold are read
			for _, id := range ids {
				if tweets[string(id)] == nil {
					reads++
				}
			}
		}
		testenv.Must(t, storetest.Costs(t, what+": Liked", reads, 0, 0, func(ctx context.Context) error {
			got, err := e.Facts.Liked(ctx, "bob", append(ids, ids[0]))
			for _, id := range ids {
				if got[id] != liked[id] {
					t.Errorf("%s: bob likes %s is %v, want %v", what, id, got[id], liked[id])
				}
			}
			return err
		}))
		for _, id := range ids {
			reads := int64(3)
			if full && tweets[string(id)] == nil {
				reads = 4
			}
			testenv.Must(t, storetest.Costs(t, what+": Tweet", reads, 0, 0, func(ctx context.Context) error {
				got, err := e.Facts.Tweet(ctx, id, model.Viewer{ID: "bob", Role: model.Member})
				if err == nil && got.Liked != liked[id] {
					t.Errorf("%s: Tweet says that %s is liked: %v, want %v", what, id, got.Liked, liked[id])
				}
				return err
			}))
		}
	}
	like := func(s *store.Store, id model.TweetID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Like, profile not cached", 5, 2, 0, func(ctx context.Context) error { return s.Facts.Like(ctx, "bob", id) }))
		liked[id] = true
		e.CoolDown()
		e.Clock.Add(time.Second) // so that no process remembers bob's profile
	}
	unlike := func(id model.TweetID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Unlike", 0, 1, 1, func(ctx context.Context) error { return e.Facts.Unlike(ctx, "bob", id) }))
		liked[id] = false
	}
	e.CoolDown()
	e.Clock.Add(time.Second)
	for i := range limit {
		like(e.Store, ids[n-1-i])
	}
	check("at the limit", limit, false)
	like(e.Store, ids[n-1-limit])
	check("beyond the limit", limit, true)
	like(e.Store, ids[n-2-limit])
	unlike(ids[n-1])       // the month holds the like
	unlike(ids[n-2-limit]) // the month does not hold the like
	check("without two", limit-1, true)
	like(e.Store, ids[n-1])
	check("liked again", limit-1, true)

	// Each process that does not know of the full month puts one more like into it.
	other := e.Again(t, store.Options{ReactionsPerMonth: limit})
	for _, id := range ids[:4] {
		like(other, id)
	}
	check("by another process", limit, true)

	// A process that has shown a page to the user knows of the full month.
	third := e.Again(t, store.Options{ReactionsPerMonth: limit})
	unlike(ids[0])
	_, err := third.Facts.Liked(t.Context(), "bob", ids)
	testenv.Must(t, err)
	unlike(ids[1])
	like(third, ids[1])
	check("by a process that has read", limit-1, true)

	// Another month begins anew, and so does another user.
	e.Clock.Set(storetest.Date(12, 15))
	december := e.Tweet(t, "ann", "december").ID
	e.CoolDown()
	e.Clock.Add(time.Second)
	like(e.Store, december)
	testenv.Must(t, e.Facts.Like(t.Context(), "ann", ids[0]))
	for _, path := range []string{"reactions/" + model.MonthKey("bob", december.Month()), "reactions/" + model.MonthKey("ann", ids[0].Month())} {
		if doc := e.Doc(t, path); doc["full"] != nil || len(doc["tweets"].(map[string]any)) != 1 {
			t.Errorf("%s = %v, want one like", path, doc)
		}
	}
}

// TestUnlikeLeavesNothing likes tweets and stops liking them.
func TestUnlikeLeavesNothing(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	ids := e.Tweets(t, "ann", 3)
	for _, id := range ids {
		testenv.Must(t, e.Facts.Like(t.Context(), "ann", id))
	}
	testenv.Must(t, e.Facts.Unlike(t.Context(), "ann", ids[0]))
	_, err := e.Facts.RemoveLikes(t.Context(), ids[1], func() bool { return false })
	testenv.Must(t, err)
	got, _ := e.Doc(t, "reactions/"+model.MonthKey("ann", ids[0].Month()))["tweets"].(map[string]any)
	if len(got) != 1 || got[string(ids[2])] != true {
		t.Errorf("the month holds %v, want %s alone", got, ids[2])
	}
}
