package eventarc

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errStopped answers a wait on a Runner that was stopped.
var errStopped = errors.New("eventarc: stopped")

// queue counts each delivery as pending from add to done, whether the delivery is ready,
// running or waiting for its time. A request that runs on after its deadline is pending
// too, beside its delivery. So "nothing pending" is one number under one lock.
//
// Each function has a lane of its own among the deliveries that are ready, as it has a
// subscription of its own in the cloud.
type queue struct {
	ready *fifo[*delivery]

	mu      sync.Mutex
	pending int
	added   int           // deliveries ever added
	idle    chan struct{} // closed while pending is 0
	closed  bool
}

func newQueue() *queue {
	q := &queue{ready: newFIFO[*delivery](), idle: make(chan struct{})}
	close(q.idle)
	return q
}

// add takes new deliveries, and reports whether it did. Each delivery becomes ready after
// its delay. A closed queue takes nothing.
func (q *queue) add(ds ...*delivery) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if q.pending == 0 {
		q.idle = make(chan struct{})
	}
	q.pending += len(ds)
	q.added += len(ds)
	for _, d := range ds {
		if d.delay > 0 {
			q.later(d, d.delay)
		} else {
			q.ready.push(d.trigger.Name, d) // ready closes only after q.closed is set
		}
	}
	return true
}

// later makes a pending delivery ready after a pause. The pause holds no worker.
func (q *queue) later(d *delivery, pause time.Duration) {
	time.AfterFunc(pause, func() {
		if !q.ready.push(d.trigger.Name, d) {
			q.done(1)
		}
	})
}

// hold makes a request of a pending delivery pending on its own, until done.
func (q *queue) hold() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pending++
}

// done ends pending deliveries.
func (q *queue) done(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pending -= n
	if n > 0 && q.pending == 0 {
		close(q.idle)
	}
}

// close gives up deliveries that are ready or wait. A running delivery is still pending.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.done(q.ready.close())
}

// state returns what is pending, and how many deliveries were ever added.
func (q *queue) state() (pending, added int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.pending, q.added
}

// drained waits until nothing is pending and returns how many deliveries had
// ever been added at that moment.
func (q *queue) drained(ctx context.Context) (added int, err error) {
	for {
		q.mu.Lock()
		pending, added, idle, closed := q.pending, q.added, q.idle, q.closed
		q.mu.Unlock()
		switch {
		case closed:
			return added, errStopped
		case pending == 0:
			return added, nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return added, ctx.Err()
		}
	}
}
