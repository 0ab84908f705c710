package readcache

import (
	"context"
	"sync"
	"time"
)

// How a Fresh hears of changes.
const (
	// Every is the shortest time between two questions for changes. So a value may be so
	// old, or as old as the cache's TTL if the TTL is longer.
	Every = 5 * time.Second

	// Overlap is how much of the past each question repeats. A writer stamps a change
	// before committing it, maybe by a clock that is behind.
	Overlap = 2 * time.Second

	// Limit is how many changes, or removals, one answer holds. After an answer of so
	// many, listening costs more than it saves. Then the process stops asking for
	// ListenAgain, and keeps values for the cache's TTL only.
	Limit       = 200
	ListenAgain = time.Minute

	// Trust is how old a value may be at most, even if the process heard of no change. It
	// bounds the harm of a change whose commit took longer than Overlap: the process does
	// not hear of such a change.
	Trust = 24 * time.Hour

	// Memory is how long a process may go without asking. After that the process reads
	// every value anew.
	Memory = 10 * time.Minute

	// RemovedEvery is the shortest time between two questions for removals.
	RemovedEvery = 5 * time.Minute
)

// Source tells what changed, and what was removed, since a time. An answer has at most
// Limit entries. Fresh takes an answer of Limit entries for one that is incomplete.
type Source[K comparable, V any] struct {
	Changed func(ctx context.Context, since time.Time) (map[K]V, error)
	Removed func(ctx context.Context, since time.Time) ([]K, error)
}

// Fresh is a cache that keeps a value for as long as the process hears of every change:
// the source tells in one answer what changed since the process asked last.
type Fresh[K comparable, V any] struct {
	*Cache[K, V]
	source Source[K, V]

	mu      sync.Mutex
	since   time.Time // a value whose reading began since is as it was at until
	until   time.Time // the process has heard of all changes up to this time
	removed time.Time // the process has heard of all removals up to this time
	resume  time.Time // the process asks nothing before this time
}

// NewFresh returns a Fresh that keeps its values in c and hears of changes from a source.
func NewFresh[K comparable, V any](c *Cache[K, V], source Source[K, V]) *Fresh[K, V] {
	return &Fresh[K, V]{Cache: c, source: source}
}

// Get returns the values of keys that exist. A value may be as old as the longer of
// [Every] and the TTL. Get may return a removed value for [RemovedEvery] longer.
//
// A cached value that did not change costs nothing but its share of a question. One
// question in Every serves all keys and all callers. Get asks only if a cached value of
// keys is older than the TTL, because otherwise the answer spares no read.
func (f *Fresh[K, V]) Get(ctx context.Context, keys []K) (map[K]V, error) {
	oldest := f.now().Add(-f.TTL)
	if f.Older(keys, oldest) {
		since, err := f.hear(ctx)
		if err != nil {
			return nil, err
		}
		if trusted := f.now().Add(-Trust); since.Before(trusted) {
			since = trusted
		}
		if since.Before(oldest) {
			oldest = since
		}
	}
	return f.Since(ctx, keys, oldest)
}

// hear asks for changes and puts them into the cache, unless it asked a moment ago. A
// value whose reading began at the returned time or later may be used. Callers wait for
// each other, so that one of them asks for all.
func (f *Fresh[K, V]) hear(ctx context.Context) (since time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now().Round(0) // by the calendar: a machine may sleep
	switch {
	case now.Before(f.resume):
		return now, nil
	case now.Sub(f.until) > Memory:
		f.since, f.until, f.removed = now, now, now
		return f.since, nil
	case now.Sub(f.until) <= max(Every, f.TTL):
		return f.since, nil
	}
	changed, err := f.source.Changed(ctx, f.until.Add(-Overlap))
	if err != nil {
		return now, err
	}
	removed := 0
	if now.Sub(f.removed) >= RemovedEvery {
		keys, err := f.source.Removed(ctx, f.removed.Add(-Overlap))
		if err != nil {
			return now, err
		}
		for _, k := range keys {
			f.Forget(k)
		}
		removed, f.removed = len(keys), now
	}
	if len(changed) >= Limit || removed >= Limit {
		// The zero time is longer ago than Memory, so listening begins anew.
		f.until, f.resume = time.Time{}, now.Add(ListenAgain)
		return now, nil
	}
	for k, v := range changed {
		f.Put(k, v)
	}
	f.until = now
	return f.since, nil
}
