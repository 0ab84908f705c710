package reactions_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestLike(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	id := e.Tweet(t, "ann", "x").ID
	like := func(ctx context.Context) error { return e.Reactions.Like(ctx, "bob", id) }
	unlike := func(ctx context.Context) error { return e.Reactions.Unlike(ctx, "bob", id) }
	wantLiked := func(want bool) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Marks", 1, 0, 0, func(ctx context.Context) error {
			got, err := e.Tweets.ViewerState(ctx, "bob", []model.TweetID{id})
			if got[id] != (model.ViewerState{Liked: want}) {
				t.Errorf("Marks = %v, want liked %v", got[id], want)
			}
			return err
		}))
		tweet, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{ID: "bob", Role: model.Member})
		testenv.Must(t, err)
		if tweet.Liked != want {
			t.Errorf("Tweet says liked %v, want %v", tweet.Liked, want)
		}
		if got := e.Doc(t, "likes/"+model.ReactionKey("bob", id)) != nil; got != want {
			t.Errorf("there is a like: %v, want %v", got, want)
		}
	}
	testenv.Must(t, storetest.Costs(t, "Unlike, not liked", 0, 0, 0, unlike))
	wantLiked(false)
	testenv.Must(t, storetest.Costs(t, "Like, profile not cached", 3, 2, 0, like))
	wantLiked(true)
	at := e.Doc(t, "likes/"+model.ReactionKey("bob", id))["createdAt"]
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Like again", 3, 0, 0, like))
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Like again, profile forgotten", 3, 0, 0, like))
	if got := e.Doc(t, "likes/"+model.ReactionKey("bob", id))["createdAt"]; got != at {
		t.Errorf("liking again moved the like from %v to %v", at, got)
	}
	testenv.Must(t, e.Tweets.RequireTweet(t.Context(), id, model.Viewer{}))
	testenv.Must(t, storetest.Costs(t, "Unlike", 0, 1, 1, unlike))
	wantLiked(false)
	testenv.Must(t, storetest.Costs(t, "Like, tweet cached", 3, 2, 0, like))
	wantLiked(true)
	testenv.Must(t, storetest.Costs(t, "Like of one's own, profile not cached", 2, 2, 0, func(ctx context.Context) error {
		return e.Reactions.Like(ctx, "ann", id)
	}))
	testenv.Must(t, storetest.Costs(t, "Marks, signed out", 0, 0, 0, func(ctx context.Context) error {
		_, err := e.Tweets.ViewerState(ctx, "", []model.TweetID{id})
		return err
	}))

	storetest.WantErr(t, e.Reactions.Like(t.Context(), "bob", "00019a5b6c7d8e9f01"), errs.NotFound, "tweet_not_found")
	testenv.Must(t, e.Again(t, store.Options{}).Tweets.DeleteTweet(t.Context(), "ann", false, id))
	storetest.WantGone(t, e.Reactions.Like(t.Context(), "bob", id), id, "ann") // though this process has the tweet cached
	testenv.Must(t, e.Reactions.Unlike(t.Context(), "bob", id))
	testenv.Must(t, e.Reactions.Unlike(t.Context(), "bob", "00019a5b6c7d8e9f01"))
}

func TestLikesAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	id := e.Tweet(t, "ann", "x").ID
	for range 10 { // the like and the month of reactions agree, whichever call was last
		for _, err := range testenv.AtOnce(6, func(i int) error {
			if i%2 == 0 {
				return e.Reactions.Like(t.Context(), "bob", id)
			}
			return e.Reactions.Unlike(t.Context(), "bob", id)
		}) {
			testenv.Must(t, err)
		}
		got, err := e.Tweets.ViewerState(t.Context(), "bob", []model.TweetID{id})
		testenv.Must(t, err)
		if want := e.Doc(t, "likes/"+model.ReactionKey("bob", id)) != nil; got[id].Liked != want {
			t.Errorf("Marks = %v, but there is a like: %v", got[id], want)
		}
	}
}
