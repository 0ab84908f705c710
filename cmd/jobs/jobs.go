// Package jobs runs the scheduled jobs: the nightly verification, the monthly export, and the daily sweep for overdue
// work. A job may be started at any time, and twice at once: the second run finds the first, and ends.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	jobstore "github.com/hibana-sns/hibana/store/ops"
	"github.com/hibana-sns/hibana/store/verify"
)

// Names are the names of all jobs.
var Names = []string{"verify", "export", "sweep"}

// Outcomes of a run.
const (
	Done   = "done"   // the round, export or sweep is complete
	Paused = "paused" // the budget is used up; the next run continues
	Busy   = "busy"   // another process runs the job
	Failed = "failed" // the next run continues
)

// Options of a run. Store and Log are required.
type Options struct {
	Store     *store.Store
	Log       *slog.Logger
	Telemetry *telemetry.Telemetry

	Lease  time.Duration // how long a silent process keeps the job; 5 min if 0
	Reads  int64         // billed reads after which verify pauses; 2,000,000 if 0. The part under way is finished
	Users  int           // users in a part of verify; 1,000 if 0
	Settle time.Duration // time between two snapshots of verify; 2 min if 0, and none if negative

	// Accounts are the Firebase Auth accounts whose status sweep compares; nil skips the comparison.
	// sweep also deletes those that nobody uses.
	Accounts Accounts
	// UnusedAfter is how long an account without a profile may be unused before sweep deletes it. If 0, it stays.
	UnusedAfter time.Duration

	// Bucket is where exports go: gs:// and a name, or for the emulator the path of a folder.
	Bucket string
	// Emulator is host:port of the Firestore emulator; empty is the cloud.
	Emulator string
}

// Run runs a job and returns its outcome. A job that another process runs is not a failure.
func Run(ctx context.Context, name string, o Options) (outcome string, err error) {
	run := map[string]func(context.Context, *jobstore.JobTurn, model.Job, *meter.Meter) (string, error){"verify": o.verify,
		"export": o.export, "sweep": o.sweep}[name]
	if run == nil {
		return Failed, fmt.Errorf("no job is named %q; there are %v", name, Names)
	}
	o.defaults()
	m, start := meter.New(), time.Now()
	ctx, span := o.Telemetry.Begin(meter.With(ctx, m), nil, trace.SpanKindInternal)
	defer func() {
		if err != nil {
			outcome = Failed
		}
		level, attrs := slog.LevelInfo, []slog.Attr{
			slog.String("job", name), slog.String("outcome", outcome),
			slog.Int64("duration_ms", time.Since(start).Milliseconds()), slog.Any("", m.Snapshot()),
		}
		if err != nil {
			level, attrs = slog.LevelError, append(attrs, slog.Any("error", err))
		}
		o.Log.LogAttrs(ctx, level, "job", attrs...)
		o.Telemetry.Count(ctx, telemetry.JobRuns, 1, telemetry.Job, name, telemetry.Outcome, outcome)
		o.Telemetry.Bill(ctx, telemetry.Job, name, m.Snapshot())
		telemetry.End(span, "job "+name, err != nil, telemetry.Job, name, telemetry.Outcome, outcome)
	}()
	turn, job, err := o.Store.Jobs.Take(ctx, name, o.Lease)
	if errs.CodeOf(err) == "job_runs" {
		return Busy, nil
	}
	if err != nil {
		return Failed, err
	}
	running, lost := context.WithCancelCause(ctx)
	alive := make(chan struct{})
	safely.Go(func() error { // keeps the lease, and stops when another process has the job
		defer close(alive)
		for running.Err() == nil {
			select {
			case <-running.Done():
				return nil
			case <-time.After(o.Lease / 3):
			}
			if err := turn.Save(running, func(*model.Job) {}); err != nil && running.Err() == nil {
				lost(err)
			}
		}
		return nil
	}, lost)
	outcome, err = run(running, turn, job, m)
	if err != nil && running.Err() != nil && ctx.Err() == nil {
		err = context.Cause(running)
	}
	lost(nil)
	<-alive
	return outcome, errors.Join(err, turn.End(context.WithoutCancel(ctx)))
}

