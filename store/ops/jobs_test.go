package ops_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// One process has a job, until it gives the job back or its lease ends. Then the one that lost
// the job changes nothing any more.
func TestTurns(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	e := storetest.Open(t, store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	jobs := e.Store.Jobs
	first, _, err := jobs.Take(t.Context(), "verify", time.Hour)
	testenv.Must(t, err)
	if _, _, err := jobs.Take(t.Context(), "verify", time.Hour); errs.CodeOf(err) != "job_runs" {
		t.Errorf("Take() of a job that runs = %v", err)
	}
	if _, _, err := jobs.Take(t.Context(), "sweep", time.Hour); err != nil {
		t.Errorf("Take() of another job = %v", err)
	}
	testenv.Must(t, first.Save(t.Context(), func(j *model.Job) { j.After = "bob" }))

	ahead.Store(int64(2 * time.Hour))
	second, found, err := jobs.Take(t.Context(), "verify", time.Hour)
	testenv.Must(t, err)
	if found.After != "bob" {
		t.Errorf("the next process begins after %q, want bob", found.After)
	}
	if err := first.Save(t.Context(), func(j *model.Job) { j.After = "ann" }); errs.CodeOf(err) != "job_lost" {
		t.Errorf("Save() of a job that is lost = %v", err)
	}
	if err := first.End(t.Context()); errs.CodeOf(err) != "job_lost" {
		t.Errorf("End() of a job that is lost = %v", err)
	}
	testenv.Must(t, second.End(t.Context()))
	if j, err := jobs.Job(t.Context(), "verify"); err != nil || j.After != "bob" || j.Owner != "" {
		t.Errorf("Job() = %+v, %v", j, err)
	}
}

// Of many that take a job at once, one has it.
func TestTakeAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	got := 0
	for _, err := range testenv.AtOnce(4, func(int) error {
		_, _, err := e.Store.Jobs.Take(t.Context(), "export", time.Hour)
		return err
	}) {
		if err == nil {
			got++
		} else if errs.CodeOf(err) != "job_runs" {
			t.Errorf("Take() = %v", err)
		}
	}
	if got != 1 {
		t.Errorf("%d processes have the job, want 1", got)
	}
}
