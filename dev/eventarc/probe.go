package eventarc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

// Probes are documents by which WaitIdle detects events in flight. The emulator has a registration for them, and each
// listener gets one in its own collection group. They call no function.
const (
	probeCollection = "eventarcProbes"
	probePattern    = probeCollection + "/{id}"
	probeID         = "probe"
)

// probes are the probes whose events WaitIdle waits for.
type probes struct {
	on        atomic.Bool               // registered with an emulator
	listeners atomic.Pointer[listeners] // that run, or ran; nil without
	last      atomic.Int64
	waiting   sync.Map // by number: an *arrivals
}

// arrivals are the events of a probe that have not arrived.
type arrivals struct {
	left atomic.Int64
	all  chan struct{} // closed when none is left
}

// seen counts an event of a probe.
func (p *probes) seen(n int64) {
	if a, ok := p.waiting.Load(n); ok && a.(*arrivals).left.Add(-1) == 0 {
		close(a.(*arrivals).all)
	}
}

// probe writes a probe and returns when its events have arrived. Without an emulator and
// without listeners no event can be under way.
func (r *Runner) probe(ctx context.Context) error {
	n, l := r.probes.last.Add(1), r.probes.listeners.Load()
	fields := map[string]any{"n": map[string]string{"integerValue": strconv.FormatInt(n, 10)}}
	switch {
	case r.probes.on.Load():
		return r.await(ctx, n, 1, nil, map[string]any{"update": map[string]any{"name": r.document("runner"),
			"fields": fields}})
	case l == nil || len(l.groups) == 0:
		return nil
	}
	var writes, deletes []map[string]any
	for _, group := range l.groups {
		name := r.document(fmt.Sprintf("%d/%s/%s", n, group, probeID))
		writes = append(writes, map[string]any{"update": map[string]any{"name": name, "fields": fields}})
		deletes = append(deletes, map[string]any{"delete": name})
	}
	err := r.await(ctx, n, len(writes), l.ended, writes...)
	return errors.Join(err, r.commit(context.WithoutCancel(ctx), deletes...)) // queries of a group must not find them
}

// await writes the documents of a probe, and returns when the given number of its events have arrived. ended is closed
// when no more will arrive.
func (r *Runner) await(ctx context.Context, n int64, events int, ended <-chan struct{},
	writes ...map[string]any) error {
	a := &arrivals{all: make(chan struct{})}
	a.left.Store(int64(events))
	r.probes.waiting.Store(n, a)
	defer r.probes.waiting.Delete(n)
	if err := r.commit(ctx, writes...); err != nil {
		return err
	}
	select {
	case <-a.all:
		return nil
	case <-ended:
		return errors.New("the listeners ended")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// commit writes at once.
func (r *Runner) commit(ctx context.Context, writes ...map[string]any) error {
	return r.admin(ctx, http.MethodPost, "/v1/projects/"+r.opts.Project+"/databases/"+database+"/documents:commit",
		map[string]any{"writes": writes})
}

// document is the full name of a document of probes.
func (r *Runner) document(path string) string {
	return "projects/" + r.opts.Project + "/databases/" + database + "/documents/" + probeCollection + "/" + path
}
