package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/lab/cost"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/ops"
)

type migrateCmd struct {
	Status migrateStatusCmd `cmd:"" default:"withargs" aliases:"list" help:"List the migrations and their progress."`
	Plan   migratePlanCmd   `cmd:"" help:"List the steps from version 0.1.0, with documents and costs."`
	Quiet  migrateQuietCmd  `cmd:"" help:"Check that functions have no work left, before their switch."`
	Start  migrateStartCmd  `cmd:"" help:"Start or resume the steps, or one migration, in the functions."`
	Check  migrateCheckCmd  `cmd:"" help:"Count the documents that still need a change."`
	Back   migrateBackCmd   `cmd:"" help:"Prepare the database for version 0.1.0 again."`
}

type migrateStatusCmd struct {
	Database database `embed:""`
}

// Run lists the migrations; steps back and deletions only if they were started.
func (c *migrateStatusCmd) Run(ctx context.Context) error {
	return c.Database.with(ctx, func(db *store.Store) error {
		t := newTable(os.Stdout, "MIGRATION", "COLLECTION", "STATE", "PASSES", "READ", "CHANGED", "FAILED", "AFTER",
			"LAST STEP")
		for _, m := range db.Migrations.All() {
			work, found, err := db.Migrations.Status(ctx, m.Name)
			if err != nil {
				return err
			}
			last := "never"
			if !found && (m.Group == ops.Back || m.Group == ops.Former) {
				continue
			}
			if found {
				last = work.WrittenAt.Format(time.RFC3339)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\n", m.Name, m.Collection, state(work, found), work.Pass,
				work.Read, work.Written, work.Failed, orDash(work.After), last)
		}
		return t.Flush()
	})
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

type migratePlanCmd struct {
	Database database `embed:""`
}

// Run counts the documents of each step. Cost: 1 read for each 1,000 documents of a step, at least 1 a step.
func (c *migratePlanCmd) Run(ctx context.Context) error {
	return c.Database.with(ctx, func(db *store.Store) error {
		t := newTable(os.Stdout, "STEP", "DOCUMENTS", "READS", "WRITES", "DELETES", "COST", "DOES")
		for _, m := range slices.Concat(db.Migrations.Of(ops.Forward), db.Migrations.Of(ops.Former)) {
			p, err := db.Migrations.Plan(ctx, m.Name)
			if err != nil {
				return err
			}
			bill := cost.Bill{Reads: p.Reads, Writes: p.Writes, Deletes: p.Deletes}
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t$%.2f\t%s\n", m.Name, p.Documents, p.Reads, p.Writes, p.Deletes,
				bill.Dollars(), m.About)
		}
		return t.Flush()
	})
}

// Help returns the text of the command's --help.
func (*migratePlanCmd) Help() string {
	return `The numbers of reads, writes and deletes are estimates, as if every document needed the
change. The steps that begin with former- run with hibana migrate start --delete-former only.`
}

type migrateQuietCmd struct {
	Database database `embed:""`
}

// Run lists unfinished work, and exits with status 1 if there is any.
func (c *migrateQuietCmd) Run(ctx context.Context) error {
	return c.Database.with(ctx, func(db *store.Store) error {
		by, err := db.Migrations.Unfinished(ctx)
		if err != nil {
			return err
		}
		left := false
		for _, name := range slices.Sorted(maps.Keys(by)) {
			if by[name] > 0 {
				fmt.Printf("%d documents of work are in %s.\n", by[name], name)
				left = true
			}
		}
		if left {
			return exitStatus(1)
		}
		fmt.Println("The functions have no work left. Look also at the chart of waiting events.")
		return nil
	})
}

type migrateStartCmd struct {
	Name         string   `arg:"" optional:"" help:"One migration; by default all steps from version 0.1.0, in their order."`
	Rate         int      `default:"100" help:"Maximum number of documents changed in a second."`
	Again        bool     `help:"Also repeat the steps that are over."`
	DeleteFormer bool     `help:"Delete the collections that only version 0.1.0 reads. This ends the way back."`
	Database     database `embed:""`
}

// Help returns the text of the command's --help.
func (*migrateStartCmd) Help() string {
	return `The functions run a migration in steps of 5 seconds; hibana migrate shows the progress.
Start it after all instances of the services have the new version. A second start resumes
the steps, and restarts a migration that it names. docs/operate/rollout.md has the whole order.`
}

