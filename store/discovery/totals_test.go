package discovery_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func never() bool { return false }

// Totals are counted when they are due, and cost a read for each 1,000 documents.
func TestTotals(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Second})
	want := func(what string, of map[string]int64) {
		t.Helper()
		got, err := e.Again(t, store.Options{}).Totals.Totals(t.Context()) // past the cache
		testenv.Must(t, err)
		if diff := cmp.Diff(of, got.Of); diff != "" {
			t.Errorf("totals of %s (-want +got):\n%s", what, diff)
		}
	}
	count := func(ctx context.Context) error { return e.Totals.CountDue(ctx, never) }
	want("nothing", map[string]int64{})
	testenv.Must(t, storetest.Costs(t, "the first count", 1+5, 1, 0, count))
	want("an empty database", map[string]int64{"users": 0, "tweets": 0, "relationships": 0, "likes": 0, "shares": 0})
	e.CreateUsers(t, "ann", "bob")
	a := e.Tweet(t, "ann", "a spark")
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	testenv.Must(t, e.Reactions.Like(t.Context(), "bob", a.ID))
	testenv.Must(t, storetest.Costs(t, "nothing is due", 1, 0, 0, count))
	e.Clock.Add(time.Minute)
	testenv.Must(t, e.Totals.CountDue(t.Context(), func() bool { return true }))
	want("a tick without time", map[string]int64{"users": 0, "tweets": 0, "relationships": 0, "likes": 0, "shares": 0})
	testenv.Must(t, count(t.Context()))
	of := map[string]int64{"users": 2, "tweets": 1, "relationships": 1, "likes": 1, "shares": 0}
	want("facts", of)
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, a.ID))
	e.Clock.Add(time.Minute)
	testenv.Must(t, count(t.Context()))
	of["tweets"] = 0
	read := func(ctx context.Context) error {
		got, err := e.Totals.Totals(ctx)
		if diff := cmp.Diff(of, got.Of); diff != "" {
			t.Errorf("totals after a deletion (-want +got):\n%s", diff)
		}
		return err
	}
	testenv.Must(t, storetest.Costs(t, "the first caller", 1, 0, 0, read))
	e.Clock.Add(time.Minute)
	testenv.Must(t, storetest.Costs(t, "the next caller within a minute", 0, 0, 0, read))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "a caller after a minute", 1, 0, 0, read))

	// The more there is to count, the longer a total stays: 20,000 reads a day.
	for total, wait := range map[int64]time.Duration{10_000: 45 * time.Second, 1_000_000: 72 * time.Minute} {
		now := e.Clock.Now()
		_, err := e.Raw.Doc("totals/all").Set(t.Context(), model.TotalCounts{Of: map[string]model.Total{
			"users": {Count: total, TriedAt: now.Add(time.Second - wait)}, "tweets": {TriedAt: now},
			"relationships": {TriedAt: now}, "likes": {TriedAt: now}, "shares": {TriedAt: now}}})
		testenv.Must(t, err)
		testenv.Must(t, storetest.Costs(t, fmt.Sprint(total, " users, a second too early"), 1, 0, 0, count))
		e.Clock.Add(time.Second)
		testenv.Must(t, storetest.Costs(t, fmt.Sprint(total, " users"), 1+1, 1, 0, count))
	}
}

// A large collection is counted in slices, and its total changes when all slices are counted. Every id is in a slice.
func TestTotalsInSlices(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Totals.SliceAbove = 3
	e.Totals.Due = func(model.Total) bool { return true }
	ids := []string{"-dash", "00", "0z", "1", "9x", "Ann", "Zoe", "a", "ann", "zoe", "~tilde", "火花"}
	for _, id := range ids {
		_, err := e.Raw.Collection(model.Users).Doc(id).Set(t.Context(), map[string]any{})
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Totals.CountDue(t.Context(), never)) // a small collection until now
	_, err := e.Raw.Collection(model.Users).Doc("bob").Set(t.Context(), map[string]any{})
	testenv.Must(t, err)
	total := func() model.Total {
		var is model.TotalCounts
		snap, err := e.Raw.Doc("totals/all").Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&is))
		return is.Of[model.Users]
	}
	for n := range 62 {
		if got := total(); got.Count != int64(len(ids)) {
			t.Fatalf("after %d slices the total is %d, want %d", n, got.Count, len(ids))
		}
		testenv.Must(t, e.Totals.CountDue(t.Context(), never))
	}
	if got := total(); got.Count != int64(len(ids))+1 || got.Next != "" {
		t.Errorf("after all slices the total is %+v, want %d", got, len(ids)+1)
	}
}

// A collection that takes too long to be counted at once is counted in slices from the first time on. A slice that
// takes too long keeps its number, and the next one is counted.
func TestTotalsThatTakeTooLong(t *testing.T) {
	t.Parallel()
	users := func(q *firestorepb.StructuredQuery) bool { return q.GetFrom()[0].GetCollectionId() == model.Users }
	slow := users
	late := func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
		opts ...grpc.CallOption) (grpc.ClientStream, error) {
		stream, err := open(ctx, desc, conn, method, opts...)
		return &lateCounts{stream, slow}, err
	}
	e := storetest.Open(t, store.Options{Meter: meter.Options{BelowReads: late}})
	e.Totals.Due, e.Totals.Timeout = func(model.Total) bool { return true }, 300*time.Millisecond
	_, err := e.Raw.Collection(model.Users).Doc("ann").Set(t.Context(), map[string]any{})
	testenv.Must(t, err)
	total := func() model.Total {
		var is model.TotalCounts
		snap, err := e.Raw.Doc("totals/all").Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&is))
		return is.Of[model.Users]
	}
	testenv.Must(t, e.Totals.CountDue(t.Context(), never))
	if got := total(); got.Next != "0" || got.TriedAt.IsZero() || !got.CountedAt.IsZero() {
		t.Fatalf("after a count that took too long the total is %+v", got)
	}
	if err := e.Totals.CountDue(t.Context(), never); err == nil {
		t.Error("a slice that takes too long is no error")
	}
	if got := total(); got.Next != "1" {
		t.Fatalf("after a slice that took too long the total is %+v", got)
	}
	e.Totals.Timeout = 20 * time.Second
	slow = func(q *firestorepb.StructuredQuery) bool {
		return users(q) && q.GetStartAt() == nil && q.GetEndAt() == nil
	}
	for range 62 {
		testenv.Must(t, e.Totals.CountDue(t.Context(), never))
	}
	if got := total(); got.Count != 1 || len(got.Slices) != 62 {
		t.Errorf("after all slices the total is %d of %d slices, want 1 of 62", got.Count, len(got.Slices))
	}
}

// lateCounts makes some counts take too long.
type lateCounts struct {
	grpc.ClientStream
	slow func(*firestorepb.StructuredQuery) bool
}

func (s *lateCounts) SendMsg(msg any) error {
	if req, ok := msg.(*firestorepb.RunAggregationQueryRequest); ok &&
		s.slow(req.GetStructuredAggregationQuery().GetStructuredQuery()) {
		<-s.Context().Done()
		return status.FromContextError(s.Context().Err()).Err()
	}
	return s.ClientStream.SendMsg(msg)
}
