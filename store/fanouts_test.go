package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestFanOut(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	const id = model.TweetID("3f019a5b6c7d8e9f01")
	start := func(ctx context.Context) error {
		return e.StartFanOut(ctx, id, "ann", model.FollowerPageCount, model.FanOutPush)
	}
	must(t, costs(t, "StartFanOut", 0, 16, 0, start))
	must(t, costs(t, "StartFanOut again", 0, 16, 0, start))
	want := map[string]any{"tweetId": string(id), "authorId": "ann", "page": int64(7), "kind": "push", "expireAt": e.clock.now().Add(24 * time.Hour)}
	if diff := cmp.Diff(want, e.doc(t, "fanouts/"+model.FanOutKey(id, 7, model.FanOutPush))); diff != "" {
		t.Errorf("work of page 7 (-want +got):\n%s", diff)
	}
	for n := range model.FollowerPageCount {
		if got := len(e.ids(t, model.FanOuts)); got != model.FollowerPageCount-n {
			t.Errorf("%d work documents, want %d", got, model.FollowerPageCount-n)
		}
		work := store.FanOutWork{Kind: model.FanOutPush, TweetID: id, AuthorID: "ann", Page: n}
		for range 2 { // it may have been ended already
			must(t, costs(t, "EndFanOut", 0, 0, 1, func(ctx context.Context) error { return e.EndFanOut(ctx, work) }))
		}
	}
}
