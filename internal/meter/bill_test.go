//lint:file-ignore SA1019 a batch is one round trip, see store/internal/db

package meter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// fill writes documents a/00 to a/{n-1}, numbered by the field n, unmetered.
func fill(t *testing.T, client *firestore.Client, n int) {
	t.Helper()
	batch := client.BulkWriter(t.Context())
	for i := range n {
		if _, err := batch.Set(client.Doc(fmt.Sprintf("a/%02d", i)), map[string]any{"n": i}); err != nil {
			t.Fatal(err)
		}
	}
	batch.End()
}

func TestBill(t *testing.T) {
	t.Parallel()
	client := newClient(t, testenv.FirestoreHost(t), testenv.Project(t), Options{})
	a := client.Collection("a")
	fill(t, client, 30)

	all := func(ctx context.Context, q firestore.Query, want int) error {
		docs, err := q.Documents(ctx).GetAll()
		if err == nil && len(docs) != want {
			err = fmt.Errorf("%d documents, want %d", len(docs), want)
		}
		return err
	}
	// In this order: later steps see what earlier ones wrote.
	tests := []struct {
		name string
		do   func(context.Context) error
		want Counts
	}{
		{"get", func(ctx context.Context) error {
			_, err := a.Doc("00").Get(ctx)
			return err
		}, Counts{Reads: 1}},
		{"missing get", func(ctx context.Context) error {
			_, err := a.Doc("none").Get(ctx)
			return wantCode(err, codes.NotFound)
		}, Counts{Reads: 1}},
		{"get 20, 3 of them missing", func(ctx context.Context) error {
			var refs []*firestore.DocumentRef
			for i := range 20 {
				refs = append(refs, a.Doc(fmt.Sprintf("%02d", i+13)))
			}
			docs, err := client.GetAll(ctx, refs)
			missing := 0
			for _, d := range docs {
				if !d.Exists() {
					missing++
				}
			}
			if err == nil && missing != 3 {
				err = fmt.Errorf("%d are missing, want 3", missing)
			}
			return err
		}, Counts{Reads: 20}},
		{"get one twice", func(ctx context.Context) error {
			_, err := client.GetAll(ctx, []*firestore.DocumentRef{a.Doc("00"), a.Doc("00")})
			return err
		}, Counts{Reads: 1}},
		{"query of nothing", func(ctx context.Context) error {
			return all(ctx, a.Where("n", "<", 0), 0)
		}, Counts{Reads: 1}},
		{"query of 5", func(ctx context.Context) error {
			return all(ctx, a.Where("n", "<", 5), 5)
		}, Counts{Reads: 5}},
		{"query of 5 with a limit", func(ctx context.Context) error {
			return all(ctx, a.Where("n", "<", 5).Limit(2), 2)
		}, Counts{Reads: 2}},
		{"query with an offset", func(ctx context.Context) error {
			return all(ctx, a.OrderBy("n", firestore.Asc).Offset(4).Limit(2), 2)
		}, Counts{Reads: 6}},
		{"query that fails", func(ctx context.Context) error {
			_, err := a.Where("n", "in", []int{}).Documents(ctx).GetAll()
			return wantCode(err, codes.InvalidArgument)
		}, Counts{}},
		{"list", func(ctx context.Context) error {
			refs, err := a.DocumentRefs(ctx).GetAll()
			if err == nil && len(refs) != 30 {
				err = fmt.Errorf("%d documents, want 30", len(refs))
			}
			return err
		}, Counts{Reads: 31}}, // the emulator offers a second page, which is empty
		{"list of nothing", func(ctx context.Context) error {
			_, err := client.Collection("none").DocumentRefs(ctx).GetAll()
			return err
		}, Counts{Reads: 1}},
		{"collection ids", func(ctx context.Context) error {
			_, err := client.Collections(ctx).GetAll()
			return err
		}, Counts{Reads: 1}},
		{"count", func(ctx context.Context) error {
			_, err := a.NewAggregationQuery().WithCount("all").WithSum("n", "sum").Get(ctx)
			return err
		}, Counts{Reads: 1}},
		{"count of nothing", func(ctx context.Context) error {
			_, err := client.Collection("none").NewAggregationQuery().WithCount("all").Get(ctx)
			return err
		}, Counts{Reads: 1}},
		{"create", func(ctx context.Context) error {
			_, err := client.Doc("b/1").Create(ctx, map[string]any{"n": 1})
			return err
		}, Counts{Writes: 1}},
		{"failed create", func(ctx context.Context) error {
			_, err := client.Doc("b/1").Create(ctx, map[string]any{"n": 2})
			return wantCode(err, codes.AlreadyExists)
		}, Counts{}},
		{"set with an increment and a time", func(ctx context.Context) error {
			_, err := client.Doc("b/1").Set(ctx, map[string]any{
				"n": firestore.Increment(1), "at": firestore.ServerTimestamp, "text": "x",
			}, firestore.MergeAll)
			return err
		}, Counts{Writes: 1}},
		{"transaction with a get and a set", func(ctx context.Context) error {
			return client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
				if _, err := tx.Get(client.Doc("b/1")); err != nil {
					return err
				}
				return tx.Set(client.Doc("b/2"), map[string]any{"n": 2})
			})
		}, Counts{Reads: 1, Writes: 1}},
		{"transaction that gives up", func(ctx context.Context) error {
			enough := errors.New("enough")
			err := client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
				if _, err := tx.Documents(a.Where("n", "<", 5)).GetAll(); err != nil {
					return err
				}
				if err := tx.Delete(client.Doc("b/1")); err != nil {
					return err
				}
				return enough
			})
			if !errors.Is(err, enough) {
				return fmt.Errorf("RunTransaction() = %w, want %w", err, enough)
			}
			return nil
		}, Counts{Reads: 5}},
		{"batch of create, update and delete", func(ctx context.Context) error {
			_, err := client.Batch().
				Create(client.Doc("b/3"), map[string]any{"n": 3}).
				Update(client.Doc("b/2"), []firestore.Update{{Path: "n", Value: 4}}).
				Delete(client.Doc("b/1")).Commit(ctx)
			return err
		}, Counts{Writes: 2, Deletes: 1}},
		{"failed batch", func(ctx context.Context) error {
			_, err := client.Batch().
				Create(client.Doc("b/4"), map[string]any{"n": 3}).
				Update(client.Doc("b/none"), []firestore.Update{{Path: "n", Value: 4}}).Commit(ctx)
			return wantCode(err, codes.NotFound)
		}, Counts{}},
		{"bulk writer, 1 of 4 fails", func(ctx context.Context) error {
			w := client.BulkWriter(ctx)
			var failed int
			var jobs []*firestore.BulkWriterJob
			for _, add := range []func() (*firestore.BulkWriterJob, error){
				func() (*firestore.BulkWriterJob, error) {
					return w.Set(client.Doc("c/1"), map[string]any{"n": 1})
				},
				func() (*firestore.BulkWriterJob, error) {
					return w.Create(client.Doc("b/3"), map[string]any{"n": 1}) // is there
				},
				func() (*firestore.BulkWriterJob, error) {
					return w.Create(client.Doc("c/2"), map[string]any{"n": 1})
				},
				func() (*firestore.BulkWriterJob, error) { return w.Delete(client.Doc("b/2")) },
			} {
				job, err := add()
				if err != nil {
					return err
				}
				jobs = append(jobs, job)
			}
			w.End()
			for _, job := range jobs {
				if _, err := job.Results(); err != nil {
					failed++
				}
			}
			if failed != 1 {
				return fmt.Errorf("%d writes failed, want 1", failed)
			}
			return nil
		}, Counts{Writes: 2, Deletes: 1}},
	}
	for _, test := range tests {
		m := New()
		if err := test.do(With(t.Context(), m)); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := m.Snapshot(); got != test.want {
			t.Errorf("%s: billed %+v, want %+v", test.name, got, test.want)
		}
	}
}