func (o *Options) defaults() {
	if o.Lease == 0 {
		o.Lease = 5 * time.Minute
	}
	if o.Reads == 0 {
		o.Reads = 2_000_000
	}
	if o.Users == 0 {
		o.Users = 1_000
	}
	switch {
	case o.Settle == 0:
		o.Settle = 2 * time.Minute
	case o.Settle < 0:
		o.Settle = 0
	}
}

// verify verifies one part of the users after the other, and records its progress after each. A killed run repeats only
// one part. Differences go to the log by kind and field, and to the metric. verify repairs nothing.
func (o *Options) verify(ctx context.Context, turn *jobstore.JobTurn, job model.Job, m *meter.Meter) (string, error) {
	for after, found := job.After, job.Findings; ; {
		part, next, err := o.Store.Audit.Part(ctx, after, o.Users, verify.Options{Reconcile: o.Settle, Rounds: 3})
		if err != nil {
			return Failed, err
		}
		kinds := map[string]int{}
		for _, d := range part {
			kinds[d.Kind]++
			o.Log.WarnContext(ctx, "a projection differs", "job", "verify", "kind", d.Kind, "field", field(d.Field))
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			o.Telemetry.Count(ctx, telemetry.VerifyFindings, int64(kinds[kind]), telemetry.Of, kind)
		}
		found += len(part)
		after = next
		err = turn.Save(ctx, func(j *model.Job) {
			j.After, j.Findings = after, found
			if after == "" {
				j.EndedAt, j.Result, j.Findings = time.Now().UTC(), fmt.Sprintf("%d differences", found), 0
			}
		})
		switch {
		case err != nil:
			return Failed, err
		case after == "":
			return Done, nil
		case m.Reads() >= o.Reads:
			return Paused, nil
		}
	}
}

// field is the first part of a field path. The rest may be the id of a user.
func field(path string) string {
	first, _, _ := strings.Cut(path, ".")
	return first
}

// sweep posts overdue scheduled tweets, updates Firebase Auth from the account statuses, deletes accounts that nobody
// uses, and enqueues the day's sweep, which re-enqueues work whose event was lost. A home page may not have enqueued
// it. After that, sweep fails if another job is overdue.
func (o *Options) sweep(ctx context.Context, turn *jobstore.JobTurn, job model.Job, _ *meter.Meter) (string, error) {
	begun := time.Now()
	done, err := o.Store.Drafts.PublishDue(ctx, func() bool { return time.Since(begun) > time.Minute })
	err = errors.Join(err, o.Store.Timelines.EnqueueSweep(ctx))
	mirrored := 0
	if o.Accounts != nil {
		var failed error
		mirrored, failed = o.Store.Moderation.MirrorAll(ctx, o.Accounts)
		err = errors.Join(err, failed)
	}
	if job.FirstAt.IsZero() {
		job.FirstAt = begun.UTC()
	}
	unused := 0
	if o.Accounts != nil && o.UnusedAfter > 0 {
		var failed error
		unused, job.AccountsAfter, failed = o.unused(ctx, job.AccountsAfter, job.FirstAt, begun)
		err = errors.Join(err, failed, turn.Save(ctx, func(j *model.Job) { j.AccountsAfter = job.AccountsAfter }))
	}
	if err != nil {
		return Failed, err
	}
	err = turn.Save(ctx, func(j *model.Job) {
		j.EndedAt, j.FirstAt = time.Now().UTC(), job.FirstAt
		j.Result = fmt.Sprintf("%d tweets posted, %d refused; %d account statuses mirrored; %d unused accounts deleted",
			done.Published, done.Refused, mirrored, unused)
	})
	if err == nil {
		err = o.overdue(ctx, begun, job.FirstAt)
	}
	return Done, err
}
