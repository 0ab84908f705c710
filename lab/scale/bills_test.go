package scale_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// bill is what events of one function were billed.
type bill struct{ events, reads, writes, deletes int64 }

func (b *bill) add(more bill) {
	b.events, b.reads, b.writes, b.deletes = b.events+more.events, b.reads+more.reads, b.writes+more.writes,
		b.deletes+more.deletes
}

// bills read the log of functions, and add up what their events were billed. The zero value is
// empty.
type bills struct {
	mu     sync.Mutex
	log    bytes.Buffer
	errors []string
	billed map[string]*bill // by function
}

// Write takes a piece of the log.
func (d *bills) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log.Write(p)
	for {
		line, err := d.log.ReadBytes('\n')
		if err != nil {
			d.log.Write(line) // the beginning of a line
			return len(p), nil
		}
		var l struct {
			Function string `json:"function"`
			Reads    int64  `json:"fs_reads"`
			Writes   int64  `json:"fs_writes"`
			Deletes  int64  `json:"fs_deletes"`
		}
		if json.Unmarshal(line, &l) != nil || l.Function == "" {
			continue
		}
		if strings.Contains(string(line), `"severity":"ERROR"`) {
			d.errors = append(d.errors, string(line))
		}
		if d.billed == nil {
			d.billed = map[string]*bill{}
		}
		if d.billed[l.Function] == nil {
			d.billed[l.Function] = &bill{}
		}
		d.billed[l.Function].add(bill{1, l.Reads, l.Writes, l.Deletes})
	}
}

// failed reports whether the log has an error: an event that will not come again.
func (d *bills) failed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.errors) > 0
}

// of is the bill of a function, and of all without a name.
func (d *bills) of(function string) (sum bill) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, b := range d.billed {
		if function == "" || name == function {
			sum.add(*b)
		}
	}
	return sum
}

func (d *bills) print(t *testing.T) {
	t.Helper()
	sum := d.of("")
	d.mu.Lock()
	defer d.mu.Unlock()
	line := func(name string, b bill) {
		t.Logf("%-16s %7d events  %7d reads  %7d writes  %7d deletes", name, b.events, b.reads, b.writes, b.deletes)
	}
	for _, name := range slices.Sorted(maps.Keys(d.billed)) {
		line(name, *d.billed[name])
	}
	line("together", sum)
	if len(d.errors) > 0 {
		t.Errorf("the log has errors: %q", d.errors)
	}
}
