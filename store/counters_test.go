package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// effect is a new effect; the clock moves on, so that no counter becomes hot.
func (e *env) effect(name string) store.Effect {
	e.clock.add(time.Minute)
	return store.Effect{EventID: "event/" + name, Function: "Test"}
}

func TestCountFollow(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	count := func(effect store.Effect, follower, followed model.UserID, by int64) func(context.Context) error {
		return func(ctx context.Context) error { return e.CountFollow(ctx, effect, follower, followed, by) }
	}
	wantCounts := func(uid model.UserID, followers, followed int64) {
		t.Helper()
		u, err := e.User(t.Context(), uid)
		must(t, err)
		if u.FollowerCount != followers || u.FollowedCount != followed {
			t.Errorf("%s has %d followers and follows %d, want %d and %d", uid, u.FollowerCount, u.FollowedCount, followers, followed)
		}
	}
	first := e.effect("1")
	must(t, costs(t, "CountFollow", 0, 3, 0, count(first, "ann", "bob", 1)))
	must(t, costs(t, "CountFollow again", 1, 0, 0, count(first, "ann", "bob", 1)))
	must(t, costs(t, "CountFollow, another event", 0, 3, 0, count(e.effect("2"), "ann", "bob", 1)))
	wantCounts("ann", 0, 2)
	wantCounts("bob", 2, 0)
	must(t, costs(t, "CountFollow, down", 0, 3, 0, count(e.effect("3"), "ann", "bob", -1)))
	wantCounts("ann", 0, 1)
	wantCounts("bob", 1, 0)
	// Of somebody who is gone there is nothing to count, of the other there is.
	must(t, costs(t, "CountFollow, one gone", 2, 2, 0, count(e.effect("4"), "nobody", "bob", 1)))
	must(t, costs(t, "CountFollow, both gone", 2, 0, 0, count(e.effect("5"), "nobody", "no one", 1)))
	wantCounts("bob", 2, 0)
	if got := len(e.ids(t, model.Users)); got != 2 {
		t.Errorf("%d users, want no new ones", got)
	}
	record := e.doc(t, "processedEvents/"+model.EffectKey("event/4", "Test"))
	if got, want := record["expireAt"].(time.Time), e.clock.now().Add(model.DedupeWindow); got.Before(want.Add(-time.Hour)) || got.After(want) {
		t.Errorf("the record expires at %v, want a day after %v", got, e.clock.now())
	}
}

func TestCountTweet(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	tags := []string{"go", "火花", "a-b", "1st", "_"}
	must(t, costs(t, "CountTweet", 0, 2, 0, func(ctx context.Context) error { return e.CountTweet(ctx, e.effect("1"), "ann", tags, 1) }))
	must(t, e.CountTweet(t.Context(), e.effect("2"), "ann", []string{"go"}, 1))
	must(t, e.CountTweet(t.Context(), e.effect("3"), "ann", nil, 1))
	must(t, e.CountTweet(t.Context(), e.effect("4"), "ann", []string{"1st"}, -1))
	u, err := e.User(t.Context(), "ann")
	must(t, err)
	if diff := cmp.Diff(map[string]int64{"go": 2, "火花": 1, "a-b": 1, "1st": 0, "_": 1}, u.TagsUsed); diff != "" || u.TweetCount != 2 {
		t.Errorf("%d tweets, tags (-want +got):\n%s", u.TweetCount, diff)
	}
	must(t, costs(t, "CountTweet of nobody", 1, 0, 0, func(ctx context.Context) error { return e.CountTweet(ctx, e.effect("5"), "nobody", nil, 1) }))
}

