package meter

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

func TestMeter(t *testing.T) {
	t.Parallel()
	m := New()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { from(With(context.Background(), m)).add(Counts{3, 2, 1}) })
	}
	wg.Wait()
	want := Counts{150, 100, 50}
	if got := m.Snapshot(); got != want {
		t.Errorf("Snapshot() = %+v, want %+v", got, want)
	}
	if got := m.Reads(); got != want.Reads {
		t.Errorf("Reads() = %d, want %d", got, want.Reads)
	}
	if got, want := want.Add(Counts{1, 2, 3}), (Counts{151, 102, 53}); got != want {
		t.Errorf("Add() = %+v, want %+v", got, want)
	}
}

func TestNoMeter(t *testing.T) {
	t.Parallel()
	m := from(context.Background())
	m.add(Counts{1, 1, 1})
	if m != nil || m.Snapshot() != (Counts{}) || m.Reads() != 0 {
		t.Errorf("from(no meter) = %v, want a nil that reads zero", m)
	}
}

func TestInnerMeter(t *testing.T) {
	t.Parallel()
	outer, inner := New(), New()
	from(With(With(context.Background(), outer), inner)).add(Counts{Reads: 1})
	if outer.Reads() != 0 || inner.Reads() != 1 {
		t.Errorf("outer and inner read %d and %d, want 0 and 1", outer.Reads(), inner.Reads())
	}
}

func TestCountsText(t *testing.T) {
	t.Parallel()
	c := Counts{3, 2, 0}
	if got, want := c.ServerTiming(), `fs-reads;desc="3", fs-writes;desc="2", fs-deletes;desc="0"`; got != want {
		t.Errorf("ServerTiming() = %s, want %s", got, want)
	}
	var b bytes.Buffer
	slog.New(slog.NewTextHandler(&b, nil)).Info("done", "", c)
	if want := "fs_reads=3 fs_writes=2 fs_deletes=0\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("logged %q, want it to end in %q", b.String(), want)
	}
}

func TestParseServerTiming(t *testing.T) {
	t.Parallel()
	for _, c := range []Counts{{}, {3, 2, 0}, {1 << 62, 1, 7}} {
		for _, header := range []string{c.ServerTiming(), c.ServerTiming() + ", total;dur=1.5", "cache;desc=\"fs-reads\"," +
			c.ServerTiming()} {
			if got, err := ParseServerTiming(header); got != c || err != nil {
				t.Errorf("ParseServerTiming(%q) = %v, %v, want %v", header, got, err, c)
			}
		}
	}
	for _, header := range []string{
		"",
		"total;dur=1.5",
		`fs-reads;desc="3", fs-writes;desc="2"`,
		`fs-reads;desc="3", fs-reads;desc="3", fs-writes;desc="2"`,
		`fs-reads;desc="3", fs-writes;desc="2", fs-deletes;desc="0", fs-deletes;desc="0"`,
		`fs-reads;desc="3", fs-writes;desc="2", fs-deletes;desc="-1"`,
		`fs-reads;desc="3", fs-writes;desc="2", fs-deletes;desc=""`,
		`fs-reads;desc="3", fs-writes;desc="2", fs-deletes;desc="9223372036854775808"`,
		`fs-reads;desc="3", fs-writes;desc="2", not-fs-deletes;desc="0"`,
	} {
		if got, err := ParseServerTiming(header); got != (Counts{}) || err == nil {
			t.Errorf("ParseServerTiming(%q) = %v, %v, want an error", header, got, err)
		}
	}
}
