// Package readcache caches values that a process has read, so that the next caller pays nothing for them.
//
// A [Cache] keeps a value for a short time. A [Fresh] keeps a value for as long as the process follows all changes.
// Both are limited in bytes.
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
	// loadWithin is the time limit of a load.
	loadWithin = 30 * time.Second

	// refreshWithin is the time limit of a load that runs for no caller. A refresh that did not end by then is lost,
	// because the process may have been frozen. Another refresh may start.
	refreshWithin = 5 * time.Second

	// overhead is the approximate size of an entry without its value in bytes.
	overhead = 300
)

// Cache keeps values for a short time, and joins concurrent reads of one key into one read. All callers share a
// returned value, so no caller may change it. Cache does not cache absence: a key without a value is read at every
// call. A failed read fails for all callers that joined it, and is not cached. The methods may be called concurrently.
//
// The least recently used values are evicted when the values exceed the cache's budget. A value of more than a quarter
// of the budget is not cached, because it would evict too many.
type Cache[K comparable, V any] struct {
	TTL time.Duration // largest age of a value from All or One

	// Stale is the age up to which All and One still return a value at once, while one load of it starts for later
	// callers. With 0 every caller waits for a value within the TTL.
	Stale time.Duration

	// Name is the name of the cache in the metric of hits.
	Name string

	now     func() time.Time
	budget  int
	weigh   func(V) int
	load    func(context.Context, []K) (map[K]V, error)
	version func(V) Version // nil if values have no version

	mu      sync.Mutex
	entries *simplelru.LRU[K, *cached[V]] // limited by weight only
	weight  int                           // of all entries
}

// Values is a [Cache] to its callers. Packages hold Values and not a Cache: Go compiles the methods of a generic struct
// again in every package that imports a package with a field of that type, and those of an interface nowhere else.
type Values[K comparable, V any] interface {
	All(ctx context.Context, keys []K) (map[K]V, error)
	Paid(ctx context.Context, keys []K) (found map[K]V, loaded []K, err error)
	One(ctx context.Context, key K) (V, bool, error)
	Peek(key K) (V, bool)
	Put(key K, value V)
	Forget(key K)
}

// FreshValues is a [Fresh] to its callers.
type FreshValues[K comparable, V any] interface {
	Values[K, V]
	Get(ctx context.Context, keys []K) (map[K]V, error)
	Forget(key K)
}

// Version has the times at which a value was last written and read, both by the clock of the database.
type Version struct{ Updated, Read time.Time }

type cached[V any] struct {
	at    time.Time     // when the read of the value started
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

// set stores the result of a read.
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

// New returns an empty cache for values of at most budget bytes. weigh returns the approximate size of a value, for
// example by [Size]. load reads the values of keys in one round trip, and leaves out keys without a value.
func New[K comparable, V any](now func() time.Time, ttl time.Duration, budget int, weigh func(V) int,
	load func(context.Context, []K) (map[K]V, error)) *Cache[K, V] {
	entries, err := simplelru.NewLRU[K, *cached[V]](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Cache[K, V]{now: now, TTL: ttl, budget: budget, weigh: weigh, load: load, entries: entries}
}

// Elapsed returns the time that passed between two times of this process. The larger difference of its two clocks
// counts: the monotonic clock stops while the machine sleeps, and the wall clock may be set back.
func Elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// All returns the values of keys that exist, none older than TTL. One load reads all keys
// that are not cached.
func (c *Cache[K, V]) All(ctx context.Context, keys []K) (map[K]V, error) {
	found, _, err := c.get(ctx, keys, nil)
	return found, err
}

// Paid is [Cache.All]. It also returns the keys that this call has loaded. For every other key the caller got the
// result of another call's load.
func (c *Cache[K, V]) Paid(ctx context.Context, keys []K) (found map[K]V, loaded []K, err error) {
	return c.get(ctx, keys, nil)
}

// get is [Cache.Paid]. It also returns cached values that are older than TTL and accepted by good.
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

// usable reports whether an entry answers a caller of get. The caller holds the mutex.
func (c *Cache[K, V]) usable(ctx context.Context, k K, e *cached[V], now time.Time,
	good func(V, time.Duration) bool) bool {
	age := Elapsed(e.at, now)
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

// fill loads keys for all callers that wait for them. The load therefore continues even if the context of its own
// caller ends.
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

// InBackground reports whether a load with this context runs for no caller. It is a refresh of a value that callers get
// meanwhile.
func InBackground(ctx context.Context) bool { return ctx.Value(backgroundKey{}) != nil }

// refresh starts a load of a value for later callers, unless one is running. After a failure the next refresh waits for
// a TTL. The caller holds the mutex.
func (c *Cache[K, V]) refresh(ctx context.Context, k K, e *cached[V], now time.Time) {
	wait := refreshWithin
	if e.refused {
		wait = c.TTL
	}
	if !e.refresh.IsZero() && Elapsed(e.refresh, now) < wait {
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

// Peek returns a cached value of any age.
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

// Put caches a value that the caller has just read. A later version in the cache stays, because the caller's read was
// slow.
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

// older reports whether a is an earlier version than b, or the same version read earlier.
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

// forgetIf removes the values for which so returns true.
func (c *Cache[K, V]) forgetIf(so func(V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.entries.Keys() {
		if e, ok := c.entries.Peek(k); ok && e.ready() && so(e.value) {
			c.remove(k)
		}
	}
}

// forgetReadBefore removes the values of keys that were read before a time, and those whose read has not ended.
func (c *Cache[K, V]) forgetReadBefore(times map[K]time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, at := range times {
		if e, ok := c.entries.Peek(k); ok && (!e.ready() || c.version(e.value).Read.Before(at)) {
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
		if e, ok := c.entries.Peek(k); ok && Elapsed(e.at, now) > c.TTL {
			return true
		}
	}
	return false
}

// keep stores an entry that was read for the key, unless its value is too large. The caller holds the mutex.
func (c *Cache[K, V]) keep(k K, e *cached[V]) {
	if e.size > c.budget/4 {
		c.remove(k)
	} else {
		c.hold(k, e, e.size)
	}
}

// hold stores an entry of a weight for the key. The caller holds the mutex.
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

// remove removes a key's entry. The caller holds the mutex.
func (c *Cache[K, V]) remove(k K) {
	if e, ok := c.entries.Peek(k); ok {
		c.weight -= e.weight
		c.entries.Remove(k)
	}
}