func TestCountTags(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	count := func(effect store.Effect, by map[string]int64) func(context.Context) error {
		return func(ctx context.Context) error { return e.CountTags(ctx, effect, by, map[string]string{"go": "Go"}) }
	}
	first := e.effect("1")
	must(t, costs(t, "first use", 1, 1+2, 0, count(first, map[string]int64{"go": 1})))
	must(t, costs(t, "repeated", 1, 0, 0, count(first, map[string]int64{"go": 1})))
	must(t, costs(t, "a new one and a known one", 2, 1+3, 0, count(e.effect("2"), map[string]int64{"go": 1, "火花": 1})))
	must(t, costs(t, "known ones", 0, 3, 0, count(e.effect("3"), map[string]int64{"go": -1, "火花": 1})))
	// The deletion of a tweet may be heard of before its creation.
	must(t, count(e.effect("4"), map[string]int64{"late": -1})(t.Context()))
	must(t, count(e.effect("5"), map[string]int64{"late": 1})(t.Context()))
	for name, want := range map[string]string{"go": "Go 1", "火花": "火花 2", "late": "late 0"} {
		if d := e.doc(t, "tags/"+name); fmt.Sprint(d["content"], " ", d["tweetCount"]) != want {
			t.Errorf("tag %s = %v, want %s", name, d, want)
		}
	}
}

func TestCountLikeAndReply(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	id := e.tweet(t, "ann", "x").ID
	like := func(effect store.Effect, id model.TweetID, by int64, want bool) func(context.Context) error {
		return func(ctx context.Context) error {
			held, err := e.CountLike(ctx, effect, id, by)
			if held != want {
				t.Errorf("CountLike(%v) tells that the tweet is there: %v, want %v", effect, held, want)
			}
			return err
		}
	}
	reply := func(effect store.Effect, id model.TweetID, by int64) func(context.Context) error {
		return func(ctx context.Context) error { return e.CountReply(ctx, effect, id, by) }
	}
	first := e.effect("1")
	must(t, costs(t, "CountLike", 0, 2, 0, like(first, id, 1, true)))
	must(t, costs(t, "CountLike again", 1, 0, 0, like(first, id, 1, true)))
	must(t, costs(t, "CountReply", 0, 2, 0, reply(e.effect("2"), id, 1)))
	must(t, like(e.effect("3"), id, 1, true)(t.Context()))
	must(t, like(e.effect("4"), id, -1, true)(t.Context()))
	must(t, reply(store.Effect{EventID: first.EventID, Function: "Other"}, id, 1)(t.Context())) // one event has many effects
	got, err := e.Tweet(t.Context(), id, "")
	must(t, err)
	if got.LikeCount != 1 || got.ReplyCount != 2 {
		t.Errorf("likeCount %d, replyCount %d, want 1 and 2", got.LikeCount, got.ReplyCount)
	}
	must(t, e.DeleteTweet(t.Context(), "ann", false, id))
	must(t, costs(t, "CountLike, tweet gone", 1, 0, 0, like(e.effect("5"), id, 1, false)))
	must(t, costs(t, "CountReply, tweet gone", 1, 0, 0, reply(e.effect("6"), id, 1)))
	if e.doc(t, "tweets/"+string(id)) != nil {
		t.Error("counting brought a deleted tweet back")
	}
}

// Many events, each delivered several times at once, count once each.
func TestCountsOnce(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{RollUpEvery: time.Millisecond})
	e.users(t, "ann")
	id := e.tweet(t, "ann", "x").ID
	const events = 20
	for _, err := range atOnce(5*events, func(i int) error {
		held, err := e.CountLike(t.Context(), store.Effect{EventID: fmt.Sprint(i % events), Function: "CountLike"}, id, 1)
		if err == nil && !held {
			t.Error("CountLike says that the tweet is gone")
		}
		return err
	}) {
		must(t, err)
	}
	_, err := e.RollUp(t.Context(), store.RollUpWork{Collection: model.Tweets, ID: string(id)}) // the counter is hot
	must(t, err)
	got, err := e.Tweet(t.Context(), id, "")
	must(t, err)
	if got.LikeCount != events {
		t.Errorf("likeCount = %d, want %d", got.LikeCount, events)
	}
}
