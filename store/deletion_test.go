package store_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestDeleteTweet(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	first, second := e.tweet(t, "ann", "1"), e.tweet(t, "ann", "2")
	remove := func(by model.UserID, admin bool, id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.DeleteTweet(ctx, by, admin, id) }
	}
	wantErr(t, costs(t, "a stranger", 1, 0, 0, remove("bob", false, first.ID)), errs.Forbidden, "not_author")
	wantErr(t, costs(t, "unknown", 2, 0, 0, remove("ann", false, "00019a5b6c7d8e9f01")), errs.NotFound, "tweet_not_found")
	if e.doc(t, "tweets/"+string(first.ID)) == nil {
		t.Fatal("a stranger deleted the tweet")
	}
	must(t, costs(t, "the author", 1, 1, 2, remove("ann", false, first.ID)))
	must(t, costs(t, "an administrator", 1, 1, 2, remove("bob", true, second.ID)))
	for _, id := range []model.TweetID{first.ID, second.ID} {
		wantGone(t, remove("ann", false, id)(t.Context()), id, "ann")
		for _, collection := range []string{"tweets/", "tweetDetails/"} {
			if got := e.doc(t, collection+string(id)); got != nil {
				t.Errorf("%s%s is still there: %v", collection, id, got)
			}
		}
		if got := e.doc(t, "tombstones/"+string(id)); got["authorId"] != "ann" || got["formerType"] != "tweet" {
			t.Errorf("tombstone = %v", got)
		}
	}
}

func TestDeletionsAtOnce(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	for range 5 {
		tweet := e.tweet(t, "ann", "x")
		failures := atOnce(10, func(int) error { return e.DeleteTweet(t.Context(), "ann", false, tweet.ID) })
		onlyWinner(t, failures, errs.Gone, "tweet_deleted")
		wantGone(t, e.Exists(t.Context(), tweet.ID), tweet.ID, "ann")
	}
}
