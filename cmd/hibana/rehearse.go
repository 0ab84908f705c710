package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/lab/drill"
)

type rehearseCmd struct {
	Users int  `default:"40" help:"How many people the database has that is lost."`
	JSON  bool `name:"json" help:"As one JSON object, for scripts; durations in nanoseconds."`
}

// Help returns the text of the command's --help.
func (*rehearseCmd) Help() string {
	return `Makes a database in an emulator of its own, with everything that functions derive. Then no
event is delivered any more, four people do the last that is done, and the database is
exported with facts whose events are lost. The emulator ends, and with it the database. A
new emulator takes the export; every document must be as it was. Verification finds what the
lost events left out, mends it, and must find nothing then.

It shows that a restore works, and what it takes here. The cloud has other times:
docs/operate/runbook.md has its commands.`
}

// Run runs the recovery drill and prints the result.
func (c *rehearseCmd) Run(ctx context.Context) error {
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
