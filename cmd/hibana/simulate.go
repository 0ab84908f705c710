package main

import (
	"context"
	"os"

	"github.com/hibana-sns/hibana/lab/simulate"
)

type simulateCmd struct {
	Users    []int  `default:"10000,1000000,100000000" help:"Sizes of networks. Up to 50,000 users are simulated, more are computed."`
	Followed []int  `default:"12,200,5000" help:"Users whom each user follows."`
	Seed     uint64 `default:"1" help:"Seed of all random choices."`
	JSON     bool   `name:"json" help:"Print one JSON object, with durations in nanoseconds."`
}

// Help returns the text of the command's --help.
func (*simulateCmd) Help() string {
	return `Says what home timelines cost by push and by pull, and how many users break which limit of
Firestore, Eventarc, Pub/Sub or Cloud Run. It runs in memory, in about a minute, without
emulators. docs/adr/0041-pull.md has the conclusions.`
}

// Run simulates and prints.
func (c *simulateCmd) Run(ctx context.Context) error {
	p := newProgress(os.Stderr)
	report, err := simulate.Run(ctx, simulate.Options{
		Users: c.Users, Followed: c.Followed, Seed: c.Seed,
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
