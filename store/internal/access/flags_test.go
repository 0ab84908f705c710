package access_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// An unknown tweet and a hidden tweet give the same errors, at the same cost.
func TestFlag(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	const never = model.TweetID("00019a5b6c7d8e9f01")
	tweet := e.Tweet(t, "ann", "x")
	before := e.Doc(t, "tweets/"+string(tweet.ID))["changedAt"]
	e.CoolDown()
	flag := func(flagged bool) func(context.Context) error {
		return func(ctx context.Context) error { return e.Tweets.Flag(ctx, tweet.ID, flagged) }
	}
	testenv.Must(t, storetest.Costs(t, "Flag", 1, 1, 0, flag(true)))
	testenv.Must(t, storetest.Costs(t, "Flag again", 1, 0, 0, flag(true)))
	if doc := e.Doc(t, "tweets/"+string(tweet.ID)); doc["isViolative"] != true || doc["changedAt"] == before ||
		doc["moderatedAt"] == nil {
		t.Errorf("the flagged tweet is %v", doc)
	}
	read := func(id model.TweetID, v model.Viewer) map[string]func(context.Context) error { return reads(e, id, v) }
	act := func(id model.TweetID, uid model.UserID) map[string]func(context.Context) error {
		return acts(e, id, uid)
	}
	bob := model.Viewer{ID: "bob", Role: model.Member}
	testenv.Must(t, storetest.Costs(t, "Unlike", 0, 0, 0, func(ctx context.Context) error {
		return e.Reactions.Unlike(ctx, "bob", tweet.ID)
	}))
	for _, id := range []model.TweetID{never, tweet.ID} {
		e.CoolDown()
		for name, reads := range map[string]int64{"Tweet": 3, "RequireTweet": 2, "RequireParent": 2, "Batch": 2} {
			e.CoolDown()
			storetest.WantErr(t, storetest.Costs(t, name+" of "+string(id), reads, 0, 0, read(id, bob)[name]), errs.NotFound,
				"tweet_not_found")
		}
		_, err := e.Users.Users(t.Context(), []model.UserID{"bob"})
		testenv.Must(t, err)
		testenv.Must(t, e.Reactions.Like(t.Context(), "bob", e.Tweet(t, "bob",
			"own").ID)) // the process remembers bob's profile
		for name, do := range act(id, "bob") {
			storetest.WantErr(t, storetest.Costs(t, name+" of "+string(id), 2, 0, 0, do), errs.NotFound, "tweet_not_found")
		}
	}
	for _, v := range []model.Viewer{{}, {ID: "ann", Role: model.Anonymous}, {ID: "bob", Role: model.Frozen}} {
		for _, do := range read(tweet.ID, v) {
			storetest.WantErr(t, do(t.Context()), errs.NotFound, "tweet_not_found")
		}
	}
	for _, v := range []model.Viewer{{ID: "ann", Role: model.Member}, {ID: "ann", Role: model.Frozen},
		{ID: "bob", Role: model.Moderator}, {ID: "bob", Role: model.Administrator}} {
		for name, do := range read(tweet.ID, v) {
			if err := do(t.Context()); err != nil {
				t.Errorf("%s by %+v: %v", name, v, err)
			}
		}
	}
	for name, do := range act(tweet.ID, "ann") {
		if name != "DeleteTweet" {
			storetest.WantErr(t, do(t.Context()), errs.Forbidden, "not_allowed")
		}
	}
	if n := len(e.IDs(t, model.Likes)) + len(e.IDs(t, model.Shares)); n != 2 { // bob's own
		t.Errorf("%d likes and shares, want 2", n)
	}
	testenv.Must(t, storetest.Costs(t, "Flag, taken back", 1, 1, 0, flag(false)))
	testenv.Must(t, e.Reactions.Like(t.Context(), "bob", tweet.ID))
	testenv.Must(t, flag(true)(t.Context()))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	storetest.WantGone(t, storetest.Costs(t, "Flag, gone", 2, 0, 0, flag(true)), tweet.ID, "ann")
	storetest.WantErr(t, e.Tweets.Flag(t.Context(), never, true), errs.NotFound, "tweet_not_found")
}

// A process with the tweet in its cache from before the flag refuses, too.
func TestFlagOfCachedTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	id := e.Tweet(t, "ann", "x").ID
	testenv.Must(t, e.Tweets.RequireTweet(t.Context(), id, model.Viewer{}))
	testenv.Must(t, e.Again(t, store.Options{}).Tweets.Flag(t.Context(), id, true))
	storetest.WantErr(t, e.Reactions.Like(t.Context(), "bob", id), errs.NotFound, "tweet_not_found")
	storetest.WantErr(t, e.Shares.Share(t.Context(), "bob", id), errs.NotFound, "tweet_not_found")
}
