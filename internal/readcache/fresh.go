package readcache

import (
	"context"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/safely"
)

// How a Fresh hears of changes.
const (
	// Every is the shortest time between two questions for changes. So a value may be so
	// old, or as old as the cache's TTL if the TTL is longer.
	Every = 5 * time.Second

	// Overlap is how much of the past each question repeats. The database takes a change's
	// stamp when it begins to write, and may commit a little later.
	Overlap = 2 * time.Second

	// Limit is how many changes, or removals, one answer holds. After an answer of so
	// many, listening costs more than it saves. Then the process stops asking for
	// ListenAgain, and keeps values for the cache's TTL only.
	Limit       = 200
	ListenAgain = time.Minute

	// Trust is how old a value may be at most, even if the process heard of no change. It
	// bounds the harm of a change that was committed later than Overlap after its stamp,
	// or that somebody wrote without a stamp: the process does not hear of such a change.
	Trust = 24 * time.Hour

	// Memory is how long a process may go without an answer. After that the process reads
	// every value anew.
	Memory = 10 * time.Minute

	// RemovedEvery is the shortest time between two questions for removals and for
	// outdated values.
	RemovedEvery = 5 * time.Minute

	// Patience is how long a caller waits for an answer. After that the caller reads its
	// values, and the answer serves later callers.
	Patience = 300 * time.Millisecond

	// askWithin is how long a question may take. A question that did not end after twice
	// that is lost, and another may begin: the process was frozen, perhaps.
	askWithin = 5 * time.Second
)

// Source tells what changed, what was removed and what is outdated, since a time. All its
// times are those of the database. So it does not matter what any process takes for the
// time.
type Source[K comparable, V any] struct {
	// Now is the latest time that the database has told this process. A read that begins
	// now finds everything that was committed until then. The zero time is: none yet.
	Now func() time.Time

	// Version tells the version of a value.
	Version func(V) Version

	// Changed and Removed have at most Limit results. Fresh takes an answer of Limit
	// results for one that is incomplete.
	Changed func(ctx context.Context, since time.Time) (map[K]V, error)
	Removed func(ctx context.Context, since time.Time) ([]K, error)

	// Outdated tells which values a process should read anew, although they did not
	// change. all is true if there were too many reasons to tell.
	Outdated func(ctx context.Context, since time.Time) (outdated func(V) bool, all bool, err error)

	// Failed hears of questions that failed.
	Failed func(error)
}

// Fresh is a cache that keeps a value for as long as the process hears of every change:
// the source tells in one answer what changed since the process asked last.
type Fresh[K comparable, V any] struct {
	*Cache[K, V]
	Patience time.Duration // how long a caller waits for an answer
	source   Source[K, V]

	mu sync.Mutex

	// By the clock of the database.
	since   time.Time // a value that was read since is as it was at until
	until   time.Time // the process has heard of all changes up to this time; zero while it does not listen
	removed time.Time // the process has heard of all removals up to this time
	floor   time.Time // changes and removals up to this time may have been applied already

	// By the clock of the process, which measures durations alone.
	asked        time.Time // when the last question began
	heard        time.Time // when the last question for changes began that was answered
	heardRemoved time.Time // the same for removals
	paused       time.Time // when the process stopped listening because it would have heard too much

	turn     int           // counts how often listening began or paused
	answer   chan struct{} // closed when the question under way ends; nil without a question
	waitings time.Time     // until when callers wait for the question under way
}

// NewFresh returns a Fresh that keeps its values in c and hears of changes from a source.
func NewFresh[K comparable, V any](c *Cache[K, V], source Source[K, V]) *Fresh[K, V] {
	c.version = source.Version
	return &Fresh[K, V]{Cache: c, Patience: Patience, source: source}
}

// Get returns the values of keys that exist. A value may be as old as the longer of
// [Every] and the TTL. Get may return a removed or outdated value for [RemovedEvery]
// longer.
//
// A cached value that did not change costs nothing but its share of a question. One
// question in Every serves all keys and all callers. Get asks only if a cached value of
// keys is older than the TTL, because otherwise the answer spares no read. If the answer
// does not come within Patience, Get reads all values that are older than the TTL.
func (f *Fresh[K, V]) Get(ctx context.Context, keys []K) (map[K]V, error) {
	if !f.outlived(keys) {
		return f.All(ctx, keys)
	}
	since, ok := f.hear(ctx)
	if !ok {
		return f.All(ctx, keys)
	}
	found, _, err := f.get(ctx, keys, func(v V, age time.Duration) bool {
		return age <= Trust && !f.source.Version(v).Read.Before(since)
	})
	return found, err
}

// Put keeps a value that the caller has just read. A value is not kept whose reading was so
// slow that the process has heard of later changes and removals meanwhile: one of these may
// have been of that value.
func (f *Fresh[K, V]) Put(key K, value V) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.source.Version(value).Read.Before(f.floor) && !f.holds(key) {
		return
	}
	f.Cache.Put(key, value)
}