func wantCode(err error, want codes.Code) error {
	if status.Code(err) != want {
		return fmt.Errorf("error is %w, want code %v", err, want)
	}
	return nil
}

// A result that is given up half way is billed for what arrived.
func TestBillCancelled(t *testing.T) {
	t.Parallel()
	client := newClient(t, testenv.FirestoreHost(t), testenv.Project(t), Options{})
	fill(t, client, 30)
	m := New()
	ctx, cancel := context.WithCancel(With(t.Context(), m))
	docs := client.Collection("a").Documents(ctx)
	for range 3 {
		if _, err := docs.Next(); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	for {
		if _, err := docs.Next(); err != nil {
			if status.Code(err) != codes.Canceled && !errors.Is(err, iterator.Done) {
				t.Errorf("Next() = %v after cancel", err)
			}
			break
		}
	}
	if got := m.Reads(); got < 3 || got > 30 {
		t.Errorf("billed %d reads, want those that arrived, 3 to 30", got)
	}
}

func TestBillListen(t *testing.T) {
	t.Parallel()
	client := newClient(t, testenv.FirestoreHost(t), testenv.Project(t), Options{})
	fill(t, client, 4)
	m, empty := New(), New()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	small := client.Collection("a").Where("n", "<", 2).Snapshots(With(ctx, m))
	defer small.Stop()
	next := func(least, most int64) {
		t.Helper()
		before := m.Reads()
		if _, err := small.Next(); err != nil {
			t.Fatal(err)
		}
		if got := m.Reads() - before; got < least || got > most {
			t.Errorf("%d reads, want %d to %d", got, least, most)
		}
	}
	next(2, 2)
	// After a change the emulator may send the whole result again.
	if _, err := client.Doc("a/00").Set(ctx, map[string]any{"n": 1}); err != nil {
		t.Fatal(err)
	}
	next(1, 2)

	none := client.Collection("none").Snapshots(With(ctx, empty))
	defer none.Stop()
	if _, err := none.Next(); err != nil {
		t.Fatal(err)
	}
	if got := empty.Reads(); got != 1 {
		t.Errorf("a listener of nothing: %d reads, want 1", got)
	}
}

// What an emulator does not send, or not without thousands of documents.
func TestPrice(t *testing.T) {
	t.Parallel()
	count := func(n int64) *pb.RunAggregationQueryResponse {
		integer := func(n int64) *pb.Value { return &pb.Value{ValueType: &pb.Value_IntegerValue{IntegerValue: n}} }
		return &pb.RunAggregationQueryResponse{Result: &pb.AggregationResult{
			AggregateFields: map[string]*pb.Value{"all": integer(n), "sum": integer(1 << 40)},
		}}
	}
	current := &pb.ListenResponse{ResponseType: &pb.ListenResponse_TargetChange{
		TargetChange: &pb.TargetChange{TargetChangeType: pb.TargetChange_CURRENT},
	}}
	tests := []struct {
		name   string
		reply  any
		billed bool
		want   int64
	}{
		{"count of 0", count(0), false, 1},
		{"count of 1,000", count(1000), false, 1},
		{"count of 1,001", count(1001), false, 2},
		{"count of 2,500", count(2500), false, 3},
		{"aggregation's transaction", &pb.RunAggregationQueryResponse{}, false, 0},
		{"document and offset", &pb.RunQueryResponse{Document: &pb.Document{}, SkippedResults: 4}, false, 5},
		{"offset alone", &pb.RunQueryResponse{SkippedResults: 3}, false, 3},
		{"query's transaction", &pb.RunQueryResponse{}, false, 0},
		{"get's transaction", &pb.BatchGetDocumentsResponse{Transaction: []byte("x")}, false, 0},
		{"pipeline", &pb.ExecutePipelineResponse{Results: []*pb.Document{{}, {}}}, false, 2},
		{"changed", &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentChange{}}, true, 1},
		{"removed", &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentRemove{}}, true, 1},
		{"deleted", &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentDelete{}}, true, 0},
		{"nothing to listen to", current, false, 1},
		{"complete", current, true, 0},
	}
	for _, test := range tests {
		s := meteredStream{counts: []string{"all"}, billed: test.billed}
		if got := s.price(test.reply); got != test.want {
			t.Errorf("%s: price() = %d, want %d", test.name, got, test.want)
		}
	}
}

