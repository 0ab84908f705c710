// Package readcache keeps values that a process has read, so that the next caller pays
// nothing for them.
//
// A [Cache] keeps a value for a short time. A [Fresh] keeps a value for as long as the
// process hears of every change.
package readcache

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Cache keeps values for a short time, and joins concurrent reads of one key into one
// read. All callers share a returned value, so no caller may change it. Cache keeps no
// absence: a key without a value is read at every call. A read that fails fails for all
// callers that joined it, and is not kept. The methods may be called concurrently.
type Cache[K comparable, V any] struct {
	TTL time.Duration // how old a value from All or One may be

	now  func() time.Time
	load func(context.Context, []K) (map[K]V, error)

	mu      sync.Mutex
	entries *lru.Cache[K, *cached[V]]
}

type cached[V any] struct {
	at    time.Time     // when the reading of the value began
	done  chan struct{} // closed when the fields below are set
	value V
	ok    bool
	err   error
}

// New returns an empty cache for at most size values, at least 1. Values that were not
// used for the longest time go first. load reads the values of keys in one round trip,
// and leaves out keys that have none.
func New[K comparable, V any](now func() time.Time, ttl time.Duration, size int, load func(context.Context, []K) (map[K]V, error)) *Cache[K, V] {
	entries, err := lru.New[K, *cached[V]](size)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Cache[K, V]{now: now, TTL: ttl, load: load, entries: entries}
}

// All returns the values of keys that exist, none older than TTL. One load reads all keys
// that are not cached.
func (c *Cache[K, V]) All(ctx context.Context, keys []K) (map[K]V, error) {
	return c.Since(ctx, keys, c.now().Add(-c.TTL))
}

// Since is [Cache.All] for values whose reading began at oldest or later.
func (c *Cache[K, V]) Since(ctx context.Context, keys []K, oldest time.Time) (map[K]V, error) {
	wanted := make(map[K]*cached[V], len(keys))
	var mine []K
	c.mu.Lock()
	now := c.now()
	for _, k := range keys {
		if _, ok := wanted[k]; ok {
			continue
		}
		e, ok := c.entries.Get(k)
		if !ok || e.at.Before(oldest) {
			e = &cached[V]{at: now, done: make(chan struct{})}
			c.entries.Add(k, e)
			mine = append(mine, k)
		}
		wanted[k] = e
	}
	c.mu.Unlock()

	if len(mine) > 0 {
		c.fill(ctx, mine, wanted)
	}
	found := make(map[K]V, len(wanted))
	for k, e := range wanted {
		select {
		case <-e.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if e.err != nil {
			return nil, e.err
		}
		if e.ok {
			found[k] = e.value
		}
	}
	return found, nil
}

// fill loads keys for all callers that wait for them. So the load goes on for 30 s even
// if the context of its own caller ends.
func (c *Cache[K, V]) fill(ctx context.Context, keys []K, entries map[K]*cached[V]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	values, err := c.load(ctx, keys)
	for _, k := range keys {
		e := entries[k]
		e.value, e.ok = values[k]
		e.err = err
		if !e.ok {
			c.forgetEntry(k, e)
		}
		close(e.done)
	}
}

// One is [Cache.All] for one key. It tells whether the value exists.
func (c *Cache[K, V]) One(ctx context.Context, key K) (V, bool, error) {
	found, err := c.All(ctx, []K{key})
	v, ok := found[key]
	return v, ok, err
}

// Older tells whether the cache holds a value of any of keys whose reading began before a
// time.
func (c *Cache[K, V]) Older(keys []K, than time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		if e, ok := c.entries.Peek(k); ok && e.at.Before(than) {
			return true
		}
	}
	return false
}

// Peek returns a value that is cached already, however old the value is.
func (c *Cache[K, V]) Peek(key K) (v V, ok bool) {
	c.mu.Lock()
	e, held := c.entries.Peek(key)
	c.mu.Unlock()
	if !held {
		return v, false
	}
	select {
	case <-e.done:
		return e.value, e.ok
	default:
		return v, false
	}
}

// Put keeps a value that the caller has just read.
func (c *Cache[K, V]) Put(key K, value V) {
	e := &cached[V]{at: c.now(), done: make(chan struct{}), value: value, ok: true}
	close(e.done)
	c.mu.Lock()
	c.entries.Add(key, e)
	c.mu.Unlock()
}

// Forget makes the next call for key load its value.
func (c *Cache[K, V]) Forget(key K) {
	c.mu.Lock()
	c.entries.Remove(key)
	c.mu.Unlock()
}

// forgetEntry removes an entry, unless a later entry has taken its place.
func (c *Cache[K, V]) forgetEntry(key K, e *cached[V]) {
	c.mu.Lock()
	if held, ok := c.entries.Peek(key); ok && held == e {
		c.entries.Remove(key)
	}
	c.mu.Unlock()
}
