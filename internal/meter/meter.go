// Package meter counts the documents that Firestore bills. Interceptors on the client's connection see every call, and
// price the call as Google does. The price is added to the [Meter] in the context of the call, which belongs to a
// request or an event. The same interceptors compare each query with the deployed indexes, because the emulator answers
// queries that the cloud refuses.
package meter

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"sync/atomic"
)

// Counts are billed operations, in documents.
type Counts struct {
	Reads, Writes, Deletes int64
}

// Add returns c plus d.
func (c Counts) Add(d Counts) Counts {
	return Counts{c.Reads + d.Reads, c.Writes + d.Writes, c.Deletes + d.Deletes}
}

// LogValue returns a group of fs_reads, fs_writes and fs_deletes. Under the empty key the three become attributes of
// the line itself.
func (c Counts) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int64("fs_reads", c.Reads),
		slog.Int64("fs_writes", c.Writes),
		slog.Int64("fs_deletes", c.Deletes),
	)
}

// ServerTiming returns the value of a Server-Timing header. The numbers are in descriptions, as in fs-reads;desc="22",
// because a count is not a duration.
func (c Counts) ServerTiming() string {
	return fmt.Sprintf(`fs-reads;desc="%d", fs-writes;desc="%d", fs-deletes;desc="%d"`, c.Reads, c.Writes, c.Deletes)
}

// timing is one count in a Server-Timing header.
var timing = regexp.MustCompile(`(?:^|,)\s*fs-(reads|writes|deletes);desc="(\d+)"`)

// ParseServerTiming reads the counts from a Server-Timing header that [Counts.ServerTiming] wrote. The header may have
// other entries. A header without each of the three counts exactly once is an error, and so is a count beyond an int64.
// The counts are zero then.
func ParseServerTiming(header string) (Counts, error) {
	found := timing.FindAllStringSubmatch(header, -1)
	counts := map[string]int64{}
	for _, f := range found {
		n, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return Counts{}, fmt.Errorf("meter: Server-Timing is %q: %w", header, err)
		}
		counts[f[1]] = n
	}
	if len(found) != 3 || len(counts) != 3 {
		return Counts{}, fmt.Errorf("meter: Server-Timing is %q, without fs-reads, fs-writes and fs-deletes once each",
			header)
	}
	return Counts{Reads: counts["reads"], Writes: counts["writes"], Deletes: counts["deletes"]}, nil
}

// Meter adds up billed operations. It is safe for concurrent use. A nil Meter counts nothing and reads zero.
type Meter struct {
	reads, writes, deletes atomic.Int64
}

// New returns a meter that reads zero.
func New() *Meter { return new(Meter) }

// add counts c.
func (m *Meter) add(c Counts) {
	if m == nil {
		return
	}
	m.reads.Add(c.Reads)
	m.writes.Add(c.Writes)
	m.deletes.Add(c.Deletes)
}

// Reads returns the number of billed reads so far.
func (m *Meter) Reads() int64 { return m.Snapshot().Reads }

// Snapshot returns all counts. A call in progress may be counted in part.
func (m *Meter) Snapshot() Counts {
	if m == nil {
		return Counts{}
	}
	return Counts{m.reads.Load(), m.writes.Load(), m.deletes.Load()}
}

type contextKey struct{}

// With returns a context whose Firestore calls m counts. A Meter that ctx already carries does not count these calls.
func With(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, contextKey{}, m)
}

// Bill adds counts to the meter that ctx carries, for calls that were made without the meter.
func Bill(ctx context.Context, c Counts) { from(ctx).add(c) }

// Of returns what the meter that ctx carries has counted so far; nothing without a meter.
func Of(ctx context.Context) Counts { return from(ctx).Snapshot() }

// from returns the meter that ctx carries, or nil.
func from(ctx context.Context) *Meter {
	m, _ := ctx.Value(contextKey{}).(*Meter)
	return m
}
