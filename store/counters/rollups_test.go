package counters_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

// hot is a tweet that has likes in its document and in its shards.
type hot struct {
	*storetest.Env
	id   model.TweetID
	path string
}

func newHot(t *testing.T, o store.Options, tweet map[string]any, shards map[string]map[string]any) *hot {
	t.Helper()
	e := storetest.Open(t, o)
	h := &hot{Env: e}
	e.Counters.Resting = time.Hour
	e.CreateUsers(t, "ann")
	h.id = e.Tweet(t, "ann", "a spark").ID
	h.path = "tweets/" + string(h.id)
	data := e.Doc(t, h.path)
	for field, value := range tweet {
		data[field] = value
	}
	_, err := e.Raw.Doc(h.path).Set(t.Context(), data)
	testenv.Must(t, err)
	for n, shard := range shards {
		_, err := e.Raw.Doc(h.path+"/shards/"+n).Set(t.Context(), shard)
		testenv.Must(t, err)
	}
	return h
}

func (h *hot) work() model.RollUpWork {
	return model.RollUpWork{Collection: model.Tweets, ID: string(h.id)}
}

func (h *hot) want(t *testing.T, likes, rolled int64) {
	t.Helper()
	d := h.Doc(t, h.path)
	if diff := cmp.Diff([]any{likes, map[string]any{"likeCount": rolled}},
		[]any{d["likeCount"], d["rolled"]}); diff != "" {
		t.Errorf("likeCount and rolled (-want +got):\n%s", diff)
	}
}

// Unlikes make the sum of the shards fall below the moved part. A roll-up reads the shards of all processes, whatever
// their numbers are.
func TestRollUpDown(t *testing.T) {
	t.Parallel()
	h := newHot(t, store.Options{}, map[string]any{"likeCount": 7, "rolled": map[string]any{"likeCount": 5}},
		map[string]map[string]any{
			"0": {"likeCount": 4}, "64": {"likeCount": -3}, "127": {"likeCount": 1},
		})
	_, err := h.Counters.RollUpNow(t.Context(), h.work())
	testenv.Must(t, err)
	h.want(t, 4, 2)
	_, err = h.Raw.Doc(h.path+"/shards/64").Set(t.Context(), map[string]any{"likeCount": -9})
	testenv.Must(t, err)
	_, err = h.Counters.RollUpNow(t.Context(), h.work())
	testenv.Must(t, err)
	h.want(t, -2, -4)
}

// A roll-up deletes resting shards, and the count is right with the remaining ones. A shard that is incremented between
// the read and the deletion stays, with the increment.
func TestRollUpDeletesRestingShards(t *testing.T) {
	t.Parallel()
	var between func()
	var written []string
	before := storetest.Before(func(path string, w *firestorepb.Write) bool {
		written = append(written, path)
		return between != nil && strings.Contains(path, "/shards/") && w.GetDelete() != ""
	}, func() { between() })
	h := newHot(t, store.Options{Meter: meter.Options{Below: before}}, map[string]any{"likeCount": 7,
		"rolled": map[string]any{"likeCount": 5}}, map[string]map[string]any{
		"0": {"likeCount": 4, "shareCount": 1}, "64": {"likeCount": -3}, "127": {"likeCount": 6},
	})
	shards := func() []string { return h.IDs(t, h.path+"/shards") }
	h.Counters.Resting = -time.Minute
	written = nil
	testenv.Must(t, storetest.Costs(t, "RollUpNow with shards that rest", 4, 1, 4, func(ctx context.Context) error {
		_, err := h.Counters.RollUpNow(ctx, h.work())
		return err
	}))
	// A reader of the emulator that finds the count moved finds no shard that was moved: see db.Batch.
	if at := slices.Index(written, h.path); at < 3 || !strings.HasPrefix(written[at-1], h.path+"/shards/") {
		t.Errorf("written are %q, want the shards before the count", written)
	}
	d := h.Doc(t, h.path)
	want := []any{int64(9), int64(1), map[string]any{"likeCount": int64(0), "shareCount": int64(0)}}
	if diff := cmp.Diff(want, []any{d["likeCount"], d["shareCount"], d["rolled"]}); diff != "" {
		t.Errorf("likeCount, shareCount and rolled (-want +got):\n%s", diff)
	}
	if left := shards(); len(left) > 0 {
		t.Errorf("shards that rest are left: %v", left)
	}

	increment := func(shard string, by int) {
		_, err := h.Raw.Doc(h.path+"/shards/"+shard).Set(t.Context(), map[string]any{"likeCount": firestore.Increment(by)},
			firestore.MergeAll)
		testenv.Must(t, err)
	}
	increment("3", 5)
	increment("4", 1)
	between = func() { increment("3", 2) }
	_, err := h.Counters.RollUpNow(t.Context(), h.work())
	testenv.Must(t, err)
	d = h.Doc(t, h.path)
	if diff := cmp.Diff([]any{int64(17), int64(8)},
		[]any{d["likeCount"], d["rolled"].(map[string]any)["likeCount"]}); diff != "" {
		t.Errorf("likeCount and rolled after an increment in between (-want +got):\n%s", diff)
	}
	if left := shards(); len(left) != 2 {
		t.Errorf("shards after an increment in between: %v, want both", left)
	}
}

