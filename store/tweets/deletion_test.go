package tweets_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestDeleteTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	first, second := e.Tweet(t, "ann", "1"), e.Tweet(t, "ann", "2")
	remove := func(by model.UserID, admin bool, id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Tweets.DeleteTweet(ctx, by, admin, id) }
	}
	storetest.WantErr(t, storetest.Costs(t, "a stranger", 1, 0, 0, remove("bob", false, first.ID)), errs.Forbidden,
		"not_author")
	storetest.WantErr(t, storetest.Costs(t, "unknown", 2, 0, 0, remove("ann", false, "00019a5b6c7d8e9f01")), errs.NotFound,
		"tweet_not_found")
	if e.Doc(t, "tweets/"+string(first.ID)) == nil {
		t.Fatal("a stranger deleted the tweet")
	}
	testenv.Must(t, storetest.Costs(t, "the author", 1, 1, 2, remove("ann", false, first.ID)))
	testenv.Must(t, storetest.Costs(t, "an administrator", 1, 1, 2, remove("bob", true, second.ID)))
	for _, id := range []model.TweetID{first.ID, second.ID} {
		storetest.WantGone(t, remove("ann", false, id)(t.Context()), id, "ann")
		for _, collection := range []string{"tweets/", "tweetDetails/"} {
			if got := e.Doc(t, collection+string(id)); got != nil {
				t.Errorf("%s%s is still there: %v", collection, id, got)
			}
		}
		if got := e.Doc(t, "tombstones/"+string(id)); got["authorId"] != "ann" || got["formerType"] != "tweet" {
			t.Errorf("tombstone = %v", got)
		}
	}
}

func TestDeletionsAtOnce(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64 // no two deletions have the same time
	e := storetest.Open(t, store.Options{Now: func() time.Time {
		return storetest.Date(time.November, 15).Add(time.Duration(calls.Add(1)) * time.Microsecond)
	}})
	e.CreateUsers(t, "ann")
	for range 5 {
		tweet := e.Tweet(t, "ann", "x")
		failures := testenv.AtOnce(10, func(int) error { return e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID) })
		storetest.OnlyWinner(t, failures, errs.Gone, "tweet_deleted")
		storetest.WantGone(t, e.Tweets.RequireTweet(t.Context(), tweet.ID, model.Viewer{}), tweet.ID, "ann")
	}
}
