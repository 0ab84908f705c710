// Package readcache keeps values that a process has read, so that the next caller pays
// nothing for them.
//
// A [Cache] keeps a value for a short time. A [Fresh] keeps a value for as long as the
// process hears of every change. Both keep at most so many bytes.
package readcache

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

const (
	// loadWithin is how long a load may take.
	loadWithin = 30 * time.Second

	// refreshWithin is how long a load may take that runs for no caller. A refresh that
	// did not end by then is lost: the process was frozen, perhaps. Another refresh may
	// begin.
	refreshWithin = 5 * time.Second

	// overhead is about how many bytes an entry takes beside its value.
	overhead = 300
)

// Cache keeps values for a short time, and joins concurrent reads of one key into one
// read. All callers share a returned value, so no caller may change it. Cache keeps no
// absence: a key without a value is read at every call. A read that fails fails for all
// callers that joined it, and is not kept. The methods may be called concurrently.
//
// Values that were not used for the longest time go when the values take more bytes than
// the cache's budget. A value of more than a quarter of the budget is not kept, because
// one such value would drive out many.
type Cache[K comparable, V any] struct {
	TTL time.Duration // how old a value from All or One may be

	// Stale is how old a value may be that All and One still return at once, while one
	// load of it begins for later callers. With 0 every caller waits for a value within
	// the TTL.
	Stale time.Duration

	// Name is what the metric of hits calls the cache.
	Name string

	now     func() time.Time
	budget  int
	weigh   func(V) int
	load    func(context.Context, []K) (map[K]V, error)
	version func(V) Version // nil if values have no version

	mu      sync.Mutex
	entries *simplelru.LRU[K, *cached[V]] // bounded by weight alone
	weight  int                           // of all entries
}

// Version tells when a value was written last, and when it was read, both by the clock of
// the database.
type Version struct{ Updated, Read time.Time }

type cached[V any] struct {
	at    time.Time     // when the reading of the value began
	done  chan struct{} // closed when the fields below are set
	value V
	ok    bool
	err   error
	size  int // in bytes, the entry included

	// The mutex of the cache guards these.
	weight  int       // what the entry adds to the cache's weight
	refresh time.Time // when the last refresh began
	refused bool      // the last refresh failed
}

// set sets what was read.
func (c *Cache[K, V]) set(e *cached[V], value V, ok bool, err error) {
	e.value, e.ok, e.err = value, ok && err == nil, err
	if e.ok {
		e.size = overhead + c.weigh(value)
	}
	close(e.done)
}

// ready reports whether the value was read.
func (e *cached[V]) ready() bool {
	select {
	case <-e.done:
		return e.ok
	default:
		return false
	}
}

