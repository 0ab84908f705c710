// Package eventarc replaces Eventarc on a laptop. It takes document events from the Firestore emulator and delivers
// them to functions over HTTP, as binary-mode CloudEvents. As in the cloud, events are delivered concurrently, at least
// once and in no promised order. An event that is not answered in time is delivered again while the first attempt runs
// on.
//
// The emulator by itself does less. It sends one event at a time, with the protobuf in base64. An event that was
// answered with an error is never sent again. So a [Runner] acknowledges at once, queues in memory, and does the rest
// itself:
//
//	emulator ──POST──► Runner (queue, backoff, faults) ──CloudEvent──► functions
//
// The Runner also corrects three more differences from the cloud: ce-source doubles "projects/", functions triggered by
// one change see different event ids, and a write that changes nothing creates an event. One difference cannot be
// corrected: a change to a document whose id holds a control character makes no event, because the emulator fails to
// build the event's headers.
//
// The emulator sends only a few hundred events a second. The Runner therefore requests one event per change, and
// creates the events of all functions from it. The update mask is always empty; handlers compare the two values.
//
// Events of files come from the emulator of Cloud Storage, package dev/storage/emulator. It sends them as CloudEvents
// already, before it answers the upload.
//
// Several processes can share one emulator of Firestore through a [Relay]. If the emulator runs without
// --functions_emulator, [Runner.RunListen] takes the changes from Firestore listeners instead.
package eventarc

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Trigger names the function that is called when a document changes.
type Trigger struct {
	// Name is the function's name, and its path below Options.FunctionsURL.
	Name string
	// EventType is a CloudEvent type of Firestore: created, updated, deleted or written
	// below "google.cloud.firestore.document.v1.".
	EventType string
	// Document is a path pattern relative to the database, such as
	// "likes/{id}". A wildcard stands for one segment.
	Document string
	// Bucket is the name of a bucket of Cloud Storage, for the type
	// "google.cloud.storage.object.v1.finalized". Document is then empty.
	Bucket string
}

// sees reports whether the trigger handles a kind of change: created, updated or deleted.
func (t *Trigger) sees(kind string) bool {
	is := t.EventType[strings.LastIndexByte(t.EventType, '.')+1:]
	return is == kind || is == "written"
}

// Options configures a Runner.
type Options struct {
	// Project is the project whose events are taken.
	Project string
	// FirestoreHost is the emulator's host:port.
	FirestoreHost string
	// Triggers is the whole table.
	Triggers []Trigger
	// FunctionsURL is where functions are served, without a slash at the end. Events go
	// to FunctionsURL/Name.
	FunctionsURL string

	// Concurrency is the number of deliveries at once; 0 means 128. Many of them only
	// wait: a function that joins others may wait for a second or two.
	Concurrency int
	// MinBackoff and MaxBackoff bound the pause before a failed delivery is tried again.
	// The pause doubles from MinBackoff to MaxBackoff and has jitter. 0 means 100 ms and
	// 10 s, suited to a laptop; the cloud takes 10 s and 600 s.
	MinBackoff, MaxBackoff time.Duration
	// AckDeadline is how long a function may take to answer. After it the attempt counts
	// as failed: the event is delivered again beside the first request, which runs to its
	// end, and whose answer is ignored. In the cloud it is the acknowledgement deadline of
	// the trigger's subscription. 0 means 600 s, the deadline that deploy/triggers.sh sets.
	// A subscription that nobody changed has 10 s.
	AckDeadline time.Duration
	// MaxAge is how long after its arrival an event is still tried again; 0 means 24 h,
	// as in the cloud.
	MaxAge time.Duration
	// Faults makes delivery worse on purpose; nil means without faults.
	Faults *Faults

	// Client sends the events and the requests to the emulator. nil is a client that keeps Concurrency connections open.
	Client *http.Client
	// Log receives the log lines; nil is no log.
	Log *slog.Logger
}