// Nothing of a tweet was rolled up, its likes cancel each other, and one of the two shards rests.
func TestRollUpOfCancelledLikes(t *testing.T) {
	t.Parallel()
	h := newHot(t, store.Options{}, nil, map[string]map[string]any{"1": {"likeCount": 2}})
	h.Counters.Resting = time.Second
	time.Sleep(1100 * time.Millisecond)
	_, err := h.Raw.Doc(h.path+"/shards/2").Set(t.Context(), map[string]any{"likeCount": -2})
	testenv.Must(t, err)
	_, err = h.Counters.RollUpNow(t.Context(), h.work())
	testenv.Must(t, err)
	left := int64(-2)
	if len(h.IDs(t, h.path+"/shards")) == 0 {
		left = 0 // a second went by
	}
	h.want(t, 0, left)
}

// A roll-up moves only the counters of a tweet. So one write has a few transforms, also if the shards have more fields
// than one write may transform, which is 500.
func TestRollUpOfForeignFields(t *testing.T) {
	t.Parallel()
	shard := map[string]any{"likeCount": 2, "followerCount": 3, "content": "Go"}
	nested := map[string]any{}
	for i := range 300 {
		shard[fmt.Sprint("foreign", i)], nested[fmt.Sprint("tag", i)] = 1, 1
	}
	shard["nested"] = nested
	h := newHot(t, store.Options{}, nil, map[string]map[string]any{"1": shard})
	want := h.Doc(t, h.path)
	_, err := h.Counters.RollUpNow(t.Context(), h.work())
	testenv.Must(t, err)
	got := h.Doc(t, h.path)
	want["likeCount"], want["rolled"], want["changedAt"] = int64(2), map[string]any{"likeCount": int64(2)},
		got["changedAt"]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tweet (-want +got):\n%s", diff)
	}
	for collection, names := range model.Counters {
		if len(names) > 4 {
			t.Errorf("%s have %d counters; docs/model/counters.md says that a document has four at most", collection, len(names))
		}
	}
}

// A process may claim a work document and end before it did the work. The function that comes too late for the work
// enqueues it again.
func TestRollUpAsksAgain(t *testing.T) {
	t.Parallel()
	const every = 2 * time.Second // after which the work is done: not before its asking is billed
	h := newHot(t, store.Options{WriteEvery: every}, nil, map[string]map[string]any{"9": {"likeCount": 2},
		"10": {"likeCount": 1}})
	work := h.work()
	work.WrittenAt = time.Now().Truncate(time.Microsecond) // of a work document that is gone
	testenv.Must(t, storetest.Costs(t, "RollUpNow of work that was taken and not done", 3, 1, 0,
		func(ctx context.Context) error {
			_, err := h.Counters.RollUpNow(ctx, work)
			return err
		}))
	for deadline := time.Now().Add(time.Minute); h.Doc(t, h.path)["likeCount"] != int64(3); time.Sleep(every / 100) {
		if time.Now().After(deadline) {
			t.Fatalf("likeCount = %v, want 3", h.Doc(t, h.path)["likeCount"])
		}
	}
	h.want(t, 3, 3)
}

// Work that another process claimed and did is left alone, although a later increment is pending: that increment has
// enqueued its own.
func TestRollUpThatIsDone(t *testing.T) {
	t.Parallel()
	written := time.Now().Truncate(time.Microsecond)
	h := newHot(t, store.Options{}, map[string]any{"rolledAt": written}, map[string]map[string]any{"9": {"likeCount": 2}})
	work := h.work()
	work.WrittenAt = written
	testenv.Must(t, storetest.Costs(t, "RollUpNow of work that was done", 1, 0, 0, func(ctx context.Context) error {
		there, err := h.Counters.RollUpNow(ctx, work)
		if !there {
			t.Error("RollUpNow says that the tweet is gone")
		}
		return err
	}))
	if got := h.IDs(t, model.RollUps); len(got) > 0 {
		t.Errorf("work is left: %v", got)
	}
}

// Two processes count one tweet at once. Each increments shards of its own, and one roll-up
// moves the increments of both.
func TestRollUpOfTwoProcesses(t *testing.T) {
	t.Parallel()
	h := newHot(t, store.Options{}, nil, nil)
	processes := []*store.Store{h.Store, h.Again(t, store.Options{})}
	const likes = 40
	for _, err := range testenv.AtOnce(likes, func(i int) error {
		e := counters.IdempotencyRecord{EventID: fmt.Sprint(i), Function: "CountLike"}
		l := &model.Like{UserID: "bob", TweetID: h.id, AuthorID: "ann"}
		return processes[i%2].Counters.Reaction(e, l, 1).Commit(t.Context())
	}) {
		testenv.Must(t, err)
	}
	_, err := h.Counters.RollUpNow(t.Context(), h.work())
	testenv.Must(t, err)
	if got := h.Doc(t, h.path)["likeCount"]; got != int64(likes) {
		t.Errorf("likeCount = %v, want %d", got, likes)
	}
}

