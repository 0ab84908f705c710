package eventarc

import (
	"iter"
	"sync"
)

// fifo passes values from any number of senders to any number of receivers, without bound. Values of one lane stay in
// order. Lanes take turns, so that no lane waits for the backlog of another.
type fifo[T any] struct {
	mu     sync.Mutex
	more   sync.Cond      // signaled when a value arrives or the fifo closes
	lanes  map[string][]T // the lanes that hold values
	turns  []string       // the same lanes, the next one first
	closed bool
}

func newFIFO[T any]() *fifo[T] {
	f := &fifo[T]{lanes: map[string][]T{}}
	f.more.L = &f.mu
	return f
}

// push adds a value to a lane, and reports whether it did. A closed fifo takes no values.
func (f *fifo[T]) push(lane string, v T) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	if len(f.lanes[lane]) == 0 {
		f.turns = append(f.turns, lane)
	}
	f.lanes[lane] = append(f.lanes[lane], v)
	f.more.Signal()
	return true
}

// all takes values out, and waits for more values until the fifo closes.
func (f *fifo[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			if v, ok := f.pop(); !ok || !yield(v) {
				return
			}
		}
	}
}

func (f *fifo[T]) pop() (v T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.turns) == 0 && !f.closed {
		f.more.Wait()
	}
	if f.closed {
		return v, false
	}
	lane := f.turns[0]
	f.turns = f.turns[1:]
	values := f.lanes[lane]
	v, values[0] = values[0], v // the array must not keep the value
	if len(values) == 1 {
		delete(f.lanes, lane)
	} else {
		f.lanes[lane] = values[1:]
		f.turns = append(f.turns, lane)
	}
	return v, true
}

// close drops the values inside and returns their number.
func (f *fifo[T]) close() (dropped int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, values := range f.lanes {
		dropped += len(values)
	}
	f.lanes, f.turns, f.closed = nil, nil, true
	f.more.Broadcast()
	return dropped
}
