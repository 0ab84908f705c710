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
	"github.com/hibana-sns/hibana/dev/storage"
	fediverse "github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/lab/cost"
)

type costCmd struct {
	Users      int           `default:"200" help:"Number of users."`
	Days       int           `default:"1" help:"Number of days."`
	Seed       uint64        `default:"1" help:"Seed of all random choices; the same seed gives the same bill."`
	CacheTTL   time.Duration `name:"cache-ttl" default:"2s" help:"Maximum age of a cached document in the API."`
	For        int           `default:"10000" help:"Number of users for the price of a month."`
	Region     string        `default:"us-central1" enum:"us-central1,asia-northeast1" help:"Region of the invoices: us-central1 or asia-northeast1."`
	FreeTier   bool          `help:"Subtract what Google Cloud gives for free: documents of each day, and a month's CPU, logs and so on of the invoices."`
	Fleet      bool          `help:"Also price 1,000,000 users on 100 instances, by a model of the caches; that takes a minute."`
	Pictures   bool          `help:"One of ten posts has a picture, and one of 20 users changes the avatar."`
	Messages   bool          `help:"Users also write messages to each other, look at a list, at suggestions and at announcements, and follow tags."`
	Apps       bool          `help:"Users have an app for Mastodon in place of the web client."`
	Federation bool          `help:"Federate with other servers, of whom nobody follows a user."`
	Growth     bool          `help:"Measure how costs grow with followers, tweets and age, instead of a day."`
	Attack     bool          `help:"Measure the most expensive requests, and the cost of 100 hostile accounts that send 500 of them a second, instead of a day."`
	JSON       bool          `name:"json" help:"Print one JSON object."`
}

// The attack of docs/security.md.
const (
	attackAccounts  = 100
	attackReaders   = 99
	attackPerSecond = 500
)

// Help returns the text of the command's --help.
func (*costCmd) Help() string {
	return `Plays a day of users against the API, the functions and a Firestore emulator. It prints
the billed documents, the bill of a baseline layout, and estimates of the whole monthly
invoice; docs/contribute/costs.md explains them. The command starts its own emulator.
Inside "hibana exec" it uses the emulator there, with its own project.`
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
		Project: "demo-cost-" + strings.ToLower(rand.Text()[:8]), Log: in.Logger(log),
		Firestore: os.Getenv(firestoreEnv), Relay: os.Getenv(eventsEnv),
	}
	if c.Pictures {
		stop, failed := startBuckets(ctx, in, &so, log)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, stop(context.WithoutCancel(ctx))) }()
	}
	so.Store = in.Store()
	if c.Federation {
		so.Fediverse = config.Service{Federation: "on", PublicURL: "https://hibana.example"}
		federate, err := fediverse.Store(ctx, so.Fediverse)
		if err != nil {
			return err
		}
		federate(&so.Store)
	}
	p := newProgress(os.Stderr)
	defer p.wait()
	if so.Firestore == "" || so.Relay == "" {
		stop, failed := startFirestore(ctx, p, &so)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, stop(context.WithoutCancel(ctx))) }()
	}
	s, err := stack.Start(ctx, so)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop(context.WithoutCancel(ctx))) }()

	o := cost.Options{
		Project: so.Project, Emulator: so.Firestore, Functions: in, Idle: s.Runner.WaitIdle, Tick: s.Tick, Log: log,
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
	report, err := cost.Run(ctx, cost.Day{Users: c.Users, Days: c.Days, Seed: c.Seed, For: c.For, Fleet: c.Fleet,
		Pictures: c.Pictures, Messages: c.Messages, Apps: c.Apps}, o)
	if err != nil {
		return err
	}
	p.wait()
	if c.JSON {
		return report.JSON(os.Stdout)
	}
	if err := report.Print(os.Stdout, c.FreeTier); err != nil {
		return err
	}
	return report.PrintInvoices(os.Stdout, c.Region, c.FreeTier)
}

// startBuckets makes the buckets of media, and puts their names into in and so. It starts an emulator of Cloud Storage
// unless "hibana exec" has one. stop empties the buckets.
func startBuckets(ctx context.Context, in *cost.Instrument, so *stack.Options, log *slog.Logger) (
	stop func(context.Context) error, err error) {
	end := func(context.Context) error { return nil }
	if so.Storage = os.Getenv(storage.Env); so.Storage == "" {
		l, err := listen("Storage emulator", "--storage-port", 0)
		if err != nil {
			return nil, err
		}
		if end, err = startStorage(l, log); err != nil {
			return nil, err
		}
		so.Storage = l.Addr().String()
	}
	uploads, media := so.Project+"-uploads", so.Project+"-media"
	in.Uploads, in.Media, so.Uploads = "gs://"+uploads, "gs://"+media, "gs://"+uploads
	stop = func(ctx context.Context) error {
		return errors.Join(storage.Empty(ctx, so.Storage, uploads), storage.Empty(ctx, so.Storage, media), end(ctx))
	}
	if err := errors.Join(storage.Create(ctx, so.Storage, uploads), storage.Create(ctx, so.Storage, media)); err != nil {
		return nil, errors.Join(err, end(ctx))
	}
	return stop, nil
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
