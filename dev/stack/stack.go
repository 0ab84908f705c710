// Package stack runs the trigger side of Hibana on the emulators, in one process: the
// functions, served over HTTP, and the event runner that delivers to the functions.
// Development and tests use it.
package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/fediverse/delivery"
	fediverse "github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/store"
)

// Options of a Stack. Addresses are host:port. Port 0, and an empty address, mean any
// free port of 127.0.0.1.
type Options struct {
	Project       string
	Firestore     string        // the emulator
	Events        net.Listener  // where the emulator sends its events; a listener on any free port if nil
	Storage       string        // the emulator of Cloud Storage; empty if there are no uploads
	Uploads       string        // the bucket of uploads, as gs://name; its events go to the functions
	Relay         string        // the relay of an emulator that several stacks share; the stack creates its route there
	Listen        bool          // the emulator sends no events, so the runner takes changes from listeners
	FunctionsAddr string        // where the functions are served
	TickEvery     time.Duration // the interval of ticks; 0 runs none
	Store         store.Options // Emulator is filled in
	// the time after which an unanswered event is delivered again; 0 is as deployed
	AckDeadline time.Duration
	Timeout     time.Duration    // of one delivery of an event; 0 is as deployed
	MaxBackoff  time.Duration    // between attempts to deliver an event; 0 is as the runner has it
	Faults      *eventarc.Faults // makes delivery unreliable; for tests
	Log         *slog.Logger
	Telemetry   *telemetry.Telemetry // records each event and call of Firestore; nil records nothing
	// Out makes what tells other servers of the fediverse what users do; none if nil. Store has the keys.
	Out       func(*store.Store) *delivery.Out
	Fediverse config.Service // how the installation federates; not at all if zero
	// handles uploaded files in a test; if nil, the media of Store do
	Uploaded func(context.Context, functions.Upload) error
}

// Stack is a running stack. Its user ends it with Stop.
type Stack struct {
	Store        *store.Store
	Runner       *eventarc.Runner
	FunctionsURL string

	Project   string
	relay     string
	storage   string // the emulator that sends events of files; empty for none
	uploads   string // the name of their bucket
	events    *http.Server
	functions *http.Server
	listening context.CancelFunc
	ticking   func() // ends the ticks, and waits for the last
	failed    chan error
}

// Start starts the functions and the runner, and returns when the runner takes events.
func Start(ctx context.Context, o Options) (_ *Stack, err error) {
	s := &Stack{relay: o.Relay, Project: o.Project, listening: func() {}, ticking: func() {}, failed: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
		}
	}()
	o.Store.Emulator, o.Store.Log = o.Firestore, cmp.Or(o.Store.Log, o.Log)
	if o.Telemetry != nil {
		o.Store.Meter.Stats = o.Telemetry.Firestore()
	}
	if s.Store, err = store.Open(ctx, o.Project, "", o.Store); err != nil {
		return nil, err
	}
	l, err := listen(o.FunctionsAddr)
	if err != nil {
		return nil, err
	}
	out := fediverse.Out(o.Fediverse, s.Store)
	if o.Out != nil {
		out = o.Out(s.Store)
	}
	s.functions, s.FunctionsURL = serve(l, (&functions.Service{Out: out, Inbox: fediverse.Inbox(o.Fediverse, s.Store,
		o.Log), Store: s.Store, Log: o.Log, Timeout: o.Timeout,
		Telemetry: o.Telemetry, UploadsBucket: o.Uploads, Uploaded: o.Uploaded}).Handler())
	s.Runner = eventarc.New(eventarc.Options{
		Project: o.Project, FirestoreHost: o.Firestore, Triggers: Triggers(o.Uploads), FunctionsURL: s.FunctionsURL,
		AckDeadline: o.AckDeadline, MaxBackoff: o.MaxBackoff, Faults: o.Faults, Log: o.Log,
	})
	s.Runner.Start(context.WithoutCancel(ctx))
	if o.TickEvery > 0 {
		s.tick(ctx, o)
	}
	if o.Listen && o.Uploads == "" {
		return s, s.listen(ctx, o)
	}
	if o.Events == nil {
		if o.Events, err = listen(""); err != nil {
			return nil, err
		}
	}
	var url string
	s.events, url = serve(o.Events, s.Runner)
	if o.Uploads != "" {
		s.storage, s.uploads = o.Storage, strings.TrimPrefix(o.Uploads, "gs://")
		if err := storage.Watch(ctx, s.storage, s.uploads, url); err != nil {
			return nil, err
		}
	}
	if o.Listen {
		return s, s.listen(ctx, o)
	}
	if o.Relay != "" {
		if err := eventarc.Route(ctx, o.Relay, o.Project, url); err != nil {
			return nil, err
		}
	}
	return s, s.Runner.Register(ctx)
}

