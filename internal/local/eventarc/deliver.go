package eventarc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// delivery is one copy of an event on its way to a function.
type delivery struct {
	*event
	delay    time.Duration // before the first attempt
	faults   *faults       // nil for none
	failures int           // attempts that the function did not answer with 2xx
}

// errLost takes the place of an answer that the injected faults lost.
var errLost = errors.New("lost by an injected fault")

// attempt delivers once, and decides what follows: the end, another attempt, or giving
// up.
func (r *Runner) attempt(ctx context.Context, d *delivery) {
	err := d.faults.around(func() error { return r.post(ctx, d.event) })
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
		r.opts.Log.ErrorContext(ctx, "event given up", "function", name, "event_id", d.id, "document", d.document, "attempts", d.failures+1, "error", err)
		r.counters.add(name, Counts{Failed: 1})
		r.queue.done(1)
	default:
		pause := r.backoff(d.failures)
		d.failures++
		r.opts.Log.WarnContext(ctx, "delivery failed", "function", name, "event_id", d.id, "document", d.document, "attempts", d.failures, "retry_in", pause, "error", err)
		r.counters.add(name, Counts{Retried: 1})
		r.queue.later(d, pause)
	}
}

// backoff is the pause after so many earlier failures. Half of the pause is certain and
// half is chance, so that events which failed together come back apart.
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
	if resp.StatusCode < http.StatusOK || resp.StatusCode > 299 {
		return fmt.Errorf("function answered %s", resp.Status)
	}
	return nil
}
