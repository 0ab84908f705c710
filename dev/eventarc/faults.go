package eventarc

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"
)

// Faults makes the delivery of events as unreliable as the cloud's may be. The fate of an event depends only on the
// seed, the trigger, the document and the number of earlier events of that trigger for that document. A seed therefore
// repeats the same faults in every schedule. A test that uses a seed prints the seed.
type Faults struct {
	// Seed chooses among all the ways to fail.
	Seed uint64
	// Duplicate is the largest number of copies of an event: each is delivered 1 to Duplicate times. 0 means 1.
	Duplicate int
	// Delay is the longest pause before a copy is delivered. Copies with different pauses
	// overtake each other. Delay is also the longest pause after a loss.
	Delay time.Duration
	// Drop is the probability, below 1, that an attempt is lost. Half of the lost attempts are lost on the way to the
	// function. The other half are lost on the way back, after the function has done its work. Both are delivered again.
	Drop float64
	// Lose is the probability, below 1, that an event is lost for good: no copy of the
	// event is delivered, ever. In the cloud an event that fails for 24 h is lost.
	Lose float64
	// Losable selects the triggers whose events may be lost for good; nil selects all. Each trigger loses its events
	// independently: one function may miss the creation of a document and get the update, and another function may get
	// both.
	Losable func(Trigger) bool
}

// loses draws whether an event is lost for good. The draw is independent of the other faults, so that a seed gives the
// same other faults with and without losses.
func (f *Faults) loses(t *Trigger, event uint64) bool {
	return f.Lose > 0 && (f.Losable == nil || f.Losable(*t)) && rand.New(rand.NewPCG(^f.Seed, event)).Float64() < f.Lose
}

// planner draws the faults of each event.
type planner struct {
	faults *Faults

	mu   sync.Mutex
	seen map[string]int // events so far, by trigger and document
}

// plan returns the copies of an event to deliver. It returns none if the event is lost for good.
func (p *planner) plan(e *event) []*delivery {
	if p.faults == nil {
		return []*delivery{{event: e}}
	}
	key := e.trigger.Name + " " + e.trigger.EventType + " " + e.document
	p.mu.Lock()
	if p.seen == nil {
		p.seen = map[string]int{}
	}
	nth := p.seen[key]
	p.seen[key]++
	p.mu.Unlock()

	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", key, nth)
	if p.faults.loses(e.trigger, h.Sum64()) {
		return nil
	}
	rnd := rand.New(rand.NewPCG(p.faults.Seed, h.Sum64()))
	ds := make([]*delivery, 1+rnd.IntN(max(p.faults.Duplicate, 1)))
	for i := range ds {
		f := &faults{Faults: p.faults, rnd: rand.New(rand.NewPCG(rnd.Uint64(), rnd.Uint64()))}
		ds[i] = &delivery{event: e, faults: f, delay: f.pause()}
	}
	return ds
}

// faults is the fate of one delivery. The attempts of a delivery follow one another, so
// the random numbers need no lock. A nil faults does nothing.
type faults struct {
	*Faults
	rnd *rand.Rand
}

// pause draws a delay.
func (f *faults) pause() time.Duration {
	return time.Duration(f.rnd.Int64N(int64(f.Delay) + 1))
}

// around sends the event, or loses it before or after.
func (f *faults) around(send func() error) error {
	if f == nil {
		return send()
	}
	switch chance := f.rnd.Float64(); {
	case chance < f.Drop/2:
		return errLost
	case chance < f.Drop:
		_ = send() // only the answer is lost
		return errLost
	default:
		return send()
	}
}
