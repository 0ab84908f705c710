package discovery_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/verify"
)

// Every source document counts once, also if its tweet or author is gone, if its event comes again, or if its event
// comes before that of an earlier one.
func TestTotals(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	n := 0
	idempotencyRecord := func() counters.IdempotencyRecord {
		n++
		e.CoolDown()
		return counters.IdempotencyRecord{EventID: fmt.Sprint("event/", n), Function: "Test"}
	}
	want := func(what string, of map[string]int64) {
		t.Helper()
		e.Clock.Add(time.Minute)
		got, err := e.Totals.Totals(t.Context())
		testenv.Must(t, err)
		if diff := cmp.Diff(of, got.Of); diff != "" {
			t.Errorf("totals of %s (-want +got):\n%s", what, diff)
		}
	}
	want("nothing", map[string]int64{})
	ctx := t.Context()
	a := e.Tweet(t, "ann", "a spark").ID
	like := func(by model.UserID, id model.TweetID) *model.Like {
		return &model.Like{UserID: by, TweetID: id, AuthorID: "ann"}
	}
	share := func(by model.UserID, id model.TweetID) *model.Share {
		return &model.Share{UserID: by, TweetID: id, AuthorID: "ann"}
	}
	testenv.Must(t, e.Counters.CountUser(ctx, idempotencyRecord(), 1))
	testenv.Must(t, e.Counters.CountTweet(ctx, idempotencyRecord(), "ann", 1))
	testenv.Must(t, e.Counters.CountTweet(ctx, idempotencyRecord(), "nobody", 1))
	testenv.Must(t, e.Counters.CountFollow(ctx, idempotencyRecord(), "bob", "ann", 1))
	testenv.Must(t, e.Counters.CountFollow(ctx, idempotencyRecord(), "nobody", "no one", 1))
	again := idempotencyRecord()
	for range 3 {
		testenv.Must(t, e.Counters.CountLike(ctx, again, like("bob", a), 1))
	}
	lost := idempotencyRecord()
	for range 2 { // of a tweet that is gone
		testenv.Must(t, e.Counters.CountShare(ctx, lost, share("bob", "0000000000000000aa"), 1))
	}
	want("facts", map[string]int64{"users": 1, "tweets": 2, "relationships": 2, "likes": 1, "shares": 1})
	testenv.Must(t, e.Counters.CountShare(ctx, idempotencyRecord(), share("bob", "0000000000000000aa"), -1))
	// its creation is late
	testenv.Must(t, e.Counters.CountShare(ctx, idempotencyRecord(), share("cat", "0000000000000000aa"), -1))
	want("an end before its beginning", map[string]int64{"users": 1, "tweets": 2, "relationships": 2, "likes": 1,
		"shares": 0})
	testenv.Must(t, e.Counters.CountShare(ctx, idempotencyRecord(), share("cat", "0000000000000000aa"), 1))
	want("all", map[string]int64{"users": 1, "tweets": 2, "relationships": 2, "likes": 1, "shares": 0})
	e.Clock.Add(time.Minute)
	testenv.Must(t, storetest.Costs(t, "the first caller", 5, 0, 0, func(ctx context.Context) error {
		_,
			err := e.Totals.Totals(ctx)
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "the next caller", 0, 0, 0, func(ctx context.Context) error {
		_,
			err := e.Totals.Totals(ctx)
		return err
	}))

	// A crowd is counted in shards, and a total that was never there is made.
	var crowd sync.WaitGroup
	for i := range 40 {
		crowd.Go(func() {
			testenv.Must(t, e.Counters.CountUser(ctx, counters.IdempotencyRecord{EventID: fmt.Sprint("crowd/", i),
				Function: "Test"}, 1))
		})
	}
	crowd.Wait()
	_, err := e.Counters.RollUpNow(ctx, model.RollUpWork{Collection: model.Totals, ID: model.Users})
	testenv.Must(t, err)
	want("a crowd", map[string]int64{"users": 41, "tweets": 2, "relationships": 2, "likes": 1, "shares": 0})
}

// verify finds a wrong or missing total, and repairs it.
func TestVerifyTotals(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	for name, n := range map[string]int{"users": 7, "likes": 2} {
		_, err := e.Raw.Doc("totals/"+name).Set(t.Context(), map[string]any{"count": n, "rolled": map[string]any{"count": 5}})
		testenv.Must(t, err)
	}
	for doc, n := range map[string]int{"users/shards/1": 9, "relationships/shards/0": 4} {
		_, err := e.Raw.Doc("totals/"+doc).Set(t.Context(), map[string]any{"count": n})
		testenv.Must(t, err)
	}
	totals := func(ds []verify.Difference) map[string]string {
		found := map[string]string{}
		for _, d := range ds {
			if d.Kind == model.Totals {
				found[d.Document] = fmt.Sprint(d.Have, " ", d.Want)
			}
		}
		return found
	}
	ds, err := e.Audit.All(t.Context(), verify.Options{Repair: true, Wait: func(context.Context) error { return nil }})
	testenv.Must(t, err)
	want := map[string]string{"totals/users": "11 3", "totals/relationships": "<nil> 1", "totals/likes": "2 0"}
	if diff := cmp.Diff(want, totals(ds)); diff != "" {
		t.Errorf("verify (-want +got):\n%s", diff)
	}
	ds, err = e.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	if got := totals(ds); len(got) > 0 {
		t.Errorf("after the repair verify finds %v", got)
	}
	e.Clock.Add(time.Minute)
	got, err := e.Totals.Totals(t.Context())
	testenv.Must(t, err)
	if got.Of["users"] != 3 || got.Of["relationships"] != 1 || got.Of["likes"] != 0 {
		t.Errorf("totals = %v", got.Of)
	}
}

// A total that has shards before it has a document gets one.
func TestShardsFirst(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Raw.Doc("totals/shares/shards/3").Set(t.Context(), map[string]any{"count": 4})
	testenv.Must(t, err)
	there, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Totals, ID: model.Shares})
	testenv.Must(t, err)
	got, err := e.Totals.Totals(t.Context())
	testenv.Must(t, err)
	if !there || got.Of[model.Shares] != 4 {
		t.Errorf("there is %v, and totals are %v, want 4 shares", there, got.Of)
	}
}
