package readcache

import (
	"context"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/internal/safely"
)

// The parameters by which a Fresh follows changes.
const (
	// Every is the shortest interval between two requests for changes. A value may be as old as Every, or as the cache's
	// TTL if the TTL is longer.
	Every = 5 * time.Second

	// Overlap is the part of the past that each request repeats. The database sets changedAt when a write starts, and may
	// commit it a little later.
	Overlap = 2 * time.Second

	// Limit is the largest number of changes or removals in one answer. After a full answer, following costs more than it
	// saves. Then the process stops asking for ListenAgain, and keeps values for the cache's TTL only.
	Limit       = 200
	ListenAgain = time.Minute

	// Trust is the largest age of a value, even if the process received no change. It bounds the harm of a change that the
	// process never receives: one that was committed later than Overlap after its changedAt, or written without changedAt.
	Trust = 24 * time.Hour

	// Memory is the time without an answer after which the process reads every value again.
	Memory = 10 * time.Minute

	// RemovedEvery is the shortest interval between two requests for removals and outdated values.
	RemovedEvery = 5 * time.Minute

	// Patience is the time that a caller waits for an answer. After that the caller reads its values, and the answer
	// serves later callers.
	Patience = 300 * time.Millisecond

	// askWithin is the time limit of a request. A request that did not end after twice the limit is lost, and another may
	// start: the process may have been frozen.
	askWithin = 5 * time.Second
)

// Source returns the changed, removed and outdated values since a time. All its times are times of the database, so the
// clocks of processes do not matter.
type Source[K comparable, V any] struct {
	// Now returns the latest time that the database has reported to this process. A read that starts now sees everything
	// that was committed until then. The zero time means that there is none yet.
	Now func() time.Time

	// Version returns the version of a value.
	Version func(V) Version

	// Changed and Removed return at most Limit results. Fresh treats an answer of Limit results as incomplete.
	Changed func(ctx context.Context, since time.Time) (map[K]V, error)
	Removed func(ctx context.Context, since time.Time) ([]K, error)

	// Listed returns the keys that lists of changes have had since a time; nil if there are no such lists.
	Listed func(ctx context.Context, since time.Time) (Listed[K], error)

	// Outdated returns a function that selects the values to read again, although they did not change. all is true if
	// there were too many reasons to list.
	Outdated func(ctx context.Context, since time.Time) (outdated func(V) bool, all bool, err error)

	// Failed receives the errors of requests for changes.
	Failed func(error)
}

// Listed is what lists of changes say. A list is committed after the changes in it.
type Listed[K comparable] struct {
	At    map[K]time.Time // when the newest list with the key was committed: a value that was read earlier is outdated
	Until time.Time       // no list is missing that was committed until then
	Full  bool            // there were too many lists, and the rest says nothing
}

// Fresh is a cache that keeps a value for as long as the process follows the changes. In one answer the source returns
// all changes since the last request.
type Fresh[K comparable, V any] struct {
	*Cache[K, V]
	Patience time.Duration // how long a caller waits for an answer
	Trust    time.Duration // the largest age of a value, [Trust] unless a caller sets another before the first use
	Every    time.Duration // the shortest interval between two requests for changes, [Every] like Trust
	source   Source[K, V]

	mu sync.Mutex

	// By the clock of the database.
	since   time.Time // a value that was read since then has the state of until
	until   time.Time // the process has received all changes up to this time; zero while it does not follow
	removed time.Time // the process has received all removals up to this time
	floor   time.Time // changes and removals up to this time may have been applied already

	// By the clock of the process, which only measures durations.
	asked        time.Time // when the last request started
	heard        time.Time // when the last answered request for changes started
	heardRemoved time.Time // the same for removals
	paused       time.Time // when the process stopped following because of too many changes

	turn     int           // counts how often following started or paused
	answer   chan struct{} // closed when the current request ends; nil without a request
	waitings time.Time     // until when callers wait for the current request
}

// NewFresh returns a Fresh that keeps its values in c and follows the changes of a source.
func NewFresh[K comparable, V any](c *Cache[K, V], source Source[K, V]) *Fresh[K, V] {
	c.version = source.Version
	return &Fresh[K, V]{Cache: c, Patience: Patience, Trust: Trust, Every: Every, source: source}
}

