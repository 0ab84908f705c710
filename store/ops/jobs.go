// This file keeps the progress of operators' jobs. One process runs a job at a time, and the next goes on where the
// last ended.

package ops

import (
	"context"
	"crypto/rand"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Jobs is the record of all jobs. Its methods may be called concurrently.
type Jobs struct{ db *db.DB }

// NewJobs returns the record of a database.
func NewJobs(d *db.DB) *Jobs { return &Jobs{d} }

// JobTurn is the right to run a job, until its lease ends. Save makes the lease anew.
type JobTurn struct {
	store       *Jobs
	name, owner string
	lease       time.Duration
}

// Job returns the record of a job; the zero Job if it never ran.
//
// Cost: 1 read.
func (s *Jobs) Job(ctx context.Context, name string) (j model.Job, err error) {
	defer errs.Wrap(&err, "ops.Job(%q)", name)
	_, err = s.db.Get(ctx, s.db.Doc(model.Jobs, name), &j)
	return j, err
}

// Take claims a job for a lease. If another process has it, the error is errs.Conflict with the code "job_runs". A
// process that crashed loses the job when its lease ends, by the clock of the claimer.
//
// Cost: 1 read and 1 write.
func (s *Jobs) Take(ctx context.Context, name string, lease time.Duration) (_ *JobTurn, j model.Job, err error) {
	defer errs.Wrap(&err, "ops.Take(%q)", name)
	t := &JobTurn{store: s, name: name, owner: rand.Text(), lease: lease}
	err = t.change(ctx, func(now *model.Job) error {
		if now.Owner != "" && now.Owner != t.owner && s.db.Time().Before(now.Until) {
			return errs.New(errs.Conflict, "job_runs", "another process runs %s, until %s at least", name,
				now.Until.Format(time.RFC3339))
		}
		now.Owner, now.RanAt = t.owner, s.db.Time()
		j = *now
		return nil
	})
	return t, j, err
}

// Save changes the record of the job, and renews the lease. If another process has claimed the job meanwhile, nothing
// changes, and the error is errs.Conflict with the code "job_lost". change may be called several times.
//
// Cost: 1 read and 1 write.
func (t *JobTurn) Save(ctx context.Context, change func(*model.Job)) (err error) {
	defer errs.Wrap(&err, "ops.Save(%q)", t.name)
	return t.change(ctx, func(j *model.Job) error {
		if j.Owner != t.owner {
			return errs.New(errs.Conflict, "job_lost", "another process has taken %s", t.name)
		}
		change(j)
		return nil
	})
}

// End releases the job, also if the job is not complete.
//
// Cost: 1 read and 1 write.
func (t *JobTurn) End(ctx context.Context) error {
	return t.Save(ctx, func(j *model.Job) { j.Owner, j.Until = "", time.Time{} })
}

// change reads, changes and writes the record in one transaction. A commit whose answer was lost is repeated, with the
// same outcome except for End: then the job is free already.
func (t *JobTurn) change(ctx context.Context, f func(*model.Job) error) error {
	ref := t.store.db.Doc(model.Jobs, t.name)
	return t.store.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var j model.Job
		if _, err := db.GetIn(tx, ref, &j); err != nil {
			return err
		}
		if err := f(&j); err != nil {
			return err
		}
		if j.Owner != "" {
			j.Until = t.store.db.Time().Add(t.lease)
		}
		return tx.Set(ref, j)
	})
}
