package eventarc

import (
	"maps"
	"sync"
)

// Counts has the numbers of events by their outcome.
type Counts struct {
	Received   int // events taken from the emulator
	Duplicated int // further copies made by injected faults
	Delivered  int // copies that a function answered with 2xx
	Retried    int // attempts that failed, were late or were lost, and are made again
	Overlapped int // attempts made while an earlier one, not answered in time, still ran
	Failed     int // copies given up at their maximum age
	Lost       int // events lost for good by injected faults
}

func (c *Counts) add(d Counts) {
	c.Received += d.Received
	c.Duplicated += d.Duplicated
	c.Delivered += d.Delivered
	c.Retried += d.Retried
	c.Overlapped += d.Overlapped
	c.Failed += d.Failed
	c.Lost += d.Lost
}

// Stats is the work of a Runner since it was made. In an idle Runner that was not
// stopped, Delivered + Failed + Lost = Received + Duplicated.
type Stats struct {
	Counts
	ByFunction map[string]Counts
}

// Stats returns a copy of the numbers as they are now.
func (r *Runner) Stats() Stats {
	c := &r.counters
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Stats{ByFunction: maps.Clone(c.byFunction)}
	for _, counts := range s.ByFunction {
		s.add(counts)
	}
	return s
}

// counters are the numbers of each function. The zero value is ready.
type counters struct {
	mu         sync.Mutex
	byFunction map[string]Counts
}

func (c *counters) add(function string, d Counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byFunction == nil {
		c.byFunction = map[string]Counts{}
	}
	counts := c.byFunction[function]
	counts.add(d)
	c.byFunction[function] = counts
}
