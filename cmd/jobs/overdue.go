package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// overdueAfter is the time after its last run at which a job is overdue. The export runs on the first of a month,
// verify each night.
var overdueAfter = map[string]time.Duration{"export": 33 * 24 * time.Hour, "verify": 3 * 24 * time.Hour}

// overdue returns an error for each job that should have run and did not. Its schedule may be paused or missing from
// the deployment, and then no run can fail. A job that never ran counts from the first sweep. No job watches the sweep
// itself.
// Cost: 1 read for each job.
func (o *Options) overdue(ctx context.Context, now, firstSweep time.Time) (late error) {
	for _, name := range Names {
		after, watched := overdueAfter[name]
		if !watched {
			continue
		}
		job, err := o.Store.Jobs.Job(ctx, name)
		if err != nil {
			return err
		}
		last := job.RanAt
		if name == "export" {
			last = job.EndedAt // each month has one
		}
		if last.Before(firstSweep) {
			last = firstSweep
		}
		if now.Sub(last) > after {
			late = errors.Join(late, fmt.Errorf("the job %s is overdue: it did not run since %s, and should run every %d "+
				"days at least", name, last.UTC().Format(time.DateOnly), after/(24*time.Hour)))
		}
	}
	return late
}