// Run starts migrations.
func (c *migrateStartCmd) Run(ctx context.Context) error {
	group := ops.Forward
	if c.DeleteFormer {
		group = ops.Former
	}
	if c.Name != "" && (c.Again || c.DeleteFormer) {
		return errors.New("--again and --delete-former are for all steps; leave the name out")
	}
	return c.Database.with(ctx, func(db *store.Store) error {
		if c.Name != "" {
			return c.one(ctx, db)
		}
		if c.DeleteFormer {
			for _, m := range db.Migrations.Of(ops.Forward) {
				if work, found, err := db.Migrations.Status(ctx, m.Name); err != nil {
					return err
				} else if state := state(work, found); state != "done" {
					return fmt.Errorf("%s is %s; delete the former collections when the steps are done", m.Name, state)
				}
			}
		}
		if c.Again {
			if err := db.Migrations.Forget(ctx, group); err != nil {
				return err
			}
		}
		name, err := db.Migrations.StartGroup(ctx, group, c.Rate)
		switch {
		case err != nil:
		case name == "":
			fmt.Println("All steps are done.")
		default:
			var work model.MigrationWork
			if work, _, err = db.Migrations.Status(ctx, name); err == nil { // one that was under way keeps its rate
				fmt.Printf("%s runs, at most at %d documents a second; the others follow.\n", name, work.Rate)
			}
		}
		return err
	})
}

func (c *migrateStartCmd) one(ctx context.Context, db *store.Store) error {
	for group, command := range map[ops.Group]string{ops.Back: "back", ops.Former: "start --delete-former"} {
		if slices.ContainsFunc(db.Migrations.Of(group), func(m ops.Migration) bool { return m.Name == c.Name }) {
			return fmt.Errorf("%s is a step of hibana migrate %s", c.Name, command)
		}
	}
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
	Name     string   `arg:"" optional:"" help:"One migration; by default all steps from version 0.1.0."`
	Database database `embed:""`
}

// Run counts the remaining documents, and exits with status 1 if there are any.
func (c *migrateCheckCmd) Run(ctx context.Context) error {
	return c.Database.with(ctx, func(db *store.Store) error {
		names := []string{c.Name}
		if c.Name == "" {
			names = nil
			for _, m := range db.Migrations.Of(ops.Forward) {
				names = append(names, m.Name)
			}
		}
		some := false
		for _, name := range names {
			left, all, err := db.Migrations.Left(ctx, name)
			if err != nil {
				return err
			}
			work, _, err := db.Migrations.Status(ctx, name)
			if err != nil {
				return err
			}
			fmt.Printf("%s: %d of %d documents need the change\n", name, left, all)
			if work.Failed > 0 {
				fmt.Printf("%s: the last pass passed over %d documents that failed; the log names them\n", name, work.Failed)
			}
			some = some || left > 0
		}
		if some {
			return exitStatus(1)
		}
		return nil
	})
}

type migrateBackCmd struct {
	Rate     int      `default:"400" help:"Maximum number of documents changed in a second."`
	Force    bool     `help:"Go on although collections of version 0.1.0 are deleted."`
	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*migrateBackCmd) Help() string {
	return `Run it when all instances of the services have version 0.1.0 again, and then the command
hibana verify --repair of that version, which writes home timelines anew. The command works
in this process, and a second call resumes. It removes what version 0.1.0 does not keep up,
and the progress of the steps, so that the next rollout begins anew.`
}

// Run runs the steps back.
func (c *migrateBackCmd) Run(ctx context.Context) error {
	return c.Database.with(ctx, func(db *store.Store) error {
		for _, m := range db.Migrations.Of(ops.Former) {
			if _, found, err := db.Migrations.Status(ctx, m.Name); err != nil {
				return err
			} else if found && !c.Force {
				return fmt.Errorf("%s was started: hibana verify --repair of version 0.1.0 has to write each entry of the "+
					"former collections again; --force goes on", m.Name)
			}
		}
		for _, group := range []ops.Group{ops.Forward, ops.Former} {
			if err := db.Migrations.Forget(ctx, group); err != nil {
				return err
			}
		}
		err := db.Migrations.RunGroup(ctx, ops.Back, c.Rate, func(work model.MigrationWork) {
			fmt.Printf("%s: %d documents read, %d changed\n", work.Name, work.Read, work.Written)
		})
		if err != nil {
			return err
		}
		if err := db.Migrations.Forget(ctx, ops.Back); err != nil {
			return err
		}
		fmt.Println("Done. Now run hibana verify --repair of version 0.1.0.")
		return nil
	})
}