// Runner receives the events of one project and delivers them. It is the [http.Handler] for the emulator's requests.
// Events that arrive before [Runner.Start] wait for it.
type Runner struct {
	opts     Options
	patterns []*pattern
	buckets  []*Trigger
	url      atomic.Pointer[string]
	mux      *http.ServeMux
	queue    *queue
	counters counters
	plans    planner
	probes   probes
	stop     context.CancelFunc
	workers  sync.WaitGroup
	late     sync.WaitGroup // requests that were not answered in time and are still running
}

// pattern is a document pattern with its triggers.
type pattern struct {
	document string
	triggers []*Trigger
}

// New returns a Runner that is neither registered nor started.
func New(opts Options) *Runner {
	if opts.Concurrency == 0 {
		opts.Concurrency = 128
	}
	if opts.MinBackoff == 0 {
		opts.MinBackoff = 100 * time.Millisecond
	}
	if opts.MaxBackoff == 0 {
		opts.MaxBackoff = max(opts.MinBackoff, 10*time.Second)
	}
	if opts.AckDeadline == 0 {
		opts.AckDeadline = 10 * time.Minute
	}
	if opts.MaxAge == 0 {
		opts.MaxAge = 24 * time.Hour
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Client == nil {
		opts.Client = &http.Client{
			Transport: &http.Transport{MaxIdleConnsPerHost: opts.Concurrency, IdleConnTimeout: time.Minute},
		}
	}
	r := &Runner{opts: opts, queue: newQueue(), plans: planner{faults: opts.Faults}}
	for _, t := range opts.Triggers {
		if t.Bucket != "" {
			r.buckets = append(r.buckets, &t)
			continue
		}
		i := slices.IndexFunc(r.patterns, func(p *pattern) bool { return p.document == t.Document })
		if i < 0 {
			i = len(r.patterns)
			r.patterns = append(r.patterns, &pattern{document: t.Document})
		}
		r.patterns[i].triggers = append(r.patterns[i].triggers, &t)
	}
	r.SetFunctionsURL(opts.FunctionsURL)
	// Probes count from the current time, so that no other Runner of the project uses the same numbers.
	r.probes.last.Store(time.Now().UnixNano())
	r.mux = http.NewServeMux()
	r.mux.HandleFunc("POST /functions/projects/{project}/triggers/{trigger}", r.receive)
	r.mux.HandleFunc("POST /functions/buckets/{bucket}", r.receiveFile)
	r.mux.HandleFunc("GET /idle", r.idle)
	return r
}

// SetFunctionsURL sends later attempts to another address, redeliveries included. Restarted functions may listen on
// another port.
func (r *Runner) SetFunctionsURL(url string) {
	r.url.Store(&url)
}

// Start delivers in the background until Stop. When ctx ends, requests that are running
// are cut off. Start is called once.
func (r *Runner) Start(ctx context.Context) {
	ctx, r.stop = context.WithCancel(ctx)
	context.AfterFunc(ctx, r.queue.close)
	for range r.opts.Concurrency {
		r.workers.Go(func() {
			for d := range r.queue.ready.all() {
				r.attempt(ctx, d)
			}
		})
	}
}

// Stop ends delivery. The emulator is answered 503, and events that are queued or wait
// for another attempt are given up. Running deliveries may finish until ctx ends. Then
// Stop cuts them off and returns the error of ctx. Requests that were not answered in time
// are cut off in any case.
func (r *Runner) Stop(ctx context.Context) error {
	r.queue.close()
	if r.stop == nil { // Start was never called
		return nil
	}
	defer r.late.Wait()
	defer r.stop()
	finished := make(chan struct{})
	go func() {
		r.workers.Wait()
		close(finished)
	}()
	select {
	case <-finished:
		return nil
	case <-ctx.Done():
		r.stop()
		<-finished
		return ctx.Err()
	}
}