// hear sees to it that the process has heard of all changes until a moment ago. A value
// that was read at the returned time or later may be used then. Otherwise ok is false.
func (f *Fresh[K, V]) hear(ctx context.Context) (since time.Time, ok bool) {
	f.mu.Lock()
	now := f.now()
	if !f.paused.IsZero() && elapsed(f.paused, now) < ListenAgain {
		f.mu.Unlock()
		return since, false
	}
	if f.until.IsZero() || elapsed(f.heard, now) > Memory {
		f.begin(now)
	}
	if f.until.IsZero() || f.current(now) {
		defer f.mu.Unlock()
		return f.since, f.current(now)
	}
	answer, wait := f.ask(ctx, now)
	f.mu.Unlock()
	if answer != nil {
		patience := time.NewTimer(wait)
		defer patience.Stop()
		select {
		case <-answer:
		case <-patience.C:
		case <-ctx.Done():
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.since, f.current(now)
}

// current reports whether the process has heard of all changes until a moment ago. The mutex is held.
func (f *Fresh[K, V]) current(now time.Time) bool {
	return !f.until.IsZero() && elapsed(f.heard, now) <= max(Every, f.TTL) &&
		elapsed(f.heardRemoved, f.heard) <= 2*RemovedEvery
}

// begin begins to listen. It costs nothing: every answer of the database tells its time,
// and a read that begins afterwards finds the database at that time or later. The mutex is
// held.
func (f *Fresh[K, V]) begin(now time.Time) {
	f.turn++
	at := f.source.Now()
	f.since, f.until, f.removed = at, at, at
	f.heard, f.heardRemoved, f.paused = now, now, time.Time{}
}

// ask returns the question under way, and how long a caller may wait for its answer. ask
// begins a question if none is under way, but not within Every of a question that failed.
// The mutex is held.
func (f *Fresh[K, V]) ask(ctx context.Context, now time.Time) (answer chan struct{}, wait time.Duration) {
	if f.answer != nil && elapsed(f.asked, now) < 2*askWithin {
		return f.answer, time.Until(f.waitings)
	}
	if f.answer == nil && elapsed(f.asked, now) < Every {
		return nil, 0
	}
	answer = make(chan struct{})
	f.asked, f.answer, f.waitings = now, answer, time.Now().Add(f.Patience)
	ctx = context.WithoutCancel(ctx) // the answer is for all callers
	safely.Go(func() error {
		defer func() {
			f.mu.Lock()
			if f.answer == answer {
				f.answer = nil
			}
			f.mu.Unlock()
			close(answer)
		}()
		ctx, cancel := context.WithTimeout(ctx, askWithin)
		defer cancel()
		if err := safely.Do(func() error { return f.question(ctx, now) }); err != nil {
			f.source.Failed(err)
		}
		return nil
	}, nil)
	return answer, f.Patience
}

// question asks for changes and puts them into the cache. From time to time it also asks
// for removals and outdated values, and forgets them. An answer that comes late, after
// listening began anew, does no harm: no value in the cache becomes an older one.
func (f *Fresh[K, V]) question(ctx context.Context, now time.Time) error {
	f.mu.Lock()
	turn, until, removed := f.turn, f.until, f.removed
	also := elapsed(f.heardRemoved, now) >= RemovedEvery
	f.mu.Unlock()

	// What was committed until then is in every answer.
	at := f.source.Now()
	changed, err := f.source.Changed(ctx, until.Add(-Overlap))
	if err != nil {
		return err
	}
	if len(changed) >= Limit {
		f.pause(turn, now)
		return nil
	}
	f.note(turn, func() { f.floor = at })
	for k, v := range changed {
		f.Cache.Put(k, v)
	}
	f.note(turn, func() { f.until, f.heard = at, now })
	if !also {
		return nil
	}
	gone, err := f.source.Removed(ctx, removed.Add(-Overlap))
	if err != nil {
		return err
	}
	outdated, all, err := f.source.Outdated(ctx, removed.Add(-Overlap))
	if err != nil {
		return err
	}
	if len(gone) >= Limit || all {
		f.pause(turn, now)
		return nil
	}
	for _, k := range gone {
		f.Forget(k)
	}
	if outdated != nil {
		f.forgetIf(outdated)
	}
	f.note(turn, func() { f.removed, f.heardRemoved = at, now })
	return nil
}

// note changes what the process knows, unless listening began or paused since a turn.
func (f *Fresh[K, V]) note(turn int, change func()) {
	f.mu.Lock()
	if f.turn == turn {
		change()
	}
	f.mu.Unlock()
}

// pause stops listening, so that no value is trusted beyond the TTL. Listening begins anew
// after [ListenAgain].
func (f *Fresh[K, V]) pause(turn int, now time.Time) {
	f.note(turn, func() {
		f.turn++
		f.until, f.paused = time.Time{}, now
	})
}
