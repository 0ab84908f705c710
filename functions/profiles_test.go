package functions_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/strict"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A new name reaches all tweets of its owner, also one that an instance of the API writes
// a moment later while it still has the former name in its cache, whatever happens to
// the events.
func TestPropagateProfile(t *testing.T) {
	t.Parallel()
	o := store.Options{CacheTTL: 2 * time.Second}
	s := stacktest.Run(t, stack.Options{Store: o, Faults: &eventarc.Faults{Seed: 1, Duplicate: 3,
		Delay: 50 * time.Millisecond}})
	ctx := t.Context()
	o.Emulator, o.Meter = testenv.FirestoreHost(t), strict.Meter(t, o.Meter)
	other, err := store.Open(ctx, s.Project, "", o)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	post := func(by *store.Store, author model.UserID) *model.Tweet {
		t.Helper()
		tweet, err := by.Tweets.CreateTweet(ctx, author, model.Draft{Content: "a spark", AllowLikes: true}, model.Request{})
		if err != nil {
			t.Fatal(err)
		}
		return tweet.Tweet
	}
	for _, uid := range []model.UserID{"ann", "bob"} {
		if _, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid),
			Nickname: string(uid)}); err != nil {
			t.Fatal(err)
		}
	}
	all := map[model.TweetID]string{post(other, "ann").ID: "Ann the Second", post(s.Store, "bob").ID: "bob"}
	nickname := "Ann the Second"
	if err := s.Store.Users.UpdateUser(ctx, "ann", model.UserPatch{Nickname: &nickname}); err != nil {
		t.Fatal(err)
	}
	late := post(other, "ann")
	all[late.ID] = nickname
	stacktest.Idle(t, s)
	for id, want := range all {
		got, err := other.Tweets.TweetsNow(ctx, []model.TweetID{id})
		if err != nil {
			t.Fatal(err)
		}
		if got[id].Author.Nickname != want {
			t.Errorf("tweet %s is by %q, want %q", id, got[id].Author.Nickname, want)
		}
	}
	if late.Author.Nickname == nickname {
		t.Log("the cache had expired already, on this slow machine")
	}
}
