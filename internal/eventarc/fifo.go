package eventarc

import (
	"iter"
	"sync"
)

// A fifo hands values from any number of senders to any number of receivers,
// in order and without bound.
type fifo[T any] struct {
	mu     sync.Mutex
	more   sync.Cond // signalled when values grows or the fifo closes
	values []T
	closed bool
}

func newFIFO[T any]() *fifo[T] {
	f := new(fifo[T])
	f.more.L = &f.mu
	return f
}

// push adds a value, unless the fifo is closed; then it reports false.
func (f *fifo[T]) push(v T) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.values = append(f.values, v)
	f.more.Signal()
	return true
}

// all takes values out, oldest first, waiting for them until the fifo closes.
func (f *fifo[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, ok := f.pop(); ok && yield(v); v, ok = f.pop() {
		}
	}
}

func (f *fifo[T]) pop() (v T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.values) == 0 && !f.closed {
		f.more.Wait()
	}
	if f.closed {
		return v, false
	}
	v, f.values[0] = f.values[0], v // the array must not keep it
	f.values = f.values[1:]
	return v, true
}

// close drops what is inside and returns how much that was.
func (f *fifo[T]) close() (dropped int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dropped = len(f.values)
	f.values, f.closed = nil, true
	f.more.Broadcast()
	return dropped
}
