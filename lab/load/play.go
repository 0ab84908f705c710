package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// play sends the requests of a stage when they are due, and waits for the last answers.
func (r *run) play(ctx context.Context, s Stage, seed uint64) *Measured {
	m := &Measured{Stage: s, Begun: time.Now(), Kinds: map[Kind]*Figures{}}
	var mu sync.Mutex
	var wait sync.WaitGroup
	random := rand.New(rand.NewPCG(seed, 0x73746570))
	rate := s.Rates.total()
	flight := make(chan struct{}, MaxInFlight)
	end, said := m.Begun.Add(s.For), m.Begun
	for due := m.Begun; ; {
		// Times between requests of many people who do not know each other.
		due = due.Add(time.Duration(random.ExpFloat64() / rate * float64(time.Second)))
		if due.After(end) {
			break
		}
		if pause := time.Until(due); pause > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
		if ctx.Err() != nil {
			break
		}
		if now := time.Now(); now.Sub(said) >= time.Second {
			said = now
			mu.Lock()
			r.Progress(fmt.Sprintf("%s: %.0f of %.0f s, %d answered, %d failed, %d under way", s.Name,
				now.Sub(m.Begun).Seconds(), s.For.Seconds(), m.Answered, m.Failed, len(flight)))
			mu.Unlock()
		}
		kind, one := s.Rates.pick(random), rand.New(rand.NewPCG(random.Uint64(), 1))
		m.Sent++
		select {
		case flight <- struct{}{}:
		default: // counts as a failure: the people would have waited, or gone
			mu.Lock()
			m.note(kind, due, answer{}, time.Since(due))
			mu.Unlock()
			continue
		}
		wait.Go(func() {
			defer func() { <-flight }()
			// What was begun is finished when the run is stopped, so that no request counts as failed for that.
			a := r.act(context.WithoutCancel(ctx), kind, one)
			mu.Lock()
			defer mu.Unlock()
			m.note(kind, due, a, time.Since(due))
		})
	}
	m.Took = time.Since(m.Begun)
	wait.Wait()
	return m
}
