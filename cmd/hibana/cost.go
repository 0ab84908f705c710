package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/repository"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/lab/cost"
)

type costCmd struct {
	Users    int           `default:"200" help:"How many users live through the day."`
	Days     int           `default:"1" help:"How many days are measured."`
	Seed     uint64        `default:"1" help:"Of everything that is left to chance; the same seed gives the same bill."`
	CacheTTL time.Duration `name:"cache-ttl" default:"2s" help:"How old what the API has cached may be."`
	For      int           `default:"10000" help:"For how many such users a month is priced."`
	FreeTier bool          `help:"Take off what is free each day."`
	Growth   bool          `help:"Instead of a day, measure how costs grow with followers, tweets and age."`
	Attack   bool          `help:"Instead of a day, measure the dearest requests, and what 100 hostile accounts cost that send 500 of them a second."`
	JSON     bool          `name:"json" help:"As one JSON object, for scripts."`
}

// The attack of docs/security.md.
const (
	attackAccounts  = 100
	attackReaders   = 99
	attackPerSecond = 500
)

// Help returns the text of the command's --help.
func (*costCmd) Help() string {
	return `Plays a day of users against the API, the functions and the Firestore emulator, and
prints what it is billed beside what a naive layout would be; docs/contribute/costs.md explains it.
It starts an emulator of its own. Inside "hibana exec" it uses a project of its own in
the emulator that runs.`
}

// Run measures and prints.
func (c *costCmd) Run(ctx context.Context) (err error) {
	path, err := repository.File("firestore.indexes.json")
	if err != nil {
		return err
	}
	indexes, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	in, err := cost.NewInstrument(indexes)
	if err != nil {
		return err
	}
	log := gcplog.NewText(os.Stderr, slog.LevelWarn)
	so := stack.Options{
		Project: "demo-cost-" + strings.ToLower(rand.Text()[:8]), Store: in.Store(), Log: in.Logger(log),
		Firestore: os.Getenv(firestoreEnv), Relay: os.Getenv(eventsEnv),
	}
	p := newProgress(os.Stderr)
	defer p.wait()
	if so.Firestore == "" || so.Relay == "" {
		stop, err := startFirestore(ctx, p, &so)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop(context.WithoutCancel(ctx))) }()
	}
	s, err := stack.Start(ctx, so)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop(context.WithoutCancel(ctx))) }()

	o := cost.Options{
		Project: so.Project, Emulator: so.Firestore, Functions: in, Idle: s.Runner.WaitIdle, Log: log,
		CacheTTL: c.CacheTTL, Count: p.count,
	}
	if c.Growth {
		g, err := cost.Grow(ctx, o)
		if err != nil {
			return err
		}
		p.wait()
		if c.JSON {
			return g.JSON(os.Stdout)
		}
		return g.Print(os.Stdout)
	}
	if c.Attack {
		a, err := cost.Assault(ctx, o, attackAccounts, attackReaders, attackPerSecond)
		if err != nil {
			return err
		}
		p.wait()
		if c.JSON {
			return a.JSON(os.Stdout)
		}
		return a.Print(os.Stdout)
	}
	report, err := cost.Run(ctx, cost.Day{Users: c.Users, Days: c.Days, Seed: c.Seed, For: c.For}, o)
	if err != nil {
		return err
	}
	p.wait()
	if c.JSON {
		return report.JSON(os.Stdout)
	}
	return report.Print(os.Stdout, c.FreeTier)
}

// startFirestore starts an emulator for this run only, and puts its addresses into so.
func startFirestore(ctx context.Context, p *progress, so *stack.Options) (stop func(context.Context) error, err error) {
	so.Relay = ""
	if so.Events, err = listen("Event runner", "--events-port", 0); err != nil {
		return nil, err
	}
	var e *emulators.Process
	err = p.step("Firestore emulator", func(func(string)) error {
		e, err = emulators.StartFirestore(ctx, emulators.FirestoreOptions{
			ProjectID: so.Project, EventsHost: so.Events.Addr().String(), MaxHeapMB: 4096,
		})
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cost: %w", err), so.Events.Close())
	}
	so.Firestore = e.Addr()
	return e.Stop, nil
}
