package counters

import (
	"context"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/store/internal/contention"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// writesTogether is how many writes the effects of one commit have at most.
const writesTogether = 200

// Join returns one effect with the deltas of several effects. Deltas of one counter become one delta. own names the
// documents that only this caller of Join changes, about once a second: their counters are incremented in the document
// itself, though they are hot, unless they are busy. A busy counter probably moves in many processes, and stays in
// shards.
//
// The result has neither a mark nor an idempotency record. The commit has those of each of the effects.
//
// Cost: nothing.
func Join(all []*Effect, own func(path string) bool) *Effect {
	type target struct {
		counter string
		shard   int
	}
	joined, at := &Effect{}, map[target]int{}
	for _, f := range all {
		joined.store = f.store
		for _, m := range f.deltas {
			if own(m.ref.Path) && !f.store.contention.Busy(m.counter()) {
				m.shard = contention.Cold
			}
			to := target{m.counter(), m.shard}
			if i, ok := at[to]; ok {
				joined.deltas[i].by += m.by
				continue
			}
			at[to] = len(joined.deltas)
			joined.deltas = append(joined.deltas, m)
		}
	}
	return joined
}

// crowded returns the path of a document of which a counter is hot and not busy; it is empty if there is none.
func (f *Effect) crowded() string {
	for _, m := range f.deltas {
		if m.shard != contention.Cold && !f.store.contention.Busy(m.counter()) {
			return m.ref.Path
		}
	}
	return ""
}

// commitTogether commits effects on a hot document, with their idempotency records. So the document is written once for
// all of them, and needs no roll-up. The result says for each effect whether it is committed. If a document is gone, or
// one of the events was counted before, nothing is committed, and each caller commits its effect alone, in shards. The
// same goes if other processes write the document so often that the database gives up. Then, or if the commit is slow,
// the counter stays in shards until it is cold.
//
// Cost: 1 write for each effect, and 1 write for each document.
func (s *Store) commitTogether(ctx context.Context, path string, all []*Effect) ([]bool, error) {
	done := make([]bool, len(all))
	var first []*Effect // the first effect of each record
	for i, f := range all {
		if !slices.ContainsFunc(first, func(of *Effect) bool { return of.record == f.record }) {
			first = append(first, f)
			done[i] = true
		}
	}
	joined := Join(first, func(of string) bool { return of == path })
	b := s.db.Batch()
	joined.Add(b)
	for _, f := range first {
		f.AddRecord(b)
	}
	begun := time.Now()
	_, err := b.Commit(ctx)
	if db.Contended(err) || time.Since(begun) > s.contention.Slow {
		for _, m := range joined.deltas {
			if m.ref.Path == path {
				s.contention.Contend(m.counter())
			}
		}
	}
	switch {
	case db.AlreadyExists(err) || db.NotFound(err) || db.Contended(err):
		return make([]bool, len(all)), nil
	case err != nil:
		return nil, err
	}
	return done, joined.Finish(ctx)
}
