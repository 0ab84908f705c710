package readcache

import (
	"context"
	"sync"
	"time"
)

// How a Fresh hears of changes.
const (
	// Every is how often a process asks for changes at most. So a value may be so old,
	// unless the cache's own time is longer.
	Every = 5 * time.Second

	// Overlap is how much of the past each question repeats, because a change is stamped
	// before it is committed, maybe by a clock that is behind.
	Overlap = 2 * time.Second

	// Limit is how many changes, or removals, are heard at once. If there are more,
	// listening costs more than it saves, and stops for ListenAgain.
	Limit       = 200
	ListenAgain = time.Minute

	// Trust is for how long a value is relied on that no change was heard of. It bounds the
	// harm of a change whose commit took longer than Overlap.
	Trust = 24 * time.Hour

	// Memory is how long a process may go without asking. Then it reads anew.
	Memory = 10 * time.Minute

	// RemovedEvery is how often a process asks for removals.
	RemovedEvery = 5 * time.Minute
)

// Source tells what changed. Each answer has at most Limit entries, the oldest first.
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
	since   time.Time // a value that was read since then is as it was
	until   time.Time // at this time
	removed time.Time // removals up to this time are known
	resume  time.Time // the process does not ask before
}

// NewFresh returns a cache that hears of changes from a source.
func NewFresh[K comparable, V any](c *Cache[K, V], source Source[K, V]) *Fresh[K, V] {
	return &Fresh[K, V]{Cache: c, source: source}
}

// Get returns the values of keys that exist. A value that is cached and did not change
// costs nothing but its part in asking: one question to the source in Every at most, for
// all keys.
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

// hear brings the cache up to date. A value that was read since the returned time is as
// it is now.
func (f *Fresh[K, V]) hear(ctx context.Context) (since time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
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
		f.until, f.resume = time.Time{}, now.Add(ListenAgain)
		return now, nil
	}
	for k, v := range changed {
		f.Put(k, v)
	}
	f.until = now
	return f.since, nil
}
