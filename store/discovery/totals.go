// This file reads how many users, tweets, relationships, likes and shares there are.

package discovery

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
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
	At time.Time // the time of the read
}

// readEvery is for how many writes of a total a process caches the totals.
const readEvery = 10

// NewTotals returns the totals of a database. every is about the time between two writes of a total.
func NewTotals(d *db.DB, every time.Duration) *TotalsReader {
	r := &TotalsReader{db: d}
	cache := readcache.New(d.Now, readEvery*every, 1<<20, func(Totals) int { return 0 }, r.read)
	cache.Name = "totals"
	r.cache = cache
	return r
}

// Totals reads the totals of all collections that have one. A delete that is counted before its create never makes a
// total negative. Callers share a result for up to 10 seconds. Only the first of them pays for it.
//
// Cost: 5 reads.
func (r *TotalsReader) Totals(ctx context.Context) (_ Totals, err error) {
	defer errs.Wrap(&err, "discovery.Totals")
	t, _, err := r.cache.One(ctx, "")
	return t, err
}

// read reads the totals for the cache.
func (r *TotalsReader) read(ctx context.Context, keys []string) (map[string]Totals, error) {
	all, err := db.ReadAll(ctx, r.db, model.Totals, model.Totaled, func(string, *model.Total) {})
	if err != nil {
		return nil, err
	}
	t := Totals{Of: map[string]int64{}, At: r.db.Time()}
	for name, is := range all {
		t.Of[name] = max(is.Count, 0)
	}
	return map[string]Totals{keys[0]: t}, nil
}
