package counters_test

import (
	"testing"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
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
		"CleanUp":           func(h *hot) error { return h.Counters.CleanUp(t.Context(), h.id) },
		"RemoveStrayShards": func(h *hot) error { return h.Counters.RemoveStrayShards(t.Context(), model.Tweets, string(h.id)) },
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
		testenv.Must(t, h.Facts.DeleteTweet(t.Context(), "ann", false, h.id))
		stray(true)
		testenv.Must(t, remove(h))
		stray(false)
		if got := h.IDs(t, h.path+"/shards"); len(got) != 0 {
			t.Errorf("%s leaves the shards %v", name, got)
		}
	}
}
