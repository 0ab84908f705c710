// Package load sends a described mix of requests to a running system at rates that do not depend on the answers. It
// measures the latency and the bill of requests, and the delay of timelines.
//
// A request is due at a time, whether or not earlier ones were answered, and its latency counts from that time. A
// stalled system is therefore charged with the wait of every due request.
package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// The bounds of a run.
const (
	MaxUsers     = 2_000
	MaxRate      = 2_000 // requests a second
	MaxDuration  = 30 * time.Minute
	MaxInFlight  = 1_000 // above it, a due request fails at once
	prepared     = 8     // requests at a time while people are made
	timeout      = 20 * time.Second
	MaxReconcile = 5 * time.Minute // limit for the functions after the preparation
)

// Options of a run.
type Options struct {
	API       string // base URL
	Auth      string // base URL of the Auth emulator
	Firestore string // base URL of the Firestore emulator, for documents of deleted tweets; unused if empty
	Metrics   string // URL of the metrics, which show whether functions still handle events; unused if empty
	Project   string
	Users     int // people who sign in and take part
	Stages    []Stage
	Seed      uint64
	ProbeEach time.Duration // interval of the probes of timelines; 2 s if 0
	// Progress, if not nil, hears of each step while people are made and of each second.
	Progress func(text string)
}

// Stage is a time with one rate for each kind of request.
type Stage struct {
	Name  string
	Rates Rates
	For   time.Duration
	// Breaks marks a stage that may fail: the run ends there.
	Breaks bool
}

// run is a run under way.
type run struct {
	Options
	client *http.Client
	rand   *rand.Rand
	people []*person

	mu     sync.Mutex
	tweets []string // newest last
}

// person is a user who takes part.
type person struct{ name, token, uid string }

// check finds what is wrong with options.
func (o *Options) check() error {
	var total time.Duration
	for _, s := range o.Stages {
		total += s.For
		if r := s.Rates.total(); r <= 0 || r > MaxRate || s.For <= 0 {
			return fmt.Errorf("stage %q has %g requests a second for %v; at most %d a second, for some time", s.Name, r, s.For,
				MaxRate)
		}
	}
	if o.Users < 4 || o.Users > MaxUsers {
		return fmt.Errorf("%d users; at least 4, at most %d", o.Users, MaxUsers)
	}
	if total > MaxDuration {
		return fmt.Errorf("the stages take %v; at most %v", total, MaxDuration)
	}
	return nil
}

// Run makes people, waits until the functions have propagated what was made, plays the stages one after the
// other, and returns what was measured. It ends after the first stage that broke. The result is
// also there, for what was measured until then, if ctx ends.
func Run(ctx context.Context, o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	if o.ProbeEach == 0 {
		o.ProbeEach = 2 * time.Second
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost, transport.MaxConnsPerHost = MaxInFlight, 0
	r := &run{Options: o, client: &http.Client{Transport: transport, Timeout: timeout},
		rand: rand.New(rand.NewPCG(o.Seed, 0x6c6f6164))}
	defer transport.CloseIdleConnections()
	if err := r.prepare(ctx); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	reconciled, err := r.reconcile(ctx)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	result := &Result{Begun: time.Now(), Users: o.Users, Reconciled: reconciled}
	watching, stop := context.WithCancel(ctx)
	var probes sync.WaitGroup
	probes.Go(func() { r.probe(watching, result) })
	for i, s := range o.Stages {
		m := r.play(ctx, s, o.Seed+uint64(i))
		result.Stages = append(result.Stages, m)
		if ctx.Err() != nil || s.Breaks && m.Broke() != "" {
			break
		}
	}
	stop()
	probes.Wait()
	if err := ctx.Err(); err != nil && !errors.Is(err, context.Canceled) {
		return result, err
	}
	return result, nil
}
