package functions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"go.opentelemetry.io/otel/trace"

	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/store"
)

const (
	// MaxEventBytes is the size of the largest event that Handler reads: two versions of a document of at most 1 MiB, and
	// a reserve.
	MaxEventBytes = 4 << 20

	// Timeout is the time limit of one delivery of an event. A delivery that exceeds it fails, and Eventarc delivers the
	// event again. A function with more work writes a work document and returns. A subscription with default settings
	// waits 10 s for the answer, and a stopping process waits 9 s. While the deliveries of a function are late, the next
	// ones get up to [gate.Stretch] times as long.
	Timeout = 8 * time.Second

	// FileTimeout is Timeout for a function that works on files: it reads and writes a video of 30 MiB, and others wait
	// meanwhile. With a quarter of it, for which a delivery waits, it is below the 60 s of a request of Cloud Run. The
	// subscription waits for 600 s. A stopping process cuts such work off, and its event comes again.
	FileTimeout = 45 * time.Second

	// AtOnce is the largest number of deliveries of one function that a process handles at once. A delivery that waits for
	// another one, for example a roll-up, does not count while it waits.
	AtOnce = 32

	// FilesAtOnce is AtOnce for a function that works on files, which take memory.
	FilesAtOnce = 2

	// readyTimeout is how long the database may take to answer a readiness probe.
	readyTimeout = 2 * time.Second
)

// Handler serves every function of Table on a database, as [Service.Handler] says.
func Handler(s *store.Store, log *slog.Logger) http.Handler {
	return (&Service{Store: s, Log: log}).Handler()
}

// Service serves functions for a database.
type Service struct {
	Store   *store.Store
	Log     *slog.Logger
	Timeout time.Duration // of one delivery of an event; Timeout, or FileTimeout, if 0

	Telemetry *telemetry.Telemetry // records each event; nil records nothing

	// UploadsBucket is the bucket of uploads as gs://name; if it is empty, events of every bucket are refused. Uploaded
	// handles a new file of it in a test; if it is nil, the media of Store do.
	UploadsBucket string
	Uploaded      func(context.Context, Upload) error

	// Out tells other servers of the fediverse what users do; nil without federation.
	Out *delivery.Out
	// Inbox takes activities of other servers. If it is nil, they are dropped.
	Inbox *inbox.Inbox

	// Caller returns an error to refuse a request before any part of it is read. A nil Caller accepts every request.
	// Probes are not checked.
	Caller func(*http.Request) error

	gates sync.Map // *gate.Gate by name of a function
}

// Handler serves every function at POST /{name}, each event as a binary-mode CloudEvent. Handler answers 204 for an
// event that had its effect, now or earlier. It also answers 204 for an event that can never have an effect, after it
// stored the event as a dead letter. It answers 500 for an event that must be delivered again. It answers 429 if it did
// not start the event within a quarter of Timeout, because too many events of the function or another event of the same
// document were being handled. It answers 400 for a request that is not a CloudEvent, and for an event of another
// function or another database. Such an event has no effect and is not stored.
//
// A refused caller gets 401. Eventarc delivers its event again.
//
// POST /Tick does the work that is due by the clock. It answers 204, or 500 if some work must be tried again.
//
// GET /health answers while the process lives. GET /ready answers 503 unless the database answers within 2 seconds.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, f := range Table {
		s.Telemetry.Expect(context.Background(), telemetry.DeadLetters, telemetry.Function, f.Name)
		s.Telemetry.Expect(context.Background(), telemetry.Events, telemetry.Function, f.Name, telemetry.Outcome, "refused")
		mux.HandleFunc("POST /"+f.Name, s.known(func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, MaxEventBytes)
			event, err := cloudevents.NewEventFromHTTPRequest(r)
			if err == nil {
				err = event.Validate() // a missing attribute is only detected here
			}
			if err != nil {
				s.Log.WarnContext(r.Context(), "not an event", "function", f.Name, "error", err)
				http.Error(w, "not a CloudEvent", http.StatusBadRequest)
				return
			}
			if parent := r.Header.Get("Traceparent"); parent != "" && event.Extensions()["traceparent"] == nil {
				event.SetExtension("traceparent", parent)
			}
			switch err := s.run(r.Context(), &f, event); {
			case errors.Is(err, errMisrouted):
				http.Error(w, "not an event of this function and database", http.StatusBadRequest)
			case errors.Is(err, gate.ErrBusy):
				http.Error(w, "busy, deliver again", http.StatusTooManyRequests)
			case err != nil:
				http.Error(w, "failed, deliver again", http.StatusInternalServerError)
			default:
				w.WriteHeader(http.StatusNoContent)
			}
		}))
	}
	mux.HandleFunc("POST /"+Tick, s.known(s.tick))
	mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := s.Store.Ping(ctx); err != nil {
			s.Log.WarnContext(ctx, "not ready", "error", err)
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
		}
	})
	return mux
}

