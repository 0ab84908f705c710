package discovery_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

// Users of a tag are listed by their number of tweets with it. A user without such a tweet is left out.
func TestUsersOfTag(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	for i, use := range []struct {
		uid model.UserID
		by  map[string]int64
	}{
		{"ann", map[string]int64{"go": 2, "a_b": 1}}, {"bob", map[string]int64{"go": 5}},
		{"cat_1", map[string]int64{"go": 2}},
		{"dan", map[string]int64{"go": 1, "other": 9}}, {"dan", map[string]int64{"go": -1}},
		{"eve", map[string]int64{"go_go": 7}},
	} {
		e.CoolDown()
		testenv.Must(t, e.Counters.CountTags(t.Context(), counters.IdempotencyRecord{EventID: fmt.Sprint(i), Function: "f"},
			use.uid, use.by, nil))
	}
	for limit := 1; limit <= 4; limit++ {
		var got []string
		for from := (model.Cursor{}); ; {
			page, err := e.Tags.Users(t.Context(), "go", from, limit)
			testenv.Must(t, err)
			for _, u := range page.Items {
				got = append(got, fmt.Sprint(u.UserID, " ", u.TweetCount))
			}
			if from = page.Next; from.IsZero() || len(got) > 5 {
				break
			}
		}
		if want := []string{"bob 5", "cat_1 2", "ann 2"}; !slices.Equal(got, want) {
			t.Errorf("users by %d = %q, want %q", limit, got, want)
		}
	}
	testenv.Must(t, storetest.Costs(t, "users of a tag", 3, 0, 0, func(ctx context.Context) error {
		_, err := e.Tags.Users(ctx, "go", model.Cursor{}, 10)
		return err
	}))
}

// The last user of a tag comes first, each user once over all pages, with the newest tweet that everybody sees.
func TestNewestUsersOfTag(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	say := func(author model.UserID, content string, audience model.Audience) model.TweetID {
		t.Helper()
		e.Clock.Add(time.Second)
		tweet := e.Draft(t, author, model.Draft{Content: content, Visibility: audience})
		testenv.Must(t, e.Previews.Put(t.Context(), tweet))
		_, err := e.Previews.Reconcile(t.Context(), tweet)
		testenv.Must(t, err)
		return tweet.ID
	}
	cats := say("cat", "#go", model.Public)
	for range 3 {
		say("ann", "#go", model.Public)
		say("bob", "#go", model.Public)
	}
	bobs := say("bob", "#go", model.Public)
	dans := say("dan", "#go", model.Public)
	say("cat", "#go", model.Unlisted)
	say("cat", "#other", model.Public)
	anns := say("ann", "#go", model.Public)
	flagged := say("dan", "#go", model.Public)
	before, err := e.Tweets.TweetsNow(t.Context(), []model.TweetID{flagged})
	testenv.Must(t, err)
	testenv.Must(t, e.Tweets.Flag(t.Context(), flagged, true))
	after, err := e.Tweets.TweetsNow(t.Context(), []model.TweetID{flagged})
	testenv.Must(t, err)
	testenv.Must(t, e.Previews.Update(t.Context(), flagged, before[flagged], after[flagged]))
	for limit := 1; limit <= 12; limit++ {
		var got []model.TweetID
		for from := (model.Cursor{}); ; {
			page, err := e.Tags.NewestUsers(t.Context(), "go", from, limit)
			testenv.Must(t, err)
			for _, tweet := range page.Items {
				got = append(got, tweet.ID)
			}
			if from = page.Next; from.IsZero() {
				break
			}
		}
		if want := []model.TweetID{anns, dans, bobs, cats}; !slices.Equal(got, want) {
			t.Errorf("newest by %d = %q, want %q", limit, got, want)
		}
	}
	first := func(ctx context.Context) (model.Cursor, error) {
		page, err := e.Tags.NewestUsers(ctx, "go", model.Cursor{}, 5)
		return page.Next, err
	}
	testenv.Must(t, storetest.Costs(t, "first page", 5, 0, 0, func(ctx context.Context) error {
		_, err := first(ctx)
		return err
	}))
	next, err := first(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "second page, with two authors", 5+2, 0, 0, func(ctx context.Context) error {
		_, err := e.Tags.NewestUsers(ctx, "go", next, 5)
		return err
	}))
}
