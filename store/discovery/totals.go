// This file counts and reads how many users, tweets, relationships, likes and shares there are.

package discovery

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// TotalsReader reads totals. Its methods may be called concurrently. Their errors are those of
// package errs.
type TotalsReader struct {
	db    *db.DB
	cache readcache.Values[string, Totals]
}

// Totals are numbers of documents, by collection.
type Totals struct {
	Of map[string]int64
	At time.Time // when the total that was counted first was counted; zero before that
}

// readEvery is for how many writes of a document a process caches the totals.
const readEvery = 60

// NewTotals returns the totals of a database. every is about the time between two writes of a document.
func NewTotals(d *db.DB, every time.Duration) *TotalsReader {
	r := &TotalsReader{db: d}
	cache := readcache.New(d.Now, readEvery*every, 1<<20, func(Totals) int { return 0 }, r.read)
	cache.Name = "totals"
	r.cache = cache
	return r
}

// Totals reads the totals of all collections that have one. Callers share a result for up to a minute. Only the
// first of them pays for it.
//
// Cost: 1 read.
func (r *TotalsReader) Totals(ctx context.Context) (_ Totals, err error) {
	defer errs.Wrap(&err, "discovery.Totals")
	t, _, err := r.cache.One(ctx, "")
	return t, err
}

// read reads the totals for the cache.
func (r *TotalsReader) read(ctx context.Context, keys []string) (map[string]Totals, error) {
	var counts model.TotalCounts
	if _, err := r.db.Get(ctx, r.ref(), &counts); err != nil {
		return nil, err
	}
	t := Totals{Of: map[string]int64{}}
	for name, is := range counts.Of {
		t.Of[name] = is.Count
		if t.At.IsZero() || is.CountedAt.Before(t.At) {
			t.At = is.CountedAt
		}
	}
	return map[string]Totals{keys[0]: t}, nil
}

func (r *TotalsReader) ref() *firestore.DocumentRef {
	return r.db.Doc(model.Totals, model.TotalsDocument)
}

// TotalsWriter counts the collections of [model.Totaled].
type TotalsWriter struct {
	*TotalsReader
	// SliceAbove is the total above which a collection is counted in slices; a million unless a caller sets another
	// number before the first use.
	SliceAbove int64
	// Due reports whether a collection is counted again. It goes by the age of the total unless a caller sets another
	// function before the first use.
	Due func(model.Total) bool
	// Timeout bounds one count; 20 s unless a caller sets another time before the first use. A count of many millions of
	// documents takes long, and a tick has less than a minute.
	Timeout time.Duration

	every time.Duration // the shortest time between two counts of a collection
}

// countsADay is how many reads the counts of one collection cost a day, at most. A count costs 1 read for 1,000
// documents. So the time between two counts grows with the collection.
const countsADay = 20_000

// totalSlices are the first characters of ids. A slice begins with an id of that character, and ends where the next
// begins. The first slice has all ids before "1".
const totalSlices = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewTotalsWriter returns the writer of a reader's database. every is about the time between two writes of a document.
// A small collection is counted every 45 of these, so that each tick counts it.
func NewTotalsWriter(r *TotalsReader, every time.Duration) *TotalsWriter {
	w := &TotalsWriter{TotalsReader: r, SliceAbove: 1_000_000, Timeout: 20 * time.Second, every: 45 * every}
	w.Due = w.due
	return w
}

// CountDue counts the collections whose last count is old enough, until over returns true. A failed count does not stop
// the others. Two calls at once count twice.
//
// Cost: 1 read; 1 write if a count is due; 1 read for each 1,000 documents of a collection or slice that is counted.
func (w *TotalsWriter) CountDue(ctx context.Context, over func() bool) (err error) {
	defer errs.Wrap(&err, "discovery.CountDue")
	var is model.TotalCounts
	if _, err := w.db.Get(ctx, w.ref(), &is); err != nil {
		return err
	}
	counted := map[string]model.Total{}
	var failed error
	for _, name := range model.Totaled {
		if over() || !w.Due(is.Of[name]) {
			continue
		}
		t, err := w.next(ctx, name, is.Of[name])
		failed = errors.Join(failed, err)
		counted[name] = t // after an error too, so that a failure is as seldom as a count
	}
	if len(counted) == 0 {
		return failed
	}
	var paths []firestore.FieldPath // only of what this call counted
	for name := range counted {
		paths = append(paths, firestore.FieldPath{fields.Of, name})
	}
	_, err = w.ref().Set(ctx, map[string]any{fields.Of: counted}, firestore.Merge(paths...))
	return errors.Join(failed, err)
}

// due reports whether a total is old enough for another count.
func (w *TotalsWriter) due(t model.Total) bool {
	reads := max(1, t.Count/1000)
	if t.Slices != nil || t.Next != "" {
		reads = max(1, reads/int64(len(totalSlices)))
	}
	wait := max(w.every, time.Duration(reads)*24*time.Hour/countsADay)
	return w.db.Now().Sub(t.TriedAt) >= wait
}

// next counts a collection, or its next slice. If the count of a collection takes too long, the result is the former
// total with the first slice, and no error: a collection that is too large to be counted at once is counted in slices.
// With an error the result is the former total, too.
func (w *TotalsWriter) next(ctx context.Context, name string, was model.Total) (model.Total, error) {
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	defer cancel()
	now := w.db.Time()
	all := w.db.Client.Collection(name).Query
	between := len(was.Slices) == 0 || len(was.Slices) == len(totalSlices)
	if was.Count <= w.SliceAbove && was.Next == "" && between { // no slices are under way
		n, err := w.size(ctx, all)
		if err == nil {
			return model.Total{Count: n, CountedAt: now, TriedAt: now}, nil
		}
		if was.TriedAt = now; tookTooLong(err) {
			was.Next = totalSlices[:1]
			return was, nil
		}
		return was, err
	}
	at := max(0, strings.Index(totalSlices, was.Next))
	q := all.OrderBy(firestore.DocumentID, firestore.Asc)
	if at > 0 {
		q = q.StartAt(totalSlices[at : at+1])
	}
	t := model.Total{Count: was.Count, CountedAt: now, TriedAt: now, Slices: maps.Clone(was.Slices)}
	if at+1 < len(totalSlices) {
		q = q.EndBefore(totalSlices[at+1 : at+2])
		t.Next = totalSlices[at+1 : at+2]
	}
	n, err := w.size(ctx, q)
	if err != nil {
		if was.TriedAt = now; tookTooLong(err) {
			was.Next = t.Next // the former number of the slice holds
		}
		return was, err
	}
	if t.Slices == nil {
		t.Slices = map[string]int64{}
	}
	t.Slices[totalSlices[at:at+1]] = n
	if len(t.Slices) == len(totalSlices) { // until then the count of the whole collection holds
		t.Count = 0
		for _, n := range t.Slices {
			t.Count += n
		}
	}
	return t, nil
}

// tookTooLong reports whether a count failed because it took too long.
func tookTooLong(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || status.Code(err) == codes.DeadlineExceeded
}

// size counts the documents of a query.
//
// Cost: 1 read for each 1,000 documents, at least 1.
func (w *TotalsWriter) size(ctx context.Context, q firestore.Query) (int64, error) {
	result, err := q.NewAggregationQuery().WithCount("n").Get(ctx)
	if err != nil {
		return 0, err
	}
	n, _ := result["n"].(*pb.Value)
	return n.GetIntegerValue(), nil
}