// known passes on requests of known callers and refuses all others.
func (s *Service) known(then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.Caller != nil {
			if err := s.Caller(r); err != nil {
				s.Log.ErrorContext(r.Context(), "a caller is not known", "path", r.URL.Path, "error", err)
				http.Error(w, "the caller is not known", http.StatusUnauthorized)
				return
			}
		}
		then(w, r)
	}
}

// run handles one event and writes its log line. An error makes Eventarc deliver the event again. A misrouted event
// returns errMisrouted.
func (s *Service) run(ctx context.Context, f *Function, event *cloudevents.Event) error {
	m := meter.New()
	start := time.Now()
	parent := http.Header{}
	if value, ok := event.Extensions()["traceparent"].(string); ok {
		parent.Set("Traceparent", value)
	}
	ctx, span := s.Telemetry.Begin(gcplog.WithTrace(ctx, s.Store.Project(), parent), parent, trace.SpanKindConsumer)
	ctx = meter.With(ctx, m)
	err := s.gated(ctx, f, event)
	poison := errors.Is(err, errPoison)
	if poison {
		burying, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeout, Timeout))
		failed := f.bury(burying, s.Store, event, err)
		cancel()
		if failed != nil {
			err, poison = fmt.Errorf("%w; it cannot be kept: %w", err, failed), false
		}
	}
	attrs := []slog.Attr{
		slog.String("function", f.Name), slog.String("event_id", event.ID()), slog.String("event_type", event.Type()),
		slog.Int64("duration_ms", time.Since(start).Milliseconds()), slog.Any("", m.Snapshot()),
	}
	outcome := "failed"
	defer func() { s.Telemetry.Handled(ctx, span, f.Name, outcome, event.Time(), m.Snapshot()) }()
	switch {
	case err == nil:
		outcome = "handled"
		s.Log.LogAttrs(ctx, slog.LevelInfo, "event handled", attrs...)
		return nil
	case poison:
		outcome = "dead"
		s.Log.LogAttrs(ctx, slog.LevelError, "poison event acknowledged", append(attrs, slog.Any("error", err))...)
		return nil
	case errors.Is(err, errMisrouted):
		outcome = "refused"
		s.Log.LogAttrs(ctx, slog.LevelError, "event refused", append(attrs, slog.Any("error", err))...)
		return err
	case errors.Is(err, gate.ErrBusy):
		outcome = "busy"
		s.Log.LogAttrs(ctx, slog.LevelInfo, "event put off", attrs...)
		return err
	}
	s.Log.LogAttrs(ctx, slog.LevelWarn, "event failed", append(attrs, slog.Any("error", err))...)
	return err
}

// gated handles one event when the function has a free place. A function handles the events of one document, or of one
// file, one at a time, except while one of them waits, see [gate.Pause] and [gate.Await].
func (s *Service) gated(ctx context.Context, f *Function, event *cloudevents.Event) error {
	found, ok := s.gates.Load(f.Name)
	if !ok {
		found, _ = s.gates.LoadOrStore(f.Name, gate.New(f.atOnce(), cmp.Or(s.Timeout, f.timeout())))
	}
	working, leave, err := found.(*gate.Gate).Enter(ctx, event.Subject())
	if err != nil {
		return err
	}
	err = s.safely(working, f, event)
	leave(err != nil)
	return err
}

// safely turns a panic into an error, so that a programming mistake in one function does not stop the other functions.
func (s *Service) safely(ctx context.Context, f *Function, event *cloudevents.Event) error {
	return safely.Do(func() error {
		e, err := parse(f, s.Store.Name(), s.UploadsBucket, event)
		if err != nil {
			return err
		}
		return f.handle(&handlers{s.Store, s.Uploaded, s.Out, s.Inbox}, ctx, e)
	})
}
