package audit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A card belongs into the month of its tweet, and into no other.
func TestStrayCards(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	tweet := e.Publish(t, "ann", "a spark")
	month := map[string]any{"userId": "ann", "month": "2026-10", "tweets": map[string]any{string(tweet.ID): tweet.Card()}}
	_, err := e.Raw.Doc("tweetMonths/ann_2026-10").Set(t.Context(), month)
	testenv.Must(t, err)
	want := []found{{"tweetMonths/ann_2026-10", "tweets." + string(tweet.ID), "card", nil, false}}
	if diff := cmp.Diff(want, differences(t, e, "ann", model.TweetMonths)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
