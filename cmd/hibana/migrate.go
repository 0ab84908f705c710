package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/ops"
)

type migrateCmd struct {
	List  migrateListCmd  `cmd:"" default:"withargs" help:"List the migrations and their progress."`
	Start migrateStartCmd `cmd:"" help:"Start or restart a migration in the functions."`
	Check migrateCheckCmd `cmd:"" help:"Count the documents that still lack the field, at 1 read a document."`
}

type migrateListCmd struct {
	Database database `embed:""`
}

// Run lists the migrations.
func (c *migrateListCmd) Run(ctx context.Context) (err error) {
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	t := newTable(os.Stdout, "MIGRATION", "FIELD", "STATE", "PASSES", "READ", "WRITTEN", "AFTER", "LAST STEP")
	for _, m := range ops.Migrations {
		work, found, err := db.Migrations.Status(ctx, m.Name)
		if err != nil {
			return err
		}
		last := "never"
		if found {
			last = work.WrittenAt.Format(time.RFC3339)
		}
		fmt.Fprintf(t, "%s\t%s.%s\t%s\t%d\t%d\t%d\t%s\t%s\n", m.Name, m.Collection, m.Field, state(work, found), work.Pass,
			work.Read, work.Written, orDash(work.After), last)
	}
	return t.Flush()
}

// state describes the state of a migration in a few words.
func state(work model.MigrationWork, found bool) string {
	switch {
	case !found:
		return "not started"
	case !work.Done:
		return "running"
	case work.Found > 0:
		return fmt.Sprintf("stopped: the last pass found %d documents", work.Found)
	}
	return "done"
}

type migrateStartCmd struct {
	Name     string   `arg:"" help:"The migration."`
	Rate     int      `default:"100" help:"Maximum number of writes a second."`
	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*migrateStartCmd) Help() string {
	return `The functions run a migration in steps of 5 seconds; hibana migrate shows the progress.
Start it after all instances of the services write the field. A second start restarts a
finished migration, and resumes a running one. docs/operate/rollout.md has the whole order.`
}

// Run starts a migration.
func (c *migrateStartCmd) Run(ctx context.Context) (err error) {
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	began, err := db.Migrations.Start(ctx, c.Name, c.Rate)
	switch {
	case err != nil:
	case began:
		fmt.Printf("%s starts, at %d documents a second.\n", c.Name, c.Rate)
	default:
		fmt.Printf("%s already runs, at the rate of its start.\n", c.Name)
	}
	return err
}

type migrateCheckCmd struct {
	Name     string   `arg:"" help:"The migration."`
	Database database `embed:""`
}

// Run counts the remaining documents, and exits with status 1 if there are any.
func (c *migrateCheckCmd) Run(ctx context.Context) (err error) {
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	left, all, err := db.Migrations.Left(ctx, c.Name)
	if err != nil {
		return err
	}
	fmt.Printf("%d of %d documents lack the field\n", left, all)
	if left > 0 {
		return exitStatus(1)
	}
	return nil
}
