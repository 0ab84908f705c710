package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestLike(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	id := e.tweet(t, "ann", "x").ID
	like := func(ctx context.Context) error { return e.Like(ctx, "bob", id) }
	unlike := func(ctx context.Context) error { return e.Unlike(ctx, "bob", id) }
	wantLiked := func(want bool) {
		t.Helper()
		must(t, costs(t, "Liked", 1, 0, 0, func(ctx context.Context) error {
			got, err := e.Liked(ctx, "bob", []model.TweetID{id})
			if got[id] != want {
				t.Errorf("Liked = %v, want %v", got[id], want)
			}
			return err
		}))
		tweet, err := e.Tweet(t.Context(), id, "bob")
		must(t, err)
		if tweet.Liked != want {
			t.Errorf("Tweet says liked %v, want %v", tweet.Liked, want)
		}
		if got := e.doc(t, "likes/"+model.ReactionKey("bob", id)) != nil; got != want {
			t.Errorf("there is a like: %v, want %v", got, want)
		}
	}
	must(t, costs(t, "Unlike, not liked", 0, 0, 0, unlike))
	wantLiked(false)
	must(t, costs(t, "Like", 4, 2, 0, like))
	wantLiked(true)
	at := e.doc(t, "likes/"+model.ReactionKey("bob", id))["createdAt"]
	e.coolDown()
	must(t, costs(t, "Like again", 4, 0, 0, like))
	if got := e.doc(t, "likes/"+model.ReactionKey("bob", id))["createdAt"]; got != at {
		t.Errorf("liking again moved the like from %v to %v", at, got)
	}
	must(t, e.Exists(t.Context(), id))
	must(t, costs(t, "Unlike", 0, 1, 1, unlike))
	wantLiked(false)
	must(t, costs(t, "Like, tweet cached", 4, 2, 0, like))
	wantLiked(true)
	must(t, costs(t, "Like of one's own", 1, 2, 0, func(ctx context.Context) error { return e.Like(ctx, "ann", id) }))
	must(t, costs(t, "Liked, signed out", 0, 0, 0, func(ctx context.Context) error { _, err := e.Liked(ctx, "", []model.TweetID{id}); return err }))

	wantErr(t, e.Like(t.Context(), "bob", "00019a5b6c7d8e9f01"), errs.NotFound, "tweet_not_found")
	must(t, e.again(t, store.Options{}).DeleteTweet(t.Context(), "ann", false, id))
	wantGone(t, e.Like(t.Context(), "bob", id), id, "ann") // though it is cached here
	must(t, e.Unlike(t.Context(), "bob", id))
	must(t, e.Unlike(t.Context(), "bob", "00019a5b6c7d8e9f01"))
}

func TestLikesAtOnce(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	id := e.tweet(t, "ann", "x").ID
	for range 10 { // the like and what a page reads of it agree, whoever was last
		for _, err := range atOnce(6, func(i int) error {
			if i%2 == 0 {
				return e.Like(t.Context(), "bob", id)
			}
			return e.Unlike(t.Context(), "bob", id)
		}) {
			must(t, err)
		}
		got, err := e.Liked(t.Context(), "bob", []model.TweetID{id})
		must(t, err)
		if want := e.doc(t, "likes/"+model.ReactionKey("bob", id)) != nil; got[id] != want {
			t.Errorf("Liked = %v, but there is a like: %v", got[id], want)
		}
	}
}

func TestRemoveLikes(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	id, other := e.tweet(t, "ann", "x").ID, e.tweet(t, "ann", "y").ID
	const n = 210 // more than go into one commit
	for _, err := range atOnce(n, func(i int) error {
		return e.Like(t.Context(), model.UserID(fmt.Sprint("fan_", i)), id)
	}) {
		must(t, err)
	}
	must(t, e.Like(t.Context(), "fan_1", other))
	must(t, e.Unlike(t.Context(), "fan_0", id))
	must(t, e.Unlike(t.Context(), "fan_0", id)) // it may be gone already
	must(t, costs(t, "RemoveLikes", n-1+1, n-1, n-1, func(ctx context.Context) error { return e.RemoveLikes(ctx, id) }))
	must(t, costs(t, "RemoveLikes, none left", 1, 0, 0, func(ctx context.Context) error { return e.RemoveLikes(ctx, id) }))
	if got, want := fmt.Sprint(e.ids(t, model.Likes)), fmt.Sprint([]string{model.ReactionKey("fan_1", other)}); got != want {
		t.Errorf("likes = %v, want %v", got, want)
	}
	for _, fan := range []model.UserID{"fan_0", "fan_1", "fan_209"} {
		got, err := e.Liked(t.Context(), fan, []model.TweetID{id, other})
		must(t, err)
		if got[id] || got[other] != (fan == "fan_1") {
			t.Errorf("%s likes %v", fan, got)
		}
	}
}
