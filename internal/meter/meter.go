// Package meter counts what Firestore will bill. Interceptors on the client's
// connection see every call, price it as Google does, and add the result to the
// [Meter] that the call's context carries: that of a request or of an event. The
// same interceptors compare each query with the indexes that are deployed, since
// the emulator answers queries that the cloud refuses.
package meter

import (
	"context"
	"fmt"
	"log/slog"
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

// LogValue makes a group of fs_reads, fs_writes and fs_deletes. Logged under the
// empty key, they become attributes of the line itself.
func (c Counts) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int64("fs_reads", c.Reads),
		slog.Int64("fs_writes", c.Writes),
		slog.Int64("fs_deletes", c.Deletes),
	)
}

// ServerTiming is the value of a Server-Timing header. Its numbers are counts and
// no durations, hence descriptions: fs-reads;desc="22".
func (c Counts) ServerTiming() string {
	return fmt.Sprintf(`fs-reads;desc="%d", fs-writes;desc="%d", fs-deletes;desc="%d"`, c.Reads, c.Writes, c.Deletes)
}

// Meter adds up billed operations. It may be used from many goroutines. A nil
// Meter counts nothing and reads zero.
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

// Reads returns the documents read so far, in the billing sense of the word.
func (m *Meter) Reads() int64 { return m.Snapshot().Reads }

// Snapshot returns all counts. A call that is under way may be counted in part.
func (m *Meter) Snapshot() Counts {
	if m == nil {
		return Counts{}
	}
	return Counts{m.reads.Load(), m.writes.Load(), m.deletes.Load()}
}

type contextKey struct{}

// With returns a context whose Firestore calls are counted by m, and by m alone:
// a meter that ctx already carries does not see them.
func With(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, contextKey{}, m)
}

// from returns the meter that ctx carries, or nil.
func from(ctx context.Context) *Meter {
	m, _ := ctx.Value(contextKey{}).(*Meter)
	return m
}
