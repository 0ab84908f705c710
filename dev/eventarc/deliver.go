package eventarc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"
)

// longest is the time limit of a request. Cloud Run ends a request after 60 minutes at the latest.
const longest = time.Hour

// delivery is one copy of an event on its way to a function.
type delivery struct {
	*event
	delay    time.Duration // before the first attempt
	faults   *faults       // nil for none
	failures int           // attempts that the function did not answer in time with 2xx
	late     atomic.Int32  // requests that were not answered in time and are still running
}

// errLost replaces an answer that the injected faults lost.
var errLost = errors.New("lost by an injected fault")

// errBusy is the answer of a function that did not start an event because it has too many.
var errBusy = errors.New("the function is busy")

// attempt delivers once and decides the next step: the end, another attempt, or giving up.
func (r *Runner) attempt(ctx context.Context, d *delivery) {
	err := d.faults.around(func() error { return r.send(ctx, d) })
	name := d.trigger.Name
	switch {
	case err == nil:
		r.counters.add(name, Counts{Delivered: 1})
		r.queue.done(1)
	case errors.Is(err, errLost):
		r.counters.add(name, Counts{Retried: 1})
		r.queue.later(d, d.faults.pause())
	case ctx.Err() != nil: // cut off by Stop
		r.queue.done(1)
	case time.Since(d.arrived) > r.opts.MaxAge:
		r.opts.Log.ErrorContext(ctx, "event given up", "function", name, "event_id", d.id, "document", d.document, "attempts",
			d.failures+1, "error", err)
		r.counters.add(name, Counts{Failed: 1})
		r.queue.done(1)
	default:
		pause := r.backoff(d.failures)
		d.failures++
		level := slog.LevelWarn
		if errors.Is(err, errBusy) {
			level = slog.LevelInfo
		}
		r.opts.Log.Log(ctx, level, "delivery failed", "function", name, "event_id", d.id, "document", d.document, "attempts",
			d.failures, "retry_in", pause, "error", err)
		r.counters.add(name, Counts{Retried: 1})
		r.queue.later(d, pause)
	}
}

// backoff returns the pause after a number of failures. Half of the pause is fixed and half is random, so that events
// that failed together return at different times.
func (r *Runner) backoff(failures int) time.Duration {
	pause := r.opts.MinBackoff
	for range failures {
		if pause *= 2; pause >= r.opts.MaxBackoff {
			pause = r.opts.MaxBackoff
			break
		}
	}
	return pause/2 + rand.N(pause/2+1)
}

// send posts the event and waits for the answer until the acknowledgement deadline. After the deadline the request
// continues without the worker. It stays pending until its end, because the function may still write.
func (r *Runner) send(ctx context.Context, d *delivery) error {
	if d.late.Load() > 0 {
		r.counters.add(d.trigger.Name, Counts{Overlapped: 1})
	}
	answer := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(ctx, longest)
		defer cancel()
		answer <- r.post(ctx, d.event)
	}()
	deadline := time.NewTimer(r.opts.AckDeadline)
	defer deadline.Stop()
	select {
	case err := <-answer:
		return err
	case <-deadline.C:
	}
	d.late.Add(1)
	r.queue.hold()
	r.late.Go(func() {
		<-answer
		d.late.Add(-1)
		r.queue.done(1)
	})
	return fmt.Errorf("no answer within %v; the function runs on", r.opts.AckDeadline)
}

// post sends the event. An answer that is not 2xx is an error.
func (r *Runner) post(ctx context.Context, e *event) error {
	req, err := e.request(ctx, r.opts.Project, *r.url.Load())
	if err != nil {
		return err
	}
	resp, err := r.opts.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		return errBusy
	}
	if resp.StatusCode < http.StatusOK || resp.StatusCode > 299 {
		return fmt.Errorf("function answered %s", resp.Status)
	}
	return nil
}
