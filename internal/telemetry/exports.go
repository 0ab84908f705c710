package telemetry

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

const (
	// exportEvery is the time between two exports of metrics.
	exportEvery = time.Minute

	// overdue is the time after the last export from which the end of an event exports the metrics itself.
	overdue = exportEvery + 10*time.Second

	// overdueWithin is the time limit of such an export, and tryEvery the time between two of them.
	overdueWithin = 2 * time.Second
	tryEvery      = exportEvery - 10*time.Second
)

// exports exports metrics where Cloud Run gives a process no CPU between requests. There the timer of exports may stop
// for minutes, and an export that it began runs into its time-out. The clock calls the functions each minute, so an
// event has the CPU while it waits for an export.
type exports struct {
	metric.Exporter
	flush func(context.Context) error
	done  atomic.Int64 // the end of the last export that succeeded, in Unix nanoseconds

	mu    sync.Mutex
	tried time.Time
}

// Export exports metrics, and notes the time.
func (e *exports) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	err := e.Exporter.Export(ctx, m)
	if err == nil {
		e.done.Store(time.Now().UnixNano())
	}
	return err
}

// catchUp exports the metrics if an export is overdue. It takes 2 s at most, and less than a millisecond if no export
// is. A failure reaches the handler of errors.
func (e *exports) catchUp(ctx context.Context) error {
	if e == nil || time.Since(time.Unix(0, e.done.Load())) < overdue || !e.mu.TryLock() {
		return nil
	}
	defer e.mu.Unlock()
	if time.Since(e.tried) < tryEvery {
		return nil
	}
	e.tried = time.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), overdueWithin)
	defer cancel()
	return e.flush(ctx)
}
