// Command functions serves every function of package functions as one Cloud Run service,
// each at a path of its own name. Package config reads its configuration from the
// environment. After a SIGTERM the process ends gracefully within 10 seconds. The
// Functions Framework would drop the events in flight.
package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	fediverse "github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/callers"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/httpserver"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/store"
)

func main() { httpserver.Main("functions", config.ReadFunctions, run) }

// keyTime is the time limit for fetching Google's public keys.
const keyTime = 3 * time.Second

// run serves until ctx ends, and then waits for the events in flight.
func run(ctx context.Context, cfg config.Service, log *slog.Logger) (err error) {
	devices, err := functions.Devices(cfg)
	if err != nil {
		return err
	}
	agents, err := functions.Agents(ctx, cfg)
	if err != nil {
		return err
	}
	federation, err := fediverse.Store(ctx, cfg)
	if err != nil {
		return err
	}
	measured, err := telemetry.Start(ctx, cfg.Telemetry("functions", log))
	if err != nil {
		return err
	}
	defer func() {
		if failed := measured.Stop(ctx); failed != nil { // a missing collector is not a failure of the service
			log.WarnContext(ctx, "last telemetry was not sent", "error", failed)
		}
	}()
	db, err := store.OpenConfigured(ctx, cfg, log, functions.Accounts(cfg.Project), devices, agents, functions.Links(cfg),
		federation,
		func(o *store.Options) { o.Meter.Stats = measured.Firestore() })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	serving := &functions.Service{Store: db, Log: log, Telemetry: measured, UploadsBucket: cfg.UploadsBucket,
		Inbox: fediverse.Inbox(cfg, db, log), Out: fediverse.Out(cfg, db)}
	if accounts := cfg.CallerAccounts(); len(accounts) > 0 {
		known, err := callers.New(ctx, accounts, cfg.CallerAudience, &http.Client{Timeout: keyTime})
		if err != nil {
			return err
		}
		serving.Caller = known.Check
	}
	l, err := httpserver.Listen(cfg)
	if err != nil {
		return err
	}
	return httpserver.Run(ctx, l, serving.Handler(), log)
}