func TestHooks(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var written, problems []string
	indexes, err := ParseIndexes(
		[]byte(`{"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "off", "indexes": []}]}`))
	if err != nil {
		t.Fatal(err)
	}
	m := New()
	client := newClient(t, testenv.FirestoreHost(t), testenv.Project(t), Options{
		Indexes: indexes,
		OnUnindexed: func(ctx context.Context, problem string) {
			mu.Lock()
			defer mu.Unlock()
			if from(ctx) != m {
				t.Errorf("OnUnindexed has not the context of the query")
			}
			problems = append(problems, problem)
		},
		OnWrite: func(path string, deleted bool) {
			mu.Lock()
			defer mu.Unlock()
			written = append(written, fmt.Sprint(path, " ", deleted))
		},
	})
	ctx := With(t.Context(), m)
	a := client.Collection("a")
	if _, err := client.Batch().Set(client.Doc("a/1/b/2"), map[string]any{"n": firestore.Increment(1)}).Delete(a.Doc("3")).
		Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Batch().Update(a.Doc("none"), []firestore.Update{{Path: "n", Value: 1}}).
		Commit(ctx); status.Code(err) != codes.NotFound {
		t.Fatalf("updating nothing: %v, want NotFound", err)
	}
	if diff := cmp.Diff([]string{"a/1/b/2 false", "a/3 true"}, written); diff != "" {
		t.Errorf("OnWrite (-want +got):\n%s", diff)
	}

	// Each way to send a query, first one that is served and then one that is not.
	for i, q := range []firestore.Query{a.Where("on", "==", 1), a.Where("off", "==", 1)} {
		if _, err := q.Documents(ctx).GetAll(); err != nil {
			t.Error(err)
		}
		if _, err := q.NewAggregationQuery().WithCount("all").Get(ctx); err != nil {
			t.Error(err)
		}
		if err := client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
			_, err := tx.Documents(q).GetAll()
			return err
		}); err != nil {
			t.Error(err)
		}
		snapshots := q.Snapshots(ctx)
		if _, err := snapshots.Next(); err != nil {
			t.Error(err)
		}
		snapshots.Stop()
		mu.Lock()
		if want := 4 * i; len(problems) != want {
			t.Errorf("%d problems, want %d: %q", len(problems), want, problems)
		}
		mu.Unlock()
	}
	if _, err := a.NewAggregationQuery().WithAvg("off", "mean").Get(ctx); err != nil {
		t.Error(err)
	}
	if len(problems) != 5 ||
		slices.ContainsFunc(problems, func(p string) bool { return !strings.Contains(p, `"fieldPath":"off"`) }) {
		t.Errorf("problems = %q, want 5 that name the field off", problems)
	}
}

