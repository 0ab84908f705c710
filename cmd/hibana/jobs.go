package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/cmd/jobs"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

type jobsCmd struct {
	Run  jobsRunCmd  `cmd:"" help:"Run a job now."`
	List jobsListCmd `cmd:"" default:"1" help:"List the jobs and their progress."`
}

type jobsRunCmd struct {
	Name   string        `arg:"" help:"The job: verify, export or sweep."`
	Reads  int64         `default:"2000000" help:"Documents after which verify pauses until its next run. It finishes its part first."`
	Part   int           `default:"1000" help:"Users in a part of verify."`
	Settle time.Duration `default:"2m" help:"Time between two snapshots of verify, longer than an event can be late; 0 takes one snapshot."`
	Bucket string        `env:"BACKUP_BUCKET" placeholder:"gs://NAME|FOLDER" help:"Destination of export: a bucket, or a folder for the emulator."`

	Unused time.Duration `default:"0" help:"Time after which sweep deletes an account of Firebase Auth that has no profile and that nobody used, such as 720h; 0 keeps them. Keep them if other apps share the project."`

	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*jobsRunCmd) Help() string {
	return `The document jobs/NAME has the lease and the progress of a job. One process runs a job at
a time, and a second process ends at once. A run resumes after a pause or a crash. Log
lines go to standard output.

Exit status: 0 if the job is done, paused or run by another process, even if verify found
differences; 1 if the job failed.`
}

// Run runs a job to its end.
func (c *jobsRunCmd) Run(ctx context.Context) (err error) {
	if c.Reads < 1 || c.Part < 1 || c.Settle < 0 {
		return fmt.Errorf("--reads is %d, --part is %d and --settle is %v; --reads and --part must be at least 1, and "+
			"--settle at least 0", c.Reads, c.Part, c.Settle)
	}
	if c.Unused != 0 && c.Unused < 24*time.Hour {
		return fmt.Errorf("--unused is %v; it must be 0 or at least 24h", c.Unused)
	}
	emulator, err := c.Database.emulator()
	if err != nil {
		return err
	}
	log := gcplog.New(os.Stdout, slog.LevelInfo)
	measured, err := telemetry.Start(ctx, telemetry.Options{Service: "jobs", Project: c.Database.Project,
		OTLP: os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), Log: log})
	if err != nil {
		return err
	}
	defer func() {
		if failed := measured.Stop(ctx); failed != nil { // a missing collector is not a failure of the job
			log.Warn("telemetry failed", "error", failed)
		}
	}()
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var auth jobs.Accounts
	if (emulator != "") == (os.Getenv(authEnv) != "") { // otherwise the accounts belong to another system
		auth = accounts.New(c.Database.Project)
	}
	_, err = jobs.Run(ctx, c.Name, jobs.Options{
		Store: db, Log: log, Telemetry: measured, Reads: c.Reads, Users: c.Part, Settle: cmp.Or(c.Settle, -1),
		Bucket: strings.TrimSuffix(c.Bucket, "/"), Emulator: emulator,
		Accounts: auth, UnusedAfter: c.Unused,
	})
	return err
}

type jobsListCmd struct {
	Database database `embed:""`
}

// Run lists the jobs.
func (c *jobsListCmd) Run(ctx context.Context) (err error) {
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	t := newTable(os.Stdout, "JOB", "RUNS", "LAST DONE", "RESULT", "PAUSED AFTER")
	for _, name := range jobs.Names {
		j, err := db.Jobs.Job(ctx, name)
		if err != nil {
			return err
		}
		runs, ended := "no", "never"
		if j.Owner != "" && time.Now().Before(j.Until) {
			runs = "yes"
		}
		if !j.EndedAt.IsZero() {
			ended = j.EndedAt.Format(time.RFC3339)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", name, runs, ended, orDash(j.Result), orDash(string(j.After)))
	}
	return t.Flush()
}
