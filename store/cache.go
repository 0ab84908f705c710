package store

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const cacheSize = 20_000

// cache keeps documents for a short time and joins concurrent reads of one
// document into one. What it returns is shared and must not be changed. A
// document that does not exist is not kept.
type cache[K comparable, V any] struct {
	now  func() time.Time
	ttl  time.Duration
	load func(context.Context, []K) (map[K]V, error)

	mu      sync.Mutex
	entries *lru.Cache[K, *cached[V]]
}

type cached[V any] struct {
	done    chan struct{} // closed when the fields below are set
	value   V
	ok      bool
	err     error
	expires time.Time
}

func newCache[K comparable, V any](now func() time.Time, ttl time.Duration, load func(context.Context, []K) (map[K]V, error)) *cache[K, V] {
	entries, err := lru.New[K, *cached[V]](cacheSize)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &cache[K, V]{now: now, ttl: ttl, load: load, entries: entries}
}

// all returns those of keys that exist. The reads of all that are not cached
// are one round trip.
func (c *cache[K, V]) all(ctx context.Context, keys []K) (map[K]V, error) {
	wanted := make(map[K]*cached[V], len(keys))
	var mine []K
	c.mu.Lock()
	now := c.now()
	for _, k := range keys {
		if _, ok := wanted[k]; ok {
			continue
		}
		e, ok := c.entries.Get(k)
		if !ok || now.After(e.expires) {
			e = &cached[V]{done: make(chan struct{}), expires: now.Add(c.ttl)}
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

// fill loads keys for everybody who waits for them, so one caller's going away
// must not end it.
func (c *cache[K, V]) fill(ctx context.Context, keys []K, entries map[K]*cached[V]) {
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

// one returns the value of a key, and whether it exists.
func (c *cache[K, V]) one(ctx context.Context, key K) (V, bool, error) {
	found, err := c.all(ctx, []K{key})
	v, ok := found[key]
	return v, ok, err
}

// peek returns a value that is cached already.
func (c *cache[K, V]) peek(key K) (v V, ok bool) {
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

// put keeps a value that was just read.
func (c *cache[K, V]) put(key K, value V) {
	e := &cached[V]{done: make(chan struct{}), value: value, ok: true, expires: c.now().Add(c.ttl)}
	close(e.done)
	c.mu.Lock()
	c.entries.Add(key, e)
	c.mu.Unlock()
}

// forget makes the next read of key go to the database.
func (c *cache[K, V]) forget(key K) {
	c.mu.Lock()
	c.entries.Remove(key)
	c.mu.Unlock()
}

func (c *cache[K, V]) forgetEntry(key K, e *cached[V]) {
	c.mu.Lock()
	if held, ok := c.entries.Peek(key); ok && held == e {
		c.entries.Remove(key)
	}
	c.mu.Unlock()
}
