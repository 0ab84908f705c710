package jobs_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/cmd/jobs"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// people creates six users, u0 to u5, and waits for all projections.
func people(t *testing.T) *stack.Stack {
	t.Helper()
	s := stacktest.Run(t, stack.Options{Store: store.Options{WriteEvery: 10 * time.Millisecond,
		FlushAfter: 10 * time.Millisecond}})
	for i := range 6 {
		_, err := s.Store.Users.CreateUser(t.Context(), model.UserID(fmt.Sprintf("u%d", i)),
			model.NewUser{Username: fmt.Sprintf("user_%d", i)})
		testenv.Must(t, err)
	}
	stacktest.Idle(t, s)
	return s
}

func run(t *testing.T, name string, o jobs.Options, want string) {
	t.Helper()
	if outcome, err := jobs.Run(t.Context(), name, o); err != nil || outcome != want {
		t.Errorf("Run(%s) = %s, %v, want %s", name, outcome, err, want)
	}
}

// A verification pauses when its budget is used up, and the next run goes on where it was. What it
// found is in the log and in the metric, without the id of a user.
func TestVerifyInParts(t *testing.T) {
	t.Parallel()
	s := people(t)
	_, err := testenv.Client(t, s.Project).Doc("usernames/user_5").Delete(t.Context())
	testenv.Must(t, err)
	stacktest.Idle(t, s)
	on, err := telemetry.Start(t.Context(), telemetry.Options{Service: "jobs", Metrics: "127.0.0.1:0"})
	testenv.Must(t, err)
	defer on.Stop(t.Context())
	var log bytes.Buffer
	o := jobs.Options{Store: s.Store, Log: slog.New(slog.NewJSONHandler(&log, nil)), Telemetry: on, Users: 2, Reads: 1,
		Settle: -1}
	for _, after := range []model.UserID{"u1", "u3"} {
		run(t, "verify", o, jobs.Paused)
		if j, err := s.Store.Jobs.Job(t.Context(), "verify"); err != nil || j.After != after || j.Owner != "" ||
			!j.EndedAt.IsZero() {
			t.Errorf("the job is %+v, %v, want it after %s", j, err, after)
		}
	}
	o.Reads = 0
	run(t, "verify", o, jobs.Done)
	j, err := s.Store.Jobs.Job(t.Context(), "verify")
	if err != nil || j.After != "" || j.EndedAt.IsZero() || j.Findings != 0 || j.Result == "0 differences" {
		t.Errorf("the job is %+v, %v, want a round that found something", j, err)
	}
	if text := log.String(); !strings.Contains(text, `"kind":"usernames"`) || strings.Contains(text, "u5") ||
		strings.Contains(text, "user_5") {
		t.Errorf("logged:\n%s", text)
	}
	resp, err := http.Get("http://" + on.Address() + "/metrics")
	testenv.Must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	testenv.Must(t, err)
	for _, want := range []string{`hibana_verify_findings_total{of="usernames"} 1`,
		`hibana_job_runs_total{job="verify",outcome="paused"} 2`, `hibana_job_runs_total{job="verify",outcome="done"} 1`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no line %s", want)
		}
	}
	// The next round begins at the first user.
	o.Reads = 1
	run(t, "verify", o, jobs.Paused)
}

// A job that another process runs is left to it, until that one gives no sign of life.
func TestBusy(t *testing.T) {
	t.Parallel()
	s := people(t)
	o := jobs.Options{Store: s.Store, Log: slog.New(slog.DiscardHandler)}
	_, _, err := s.Store.Jobs.Take(t.Context(), "sweep", time.Hour)
	testenv.Must(t, err)
	run(t, "sweep", o, jobs.Busy)
	_, _, err = s.Store.Jobs.Take(t.Context(), "verify", time.Nanosecond) // a process that was killed
	testenv.Must(t, err)
	o.Settle = -1
	run(t, "verify", o, jobs.Done)
}

// A sweep enqueues the work of the day once.
func TestSweep(t *testing.T) {
	t.Parallel()
	s := people(t)
	o := jobs.Options{Store: s.Store, Log: slog.New(slog.DiscardHandler)}
	raw := testenv.Client(t, s.Project)
	for range 2 {
		run(t, "sweep", o, jobs.Done)
		stacktest.Idle(t, s)
		snaps, err := raw.Collection(model.Sweeps).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		if len(snaps) != 1 {
			t.Fatalf("%d sweeps, want 1", len(snaps))
		}
		if done, err := snaps[0].DataAt("done"); err != nil || done != true {
			t.Errorf("the sweep is done: %v, %v", done, err)
		}
	}
}

