package limits

import (
	"context"
	"time"
)

// Gate limits the number of requests that run at the same time. As many requests may wait in a queue, and the rest are
// refused before they start. A nil Gate is always open.
type Gate struct {
	running chan struct{}
	queue   chan struct{}
	wait    time.Duration
}

// NewGate returns a gate for n requests and a queue of n more. A request waits in the queue for at most wait. If n is
// 0, NewGate returns nil.
func NewGate(n int, wait time.Duration) *Gate {
	if n == 0 {
		return nil
	}
	return &Gate{running: make(chan struct{}, n), queue: make(chan struct{}, n), wait: wait}
}

// Enter returns true when a request may start. The request then ends with Leave. Enter returns false if there are too
// many requests.
func (g *Gate) Enter(ctx context.Context) bool {
	if g == nil {
		return true
	}
	select {
	case g.running <- struct{}{}:
		return true
	default:
	}
	select {
	case g.queue <- struct{}{}:
	default:
		return false
	}
	defer func() { <-g.queue }()
	full := time.NewTimer(g.wait)
	defer full.Stop()
	select {
	case g.running <- struct{}{}:
		return true
	case <-full.C:
	case <-ctx.Done():
	}
	return false
}

// Leave ends a request.
func (g *Gate) Leave() {
	if g != nil {
		<-g.running
	}
}

// Waiting returns the number of requests in the queue.
func (g *Gate) Waiting() int { return len(g.queue) }