// Every answer has a time of the database. A simulation puts its own time in the place of
// server timestamps, and leaves the rest of a commit as it is.
func TestTimes(t *testing.T) {
	t.Parallel()
	project := testenv.Project(t)
	var last time.Time
	client := newClient(t, testenv.FirestoreHost(t), project, Options{OnTime: func(at time.Time) { last = at }})
	told := func(what string) {
		t.Helper()
		if last.IsZero() {
			t.Errorf("%s tells no time", what)
		}
		last = time.Time{}
	}
	made, err := client.Doc("a/1").Create(t.Context(), map[string]any{"n": 1})
	testenv.Must(t, err)
	if !last.Equal(made.UpdateTime) {
		t.Errorf("a commit of %v tells %v", made.UpdateTime, last)
	}
	told("a commit")
	_, err = client.GetAll(t.Context(), []*firestore.DocumentRef{client.Doc("a/1"), client.Doc("a/2")})
	testenv.Must(t, err)
	told("a lookup")
	_, err = client.Doc("a/2").Get(t.Context())
	if status.Code(err) != codes.NotFound {
		t.Error(err)
	}
	told("a lookup of nothing")
	_, err = client.Collection("a").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	told("a query")
	_, err = client.Collection("b").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	told("a query that finds nothing")

	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, time.UTC)
	simulated := newClient(t, testenv.FirestoreHost(t), project, Options{ServerNow: func() time.Time { return now }})
	type document struct {
		N  int       `firestore:"n"`
		At time.Time `firestore:"at,serverTimestamp"`
	}
	doc := simulated.Doc("a/3")
	check := func(what string, n int) {
		t.Helper()
		var got document
		snap, err := client.Doc("a/3").Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&got))
		if got.N != n || !got.At.Equal(now) {
			t.Errorf("%s: the document has %d and %v, want %d and %v", what, got.N, got.At, n, now)
		}
	}
	_, err = doc.Create(t.Context(), document{N: 1})
	testenv.Must(t, err)
	check("created", 1)
	now = now.Add(time.Hour)
	_, err = doc.Update(t.Context(), []firestore.Update{{Path: "n", Value: firestore.Increment(2)},
		{Path: "at", Value: firestore.ServerTimestamp}})
	testenv.Must(t, err)
	check("updated", 3)
	now = now.Add(time.Hour)
	_, err = doc.Update(t.Context(), []firestore.Update{{Path: "at", Value: firestore.ServerTimestamp}})
	testenv.Must(t, err)
	check("stamped alone", 3)
}
