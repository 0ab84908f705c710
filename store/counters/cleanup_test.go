package counters_test

import (
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Shards of a deleted tweet go, however they came. Shards of a tweet that is there stay.
func TestStrayShards(t *testing.T) {
	t.Parallel()
	shards := map[string]map[string]any{"0": {"likeCount": 2}, "127": {"replyCount": 1}}
	tests := map[string]func(h *hot) error{
		"RollUpNow": func(h *hot) error {
			there, err := h.Counters.RollUpNow(t.Context(), h.work())
			if there {
				t.Error("RollUpNow says that a deleted tweet is there")
			}
			return err
		},
		"CleanUp": func(h *hot) error { return h.Counters.CleanUp(t.Context(), h.id, nil) },
		"RemoveStrayShards": func(h *hot) error {
			return h.Counters.RemoveStrayShards(t.Context(), model.Tweets,
				string(h.id))
		},
	}
	for name, remove := range tests {
		h := newHot(t, store.Options{}, nil, shards)
		stray := func(want bool) {
			t.Helper()
			got, err := h.Counters.HasStrayShards(t.Context(), model.Tweets, string(h.id))
			testenv.Must(t, err)
			if got != want {
				t.Errorf("%s: HasStrayShards = %v, want %v", name, got, want)
			}
		}
		stray(false)
		testenv.Must(t, h.Counters.RemoveStrayShards(t.Context(), model.Tweets, string(h.id)))
		if got := h.IDs(t, h.path+"/shards"); len(got) != 2 {
			t.Errorf("the shards %v are left of a tweet that is there, want 2", got)
		}
		testenv.Must(t, h.Tweets.DeleteTweet(t.Context(), "ann", false, h.id))
		stray(true)
		testenv.Must(t, remove(h))
		stray(false)
		if got := h.IDs(t, h.path+"/shards"); len(got) != 0 {
			t.Errorf("%s leaves the shards %v", name, got)
		}
	}
}

// A deleted tweet had more likes than one step removes. Each step removes what is left.
func TestCleanUpInSteps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{StepTime: time.Nanosecond})
	e.CreateUsers(t, "ann")
	tweet := e.Tweet(t, "ann", "a spark")
	b := e.Raw.BulkWriter(t.Context())
	const n = 450 // 200 in a step
	for i := range n {
		uid := model.UserID(fmt.Sprint("fan", i))
		_, err := b.Set(e.Raw.Doc("likes/"+model.ReactionKey(uid, tweet.ID)), model.Like{UserID: uid, TweetID: tweet.ID,
			AuthorID: "ann"})
		testenv.Must(t, err)
	}
	b.End()
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	testenv.Must(t, e.Counters.CleanUp(t.Context(), tweet.ID, nil))
	steps := 1
	for {
		snaps, err := e.Raw.GetAll(t.Context(), []*firestore.DocumentRef{e.Raw.Doc("cleanups/" + string(tweet.ID))})
		testenv.Must(t, err)
		if !snaps[0].Exists() {
			break
		}
		testenv.Must(t, e.Counters.ContinueCleanUp(t.Context(), model.CleanUpWork{TweetID: tweet.ID,
			WrittenAt: snaps[0].UpdateTime}))
		steps++
	}
	if left := e.IDs(t, model.Likes); len(left) > 0 || steps != 3 {
		t.Errorf("%d likes are left after %d steps, want none after 3", len(left), steps)
	}
}

// The likes of a hot tweet cancelled each other. Its deletion still finds the shards.
func TestCancelledShards(t *testing.T) {
	t.Parallel()
	h := newHot(t, store.Options{}, nil, map[string]map[string]any{"0": {"likeCount": 1}, "127": {"likeCount": -1}})
	if _, err := h.Counters.RollUpNow(t.Context(), h.work()); err != nil {
		t.Fatal(err)
	}
	h.want(t, 0, 0)
	was, err := h.Tweets.Tweet(t.Context(), h.id, model.Viewer{ID: "ann", Role: model.Member})
	testenv.Must(t, err)
	testenv.Must(t, h.Tweets.DeleteTweet(t.Context(), "ann", false, h.id))
	testenv.Must(t, h.Counters.CleanUp(t.Context(), h.id, was.Tweet))
	if got := h.IDs(t, h.path+"/shards"); len(got) > 0 {
		t.Errorf("the shards %q are left", got)
	}
}
