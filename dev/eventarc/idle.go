package eventarc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// betweenProbes is the largest delay between the answer to a commit and its event in the emulator's order. On a loaded
// machine the delay may be three times the duration of a probe.
const betweenProbes = 20 * time.Millisecond

// WaitIdle returns when every change that was committed before the call has been delivered, with everything that
// followed from the change. Then no event is in the emulator, queued, running, delayed or waiting for another attempt,
// and no late function is still running.
//
// The emulator sends events from one thread, one by one, in the order of the commits, for all its projects together.
// (Of 4,800 writes by 24 clients in 3 projects, each was received before a probe that was written after it.) So
// WaitIdle writes a document below eventarcProbes. When the event of that probe arrives, no earlier event is left in
// the emulator. On a machine under load, a commit may be answered a little before its event is in that order, so
// WaitIdle writes a second probe a moment later. If no other event arrived since the queue was last empty, the runner
// is idle. Otherwise WaitIdle waits for the queue and writes again. An idle runner answers in the time of one write and
// one event, some milliseconds.
//
// After [Runner.RunListen] each collection group has an order of its own, that of its listener. A probe is then one
// document in each group, and WaitIdle deletes it.
//
// WaitIdle fails when ctx ends or the runner is stopped. It does not wait for a function that runs on after its
// connection was cut.
func (r *Runner) WaitIdle(ctx context.Context) error {
	for {
		added, err := r.queue.drained(ctx)
		if err != nil {
			pending, _ := r.queue.state()
			return fmt.Errorf("eventarc: %d deliveries pending: %w", pending, err)
		}
		begun := time.Now()
		if err = r.probe(ctx); err == nil {
			if err = wait(ctx, max(betweenProbes, 3*time.Since(begun))); err == nil {
				err = r.probe(ctx)
			}
		}
		if err != nil {
			return fmt.Errorf("eventarc: waiting for the last event: %w", err)
		}
		if _, now := r.queue.state(); now == added {
			return nil
		}
	}
}

// idle answers a GET when WaitIdle returns.
func (r *Runner) idle(w http.ResponseWriter, req *http.Request) {
	if err := r.WaitIdle(req.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// AwaitIdle is [Runner.WaitIdle] for another process. The Runner takes its events
// on runnerHost (host:port).
func AwaitIdle(ctx context.Context, runnerHost string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+runnerHost+"/idle", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("eventarc: waiting for the runner: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		answer, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return fmt.Errorf("eventarc: %s answered %s: %s", runnerHost, resp.Status, bytes.TrimSpace(answer))
	}
	return nil
}

// wait waits for a duration, or returns the error of a ctx that ends first.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