// Triggers is the table of functions, as the event runner takes it. uploads is the bucket of uploads as gs://name; if
// it is empty, no function hears of files.
func Triggers(uploads string) []eventarc.Trigger {
	var triggers []eventarc.Trigger
	for _, f := range functions.Table {
		for _, on := range f.On {
			t := eventarc.Trigger{Name: f.Name, EventType: string(on), Document: f.Document}
			if f.OfBucket() {
				t.Document, t.Bucket = "", strings.TrimPrefix(uploads, "gs://")
				if t.Bucket == "" {
					continue
				}
			}
			triggers = append(triggers, t)
		}
	}
	return triggers
}

// tick calls Tick as Cloud Scheduler does in the cloud, until the stack stops. A failed call is in the log of the
// functions, and its work is due at the next tick.
func (s *Stack) tick(ctx context.Context, o Options) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	s.ticking = func() { cancel(); <-ended }
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(o.TickEvery):
			}
			_ = s.Tick(ctx)
		}
	}()
}

// Tick calls Tick once.
func (s *Stack) Tick(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.FunctionsURL+"/"+functions.Tick, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		return fmt.Errorf("stack: a tick answered %s", resp.Status)
	}
	return nil
}

// listen takes changes from listeners, and returns when the listeners have seen what
// exists.
func (s *Stack) listen(ctx context.Context, o Options) error {
	ctx, s.listening = context.WithCancel(context.WithoutCancel(ctx))
	client, err := firestore.NewClient(ctx, o.Project)
	if err != nil {
		return err
	}
	ready := make(chan struct{})
	go func() {
		defer client.Close()
		err := s.Runner.RunListen(ctx, client, func() { close(ready) })
		if ctx.Err() == nil {
			s.failed <- fmt.Errorf("listening for changes ended: %w", err)
		}
	}()
	select {
	case <-ready:
		return nil
	case err := <-s.failed:
		return err
	}
}

// Failed returns a channel that gets an error if the runner can no longer take events.
func (s *Stack) Failed() <-chan error { return s.failed }

// Stop ends everything that Start started. Events that are not delivered are lost.
func (s *Stack) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // a busy machine; an idle one takes a moment
	defer cancel()
	s.listening()
	s.ticking()
	var all []error
	if s.storage != "" {
		all = append(all, storage.Unwatch(ctx, s.storage, s.uploads))
	}
	if s.relay != "" && s.events != nil {
		all = append(all, s.Runner.Unregister(ctx), eventarc.Unroute(ctx, s.relay, s.Project))
	}
	// Close, not Shutdown: http.Server.Shutdown waits five seconds for a connection that
	// has carried no request yet, and clients keep such connections in reserve.
	if s.events != nil {
		all = append(all, s.events.Close())
	}
	if s.Runner != nil {
		all = append(all, s.Runner.Stop(ctx))
	}
	if s.functions != nil {
		all = append(all, s.functions.Close()) // the runner has waited for its requests
	}
	if s.Store != nil {
		all = append(all, s.Store.Close())
	}
	return errors.Join(all...)
}

// listen listens on an address, or on any free port of 127.0.0.1 if the address is empty.
func listen(addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	return net.Listen("tcp", addr)
}

// serve serves a handler in the background.
func serve(l net.Listener, h http.Handler) (_ *http.Server, url string) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l)
	return server, "http://" + l.Addr().String()
}