// The function gives the process that enqueued a roll-up time to do it.
func TestRollUpWaits(t *testing.T) {
	t.Parallel()
	const every = 200 * time.Millisecond
	e := storetest.Open(t, store.Options{WriteEvery: every})
	e.CreateUsers(t, "ann")
	begun := time.Now()
	testenv.Must(t, e.Counters.RollUp(t.Context(), model.RollUpWork{Collection: model.Users, ID: "ann"}))
	if took := time.Since(begun); took < every*3/2 {
		t.Errorf("the roll-up began after %v at most, want %v", took, every*3/2)
	}
}

// A process that claimed a roll-up without an event ends before it moves anything, and the event of the work document
// never comes. The record that the process left requests the roll-up anew.
func TestRollUpSoonInterrupted(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	var parent string
	before := storetest.Before(func(path string, w *firestorepb.Write) bool {
		return parent != "" && storetest.WritesTo(parent)(path, w)
	}, end)
	h := newHot(t, store.Options{Meter: meter.Options{Below: before}, WriteEvery: time.Minute}, nil,
		map[string]map[string]any{"0": {"likeCount": 3}})
	w := h.work()
	w.ExpireAt = time.Now().Add(time.Hour)
	written, err := h.Raw.Doc("rollups/"+model.RollUpKey(w.Collection, w.ID)).Set(t.Context(), w)
	testenv.Must(t, err)
	w.WrittenAt = written.UpdateTime
	parent = h.path
	if err := h.Counters.RollUpSoon(ctx, w); err == nil {
		t.Fatal("the process did not end")
	}
	if left := h.IDs(t, model.RollUps); len(left) > 0 {
		t.Fatalf("the work is there still: %v", left)
	}

	parent = ""
	records := h.IDs(t, model.ClaimedRollUps)
	if len(records) != 1 || records[0] != model.ClaimedRollUpKey(w.Collection, w.ID, w.WrittenAt) {
		t.Fatalf("records of roll-ups under way: %v, want one", records)
	}
	testenv.Must(t, storetest.Costs(t, "RollUpAgain", 0, 1, 1, func(ctx context.Context) error {
		return h.Counters.RollUpAgain(ctx, model.ClaimedRollUp{Collection: w.Collection, ID: w.ID, Record: records[0]})
	}))
	if left := h.IDs(t, model.RollUps); len(left) != 1 {
		t.Fatalf("work documents: %v, want one", left)
	}
	w.WrittenAt = time.Time{}
	_, err = h.Counters.RollUpNow(t.Context(), w)
	testenv.Must(t, err)
	h.want(t, 3, 3)
}

// A roll-up without an event of its own costs a record of it.
func TestRollUpSoon(t *testing.T) {
	t.Parallel()
	h := newHot(t, store.Options{}, nil, map[string]map[string]any{"0": {"likeCount": 3}})
	w := h.work()
	written, err := h.Raw.Doc("rollups/"+model.RollUpKey(w.Collection, w.ID)).Set(t.Context(), w)
	testenv.Must(t, err)
	w.WrittenAt = written.UpdateTime
	for _, c := range []struct {
		what                   string
		reads, writes, deletes int64
	}{
		{"RollUpSoon", 2, 2, 2},
		{"RollUpSoon of work that was taken", 0, 0, 0},
	} {
		testenv.Must(t, storetest.Costs(t, c.what, c.reads, c.writes, c.deletes, func(ctx context.Context) error {
			return h.Counters.RollUpSoon(ctx, w)
		}))
	}
	h.want(t, 3, 3)
	if left := h.IDs(t, model.ClaimedRollUps); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A roll-up without an event removes what is left of a tweet that is gone, and then its record.
func TestRollUpSoonOfDeletedTweet(t *testing.T) {
	t.Parallel()
	h := newHot(t, store.Options{}, nil, map[string]map[string]any{"0": {"likeCount": 3}})
	w := h.work()
	written, err := h.Raw.Doc("rollups/"+model.RollUpKey(w.Collection, w.ID)).Set(t.Context(), w)
	testenv.Must(t, err)
	w.WrittenAt = written.UpdateTime
	testenv.Must(t, h.Tweets.DeleteTweet(t.Context(), "ann", false, h.id))
	testenv.Must(t, h.Counters.RollUpSoon(t.Context(), w))
	for _, collection := range []string{model.RollUps, model.ClaimedRollUps, model.Tweets + "/" + string(h.id) + "/" +
		model.Shards} {
		if left := h.IDs(t, collection); len(left) > 0 {
			t.Errorf("left in %s: %v", collection, left)
		}
	}
}