// A sweep fails if another job did not run for long, and does its own work all the same. A job that
// never ran counts from the first sweep.
func TestOverdue(t *testing.T) {
	t.Parallel()
	s := people(t)
	raw := testenv.Client(t, s.Project)
	o := jobs.Options{Store: s.Store, Log: slog.New(slog.DiscardHandler), Settle: -1}
	ago := func(days int) time.Time { return time.Now().Add(-time.Duration(days)*24*time.Hour - time.Hour) }
	sweep := func(what string, late ...string) {
		t.Helper()
		outcome, err := jobs.Run(t.Context(), "sweep", o)
		if (err != nil) != (len(late) > 0) || (outcome == jobs.Failed) != (len(late) > 0) {
			t.Errorf("%s: the sweep = %s, %v", what, outcome, err)
		}
		for _, job := range []string{"verify", "export"} {
			if said := strings.Contains(fmt.Sprint(err), "the job "+job); said != slices.Contains(late, job) {
				t.Errorf("%s: %s is overdue: %v; %v", what, job, said, err)
			}
		}
		if j, err := s.Store.Jobs.Job(t.Context(), "sweep"); err != nil || time.Since(j.EndedAt) > time.Minute {
			t.Errorf("%s: the sweep ended at %v, %v", what, j.EndedAt, err)
		}
	}
	firstSweep := func(days int) {
		_, err := raw.Doc("jobs/sweep").Update(t.Context(), []firestore.Update{{Path: "firstAt", Value: ago(days)}})
		testenv.Must(t, err)
	}
	sweep("a new deployment")
	firstSweep(3)
	sweep("nothing else ran for 3 days", "verify")
	run(t, "verify", o, jobs.Done)
	sweep("verify ran")
	firstSweep(33)
	sweep("never an export", "export")
	_, err := raw.Doc("jobs/export").Set(t.Context(), model.Job{EndedAt: ago(31), RanAt: ago(1)})
	testenv.Must(t, err)
	sweep("an export of last month")
	_, err = raw.Doc("jobs/export").Set(t.Context(), model.Job{EndedAt: ago(33), RanAt: ago(1)})
	testenv.Must(t, err)
	sweep("no export this month", "export")
}

// An export has the documents. A run soon after it makes no second one, and one on the next day does,
// in whichever month.
func TestExport(t *testing.T) {
	t.Parallel()
	s := people(t)
	dir := t.TempDir()
	o := jobs.Options{Store: s.Store, Log: slog.New(slog.DiscardHandler), Emulator: testenv.FirestoreHost(t)}
	for bucket, part := range map[string]string{"": "BACKUP_BUCKET", "gs://somewhere": "folder"} {
		o.Bucket = bucket
		if outcome, err := jobs.Run(t.Context(), "export", o); outcome != jobs.Failed || err == nil ||
			!strings.Contains(err.Error(), part) {
			t.Errorf("Run(export) to %q = %s, %v, want an error with %q", bucket, outcome, err, part)
		}
	}
	o.Bucket = dir
	for range 2 {
		run(t, "export", o, jobs.Done)
		all, err := os.ReadDir(dir)
		testenv.Must(t, err)
		if len(all) != 1 {
			t.Fatalf("%d exports, want 1", len(all))
		}
		found, err := filepath.Glob(filepath.Join(dir, all[0].Name(), "*overall_export_metadata"))
		if err != nil || len(found) != 1 {
			t.Errorf("the export has no description: %v, %v", found, err)
		}
	}
	raw := testenv.Client(t, s.Project)
	_, err := raw.Doc("jobs/export").
		Update(t.Context(), []firestore.Update{{Path: "endedAt", Value: time.Now().Add(-13 * time.Hour)}})
	testenv.Must(t, err)
	time.Sleep(time.Second) // exports are named by the second
	run(t, "export", o, jobs.Done)
	if all, err := os.ReadDir(dir); err != nil || len(all) != 2 {
		t.Errorf("%d exports, %v, want 2", len(all), err)
	}
}

// A job that does not exist is an error that names those that do.
func TestUnknown(t *testing.T) {
	t.Parallel()
	if _, err := jobs.Run(t.Context(), "nothing", jobs.Options{}); err == nil || !strings.Contains(err.Error(), "verify") {
		t.Errorf("Run() = %v", err)
	}
}
