package e2e

import (
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/meter"
)

// journal keeps what the functions log of each event that they handled.
type journal struct {
	mu      sync.Mutex
	entries []entry
	added   chan struct{} // closed with the next entry
}

// handled is the message of a line about an event that had its effect.
const handled = "event handled"

type entry struct {
	Msg       string
	Function  string
	EventType string `json:"event_type"`
	Reads     int64  `json:"fs_reads"`
	Writes    int64  `json:"fs_writes"`
	Deletes   int64  `json:"fs_deletes"`
}

func newJournal() *journal { return &journal{added: make(chan struct{})} }

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(j, nil)) }

// Write takes one line.
func (j *journal) Write(line []byte) (int, error) {
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return 0, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, e)
	close(j.added)
	j.added = make(chan struct{})
	return len(line), nil
}

// reset forgets what was logged so far.
func (j *journal) reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = nil
}

// wait returns when each of the functions has handled an event since the last take or
// reset.
func (j *journal) wait(t testing.TB, functions ...string) {
	t.Helper()
	giveUp := time.After(time.Minute)
	for {
		j.mu.Lock()
		left := slices.DeleteFunc(slices.Clone(functions), func(name string) bool {
			return slices.ContainsFunc(j.entries, func(e entry) bool { return e.Function == name && e.Msg == handled })
		})
		added := j.added
		j.mu.Unlock()
		if len(left) == 0 {
			return
		}
		select {
		case <-added:
		case <-giveUp:
			t.Fatalf("%v handled nothing within a minute", left)
		}
	}
}

// bill is what each function was billed.
type bill map[string]meter.Counts

func (b bill) sum() (sum meter.Counts) {
	for _, c := range b {
		sum = sum.Add(c)
	}
	return sum
}

// take adds up what was logged since the last take or reset. Anything but an event that was
// handled at the first attempt fails the test.
func (j *journal) take(t testing.TB) bill {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	b := bill{}
	for _, e := range j.entries {
		if e.Msg != handled {
			t.Errorf("logged %+v", e)
			continue
		}
		b[e.Function] = b[e.Function].Add(meter.Counts{Reads: e.Reads, Writes: e.Writes, Deletes: e.Deletes})
	}
	j.entries = nil
	return b
}
