// Package lru keeps a limited number of values, the least recently used first out.
package lru

import lru "github.com/hashicorp/golang-lru/v2"

// Cache keeps values by key. Its methods may be called concurrently.
//
// Cache is an interface on purpose. Go compiles the methods of a generic struct again in every package that imports a
// package with a field of that type, and those of an interface nowhere else.
type Cache[K comparable, V any] interface {
	// Get returns the value of a key, which becomes the most recently used one.
	Get(K) (V, bool)

	// Contains reports whether a key has a value. It uses none.
	Contains(K) bool

	// Add sets the value of a key, and reports whether it evicted another value.
	Add(K, V) (evicted bool)

	// Remove removes the value of a key, and reports whether there was one.
	Remove(K) (removed bool)
}

// New returns an empty cache of at most size values. It panics if size is below 1.
func New[K comparable, V any](size int) Cache[K, V] {
	c, err := lru.New[K, V](size)
	if err != nil {
		panic(err)
	}
	return c
}