// Get returns the values of keys that exist. A value may be as old as the longer of [Every] and the TTL. Get may return
// a removed or outdated value for [RemovedEvery] longer.
//
// A cached value that did not change costs only its share of a request for changes. One request per Every serves all
// keys and all callers. Get sends one only if a cached value of keys is older than the TTL, because otherwise the
// answer saves no read. If the answer does not come within Patience, Get reads all values that are older than the TTL.
func (f *Fresh[K, V]) Get(ctx context.Context, keys []K) (map[K]V, error) {
	if !f.outlived(keys) {
		return f.All(ctx, keys)
	}
	since, ok := f.hear(ctx)
	if !ok {
		return f.All(ctx, keys)
	}
	found, _, err := f.get(ctx, keys, func(v V, age time.Duration) bool {
		return age <= f.Trust && !f.source.Version(v).Read.Before(since)
	})
	return found, err
}

// Put caches a value that the caller has just read. It drops a value whose read was so slow that the process has
// received later changes and removals meanwhile, because one of them may concern the value.
func (f *Fresh[K, V]) Put(key K, value V) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.source.Version(value).Read.Before(f.floor) && !f.holds(key) {
		return
	}
	f.Cache.Put(key, value)
}

// hear makes sure that the process has received all changes until a moment ago. A value that was read at the returned
// time or later may then be used. Otherwise ok is false.
func (f *Fresh[K, V]) hear(ctx context.Context) (since time.Time, ok bool) {
	f.mu.Lock()
	now := f.now()
	if !f.paused.IsZero() && Elapsed(f.paused, now) < ListenAgain {
		f.mu.Unlock()
		return since, false
	}
	if f.until.IsZero() || Elapsed(f.heard, now) > Memory {
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

// current reports whether the process has received all changes until a moment ago. The caller holds the mutex.
func (f *Fresh[K, V]) current(now time.Time) bool {
	return !f.until.IsZero() && Elapsed(f.heard, now) <= max(f.Every, f.TTL) &&
		Elapsed(f.heardRemoved, f.heard) <= 2*RemovedEvery
}

// begin starts to follow changes. It costs nothing: every answer of the database has its time, and a later read sees
// the database at that time or later. The caller holds the mutex.
func (f *Fresh[K, V]) begin(now time.Time) {
	f.turn++
	at := f.source.Now()
	f.since, f.until, f.removed = at, at, at
	f.heard, f.heardRemoved, f.paused = now, now, time.Time{}
}

// ask returns the current request, and the time that a caller may wait for its answer. It starts a request if none is
// running, but not within Every of a failed one. The caller holds the mutex.
func (f *Fresh[K, V]) ask(ctx context.Context, now time.Time) (answer chan struct{}, wait time.Duration) {
	if f.answer != nil && Elapsed(f.asked, now) < 2*askWithin {
		return f.answer, time.Until(f.waitings)
	}
	if f.answer == nil && Elapsed(f.asked, now) < f.Every {
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

// question requests changes and caches them. From time to time it also requests removals and outdated values, and
// forgets them. A late answer does no harm after following started again: no value in the cache becomes older.
func (f *Fresh[K, V]) question(ctx context.Context, now time.Time) error {
	f.mu.Lock()
	turn, until, removed := f.turn, f.until, f.removed
	also := Elapsed(f.heardRemoved, now) >= RemovedEvery
	f.mu.Unlock()

	// Every answer contains the commits until then.
	at := f.source.Now()
	changed, err := f.source.Changed(ctx, until.Add(-Overlap))
	if err != nil {
		return err
	}
	var listed Listed[K]
	if f.source.Listed != nil {
		if listed, err = f.source.Listed(ctx, until.Add(-Overlap)); err != nil {
			return err
		}
	}
	if len(changed) >= Limit || listed.Full {
		f.pause(turn, now)
		return nil
	}
	f.note(turn, func() { f.floor = at })
	if f.source.Listed != nil && listed.Until.Before(at) {
		at = listed.Until
	}
	for k, v := range changed {
		f.Cache.Put(k, v)
	}
	f.forgetReadBefore(listed.At)
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

// note applies a change to the state, unless following started or paused since a turn.
func (f *Fresh[K, V]) note(turn int, change func()) {
	f.mu.Lock()
	if f.turn == turn {
		change()
	}
	f.mu.Unlock()
}

// pause stops following, so that no value is trusted beyond the TTL. Following starts again after [ListenAgain].
func (f *Fresh[K, V]) pause(turn int, now time.Time) {
	f.note(turn, func() {
		f.turn++
		f.until, f.paused = time.Time{}, now
	})
}
