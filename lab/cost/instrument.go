package cost

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/store"
)

// Instrument is the clock of a run, and records the bills of its triggers. The functions must use the Instrument's
// Logger and a store with its options.
type Instrument struct {
	// Uploads and Media are the buckets of pictures as gs://name, for a day with pictures. The emulator of Cloud Storage
	// has them. They are set before Store is called.
	Uploads, Media string

	now      atomic.Int64 // Unix nanoseconds
	expiring map[string]bool

	mu        sync.Mutex
	functions map[string]Invocations
	awaiting  map[string]bool // paths of documents that a TTL policy will delete
	expired   int64           // number of additional expiring documents since the last take
}

// Invocations are the events that one function handled, and the bill of all of them
// together.
type Invocations struct {
	Events int `json:"events"`
	Idle   int `json:"idle"` // events that wrote and deleted nothing
	Bill
}

// NewInstrument makes an instrument from the text of firestore.indexes.json, which says
// what expires. Its clock begins in the middle of a month. A page that spans two months
// costs more, and only readers on a month's first day meet such pages.
func NewInstrument(indexes []byte) (*Instrument, error) {
	var file struct {
		FieldOverrides []struct {
			CollectionGroup string `json:"collectionGroup"`
			TTL             bool   `json:"ttl"`
		} `json:"fieldOverrides"`
	}
	if err := json.Unmarshal(indexes, &file); err != nil {
		return nil, fmt.Errorf("cost: index definitions: %w", err)
	}
	in := &Instrument{expiring: map[string]bool{}, functions: map[string]Invocations{}, awaiting: map[string]bool{}}
	for _, f := range file.FieldOverrides {
		if f.TTL {
			in.expiring[f.CollectionGroup] = true
		}
	}
	in.now.Store(time.Date(2026, time.June, 10, 0, 0, 0, 0, time.UTC).UnixNano())
	return in, nil
}

// Store returns the options of a store that takes part in the run.
func (in *Instrument) Store() store.Options {
	return store.Options{
		Now: in.Now, ServerNow: in.Now, Patience: time.Minute, Meter: meter.Options{OnWrite: in.wrote},
		// seconds of the simulation pass between two operations, so no commit needs to wait for others
		WriteEvery: time.Millisecond,
		// the clock flushes uses, so that their writes belong to it in each run
		TrendsEvery:   365 * 24 * time.Hour,
		UploadsBucket: in.Uploads, MediaBucket: in.Media,
	}
}

// Now is the time of the simulation.
func (in *Instrument) Now() time.Time { return time.Unix(0, in.now.Load()).UTC() }

// advance moves the time of the simulation.
func (in *Instrument) advance(d time.Duration) { in.now.Add(int64(d)) }

// Logger returns the logger of the functions. The logger reads the bill of each event, and passes on only failures.
func (in *Instrument) Logger(log *slog.Logger) *slog.Logger {
	return slog.New(&billReader{Handler: log.Handler(), in: in})
}

type billReader struct {
	slog.Handler
	in *Instrument
}

func (*billReader) Enabled(context.Context, slog.Level) bool { return true } // a tick that does nothing is a debug line

func (h *billReader) Handle(ctx context.Context, r slog.Record) error {
	function := ""
	if r.Message == "tick" {
		function = functions.Tick
	}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "function" {
			function = a.Value.String()
		}
		if c, ok := a.Value.Any().(meter.Counts); ok {
			h.in.handled(function, c)
		}
		return true
	})
	if r.Level < slog.LevelWarn {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// handled notes the bill of an event.
func (in *Instrument) handled(function string, c meter.Counts) {
	in.mu.Lock()
	defer in.mu.Unlock()
	f := in.functions[function]
	bill := billOf(c)
	f.Events++
	if bill.Writes == 0 && bill.Deletes == 0 {
		f.Idle++
	}
	f.Bill = f.Bill.plus(bill)
	in.functions[function] = f
}

// wrote records expiring documents. Firestore itself deletes most of them a day or a month later, and bills the
// deletes.
func (in *Instrument) wrote(path string, deleted bool) {
	parts := strings.Split(path, "/")
	if len(parts) < 2 || !in.expiring[parts[len(parts)-2]] {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case deleted && in.awaiting[path]:
		delete(in.awaiting, path)
		in.expired--
	case !deleted && !in.awaiting[path]:
		in.awaiting[path] = true
		in.expired++
	}
}

// take returns the records since the last take.
func (in *Instrument) take() (bills map[string]Invocations, expired int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	bills, expired = in.functions, in.expired
	in.functions, in.expired = map[string]Invocations{}, 0
	return bills, expired
}
