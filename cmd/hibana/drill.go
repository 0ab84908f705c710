package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/lab/drill"
)

type drillCmd struct {
	Users int  `default:"40" help:"Number of users in the lost database."`
	JSON  bool `name:"json" help:"Print one JSON object, with durations in nanoseconds."`
}

// Help returns the text of the command's --help.
func (*drillCmd) Help() string {
	return `The drill fills a database in its own emulator, with all projections. Then it stops event
delivery, writes sources of four more users, and exports the database, so events are lost
for these sources. It stops the emulator, which loses the database. A new emulator imports
the export, and every document must be as before. Verification finds the drift, repairs
it, and must find no further difference.

The drill shows that a restore works, and its times on this machine. The commands for the
cloud are in docs/operate/runbook.md.`
}

// Run runs the recovery drill and prints the result.
func (c *drillCmd) Run(ctx context.Context) error {
	p := newProgress(os.Stderr)
	report, err := drill.Run(ctx, drill.Options{
		Users: c.Users, Log: gcplog.NewText(os.Stderr, slog.LevelWarn),
		Step: func(name string, do func() error) error {
			return p.step(name, func(func(string)) error { return do() })
		},
	})
	p.wait()
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(os.Stdout, report)
	}
	return report.Print(os.Stdout)
}