// New returns an empty cache for values of at most budget bytes. weigh tells about how many
// bytes a value takes, as [Size] does. load reads the values of keys in one round trip, and
// leaves out keys that have none.
func New[K comparable, V any](now func() time.Time, ttl time.Duration, budget int, weigh func(V) int,
	load func(context.Context, []K) (map[K]V, error)) *Cache[K, V] {
	entries, err := simplelru.NewLRU[K, *cached[V]](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Cache[K, V]{now: now, TTL: ttl, budget: budget, weigh: weigh, load: load, entries: entries}
}

// elapsed is how much time passed between two times of this process. Of its two clocks the
// greater difference counts: the monotonic clock stands still while the machine sleeps, and
// the calendar may be set back.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// All returns the values of keys that exist, none older than TTL. One load reads all keys
// that are not cached.
func (c *Cache[K, V]) All(ctx context.Context, keys []K) (map[K]V, error) {
	found, _, err := c.get(ctx, keys, nil)
	return found, err
}

// Paid is [Cache.All]. It also tells which keys this very call has loaded. Of every other key
// the caller got what another call had loaded, or was loading.
func (c *Cache[K, V]) Paid(ctx context.Context, keys []K) (found map[K]V, loaded []K, err error) {
	return c.get(ctx, keys, nil)
}

// get is [Cache.Paid]. It also returns cached values that are older than TTL and that are
// good.
func (c *Cache[K, V]) get(ctx context.Context, keys []K, good func(V, time.Duration) bool) (found map[K]V, mine []K,
	err error) {
	wanted := make(map[K]*cached[V], len(keys))
	c.mu.Lock()
	now := c.now()
	for _, k := range keys {
		if _, ok := wanted[k]; ok {
			continue
		}
		e, ok := c.entries.Get(k)
		if !ok || !c.usable(ctx, k, e, now, good) {
			e = &cached[V]{at: now, done: make(chan struct{})}
			c.hold(k, e, overhead)
			mine = append(mine, k)
		}
		wanted[k] = e
	}
	c.mu.Unlock()

	telemetry.Cached(ctx, c.Name, len(wanted)-len(mine), len(mine))
	if len(mine) > 0 {
		c.fill(ctx, mine, wanted)
	}
	found = make(map[K]V, len(wanted))
	for k, e := range wanted {
		select {
		case <-e.done:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		if e.err != nil {
			return nil, nil, e.err
		}
		if e.ok {
			found[k] = e.value
		}
	}
	return found, mine, nil
}

// usable reports whether an entry answers a caller of get. The mutex is held.
func (c *Cache[K, V]) usable(ctx context.Context, k K, e *cached[V], now time.Time,
	good func(V, time.Duration) bool) bool {
	age := elapsed(e.at, now)
	switch {
	case age <= c.TTL:
		return true
	case !e.ready():
		return false
	case good != nil && good(e.value, age):
		return true
	case age <= c.Stale:
		c.refresh(ctx, k, e, now)
		return true
	}
	return false
}

// fill loads keys for all callers that wait for them. So the load goes on even if the
// context of its own caller ends.
func (c *Cache[K, V]) fill(ctx context.Context, keys []K, entries map[K]*cached[V]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadWithin)
	defer cancel()
	values, err := c.loaded(ctx, keys)
	for _, k := range keys {
		value, ok := values[k]
		c.set(entries[k], value, ok, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		e := entries[k]
		held, ok := c.entries.Peek(k)
		switch {
		case !ok: // the key was forgotten meanwhile
		case held == e && !e.ok:
			c.remove(k)
		case held == e, e.ok && held.ready() && c.older(held.value, e.value):
			c.keep(k, e)
		}
	}
}

type backgroundKey struct{}

// InBackground tells of the context of a load whether the load runs for no caller. Such a
// load is a refresh of a value that callers get meanwhile.
func InBackground(ctx context.Context) bool { return ctx.Value(backgroundKey{}) != nil }

// refresh begins a load of a value for later callers, unless one is under way. After a
// failure the next refresh waits for a TTL. The mutex is held.
func (c *Cache[K, V]) refresh(ctx context.Context, k K, e *cached[V], now time.Time) {
	wait := refreshWithin
	if e.refused {
		wait = c.TTL
	}
	if !e.refresh.IsZero() && elapsed(e.refresh, now) < wait {
		return
	}
	e.refresh, e.refused = now, false
	ctx = context.WithValue(context.WithoutCancel(ctx), backgroundKey{}, true)
	safely.Go(func() error {
		ctx, cancel := context.WithTimeout(ctx, refreshWithin)
		defer cancel()
		values, err := c.loaded(ctx, []K{k})
		fresh := &cached[V]{at: now, done: make(chan struct{})}
		value, ok := values[k]
		c.set(fresh, value, ok, err)

		c.mu.Lock()
		defer c.mu.Unlock()
		held, _ := c.entries.Peek(k)
		switch {
		case held != e: // the value was forgotten or read meanwhile
		case err != nil:
			e.refused = true
		case fresh.ok:
			c.keep(k, fresh)
		default:
			c.remove(k)
		}
		return nil
	}, nil)
}

// loaded loads values. A panic is an error, so that no caller waits for values that never come.
func (c *Cache[K, V]) loaded(ctx context.Context, keys []K) (values map[K]V, err error) {
	err = safely.Do(func() (err error) { values, err = c.load(ctx, keys); return err })
	return values, err
}

// One is [Cache.All] for one key. It reports whether the value exists.
func (c *Cache[K, V]) One(ctx context.Context, key K) (V, bool, error) {
	found, err := c.All(ctx, []K{key})
	v, ok := found[key]
	return v, ok, err
}

// Peek returns a value that is cached already, however old the value is.
func (c *Cache[K, V]) Peek(key K) (v V, ok bool) {
	c.mu.Lock()
	e, held := c.entries.Peek(key)
	c.mu.Unlock()
	if !held || !e.ready() {
		return v, false
	}
	return e.value, true
}

// holds reports whether the cache has a value of a key.
func (c *Cache[K, V]) holds(key K) bool {
	_, ok := c.Peek(key)
	return ok
}

// Put keeps a value that the caller has just read. If the cache has a later version of the
// value, the cache keeps that: the caller's read was slow.
func (c *Cache[K, V]) Put(key K, value V) {
	e := &cached[V]{at: c.now(), done: make(chan struct{})}
	c.set(e, value, true, nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	if held, ok := c.entries.Peek(key); ok && held.ready() && c.older(value, held.value) {
		return
	}
	c.keep(key, e)
}

// older reports whether a is an earlier version than b, or the same and read earlier.
func (c *Cache[K, V]) older(a, b V) bool {
	if c.version == nil {
		return false
	}
	x, y := c.version(a), c.version(b)
	return x.Updated.Before(y.Updated) || x.Updated.Equal(y.Updated) && x.Read.Before(y.Read)
}

// Forget makes the next call for key load its value.
func (c *Cache[K, V]) Forget(key K) {
	c.mu.Lock()
	c.remove(key)
	c.mu.Unlock()
}

// forgetIf forgets the values that are so.
func (c *Cache[K, V]) forgetIf(so func(V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.entries.Keys() {
		if e, ok := c.entries.Peek(k); ok && e.ready() && so(e.value) {
			c.remove(k)
		}
	}
}

// outlived reports whether the cache holds a value of any of keys that is older than the TTL.
func (c *Cache[K, V]) outlived(keys []K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	for _, k := range keys {
		if e, ok := c.entries.Peek(k); ok && elapsed(e.at, now) > c.TTL {
			return true
		}
	}
	return false
}

// keep puts an entry that was read in the place of the key's, unless its value is too
// large. The mutex is held.
func (c *Cache[K, V]) keep(k K, e *cached[V]) {
	if e.size > c.budget/4 {
		c.remove(k)
	} else {
		c.hold(k, e, e.size)
	}
}

// hold puts an entry of a weight in the place of the key's. The mutex is held.
func (c *Cache[K, V]) hold(k K, e *cached[V], weight int) {
	if held, ok := c.entries.Peek(k); ok {
		c.weight -= held.weight
	}
	e.weight = weight
	c.weight += weight
	c.entries.Add(k, e)
	for c.weight > c.budget {
		_, oldest, ok := c.entries.RemoveOldest()
		if !ok {
			return
		}
		c.weight -= oldest.weight
	}
}

// remove removes a key's entry. The mutex is held.
func (c *Cache[K, V]) remove(k K) {
	if e, ok := c.entries.Peek(k); ok {
		c.weight -= e.weight
		c.entries.Remove(k)
	}
}
