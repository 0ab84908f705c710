// Command functions serves every function of package functions as one Cloud Run service,
// each at a path of its own name. Package config reads its configuration from the
// environment. After a SIGTERM the process ends gracefully within 10 seconds. The
// Functions Framework would drop the events in flight.
package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/httpserver"
	"github.com/hibana-sns/hibana/store"
)

func main() { httpserver.Main("functions", config.ReadService, run) }

// run serves until ctx ends, and then lets the events in flight finish.
func run(ctx context.Context, cfg config.Service, log *slog.Logger) (err error) {
	devices, err := functions.Devices(cfg)
	if err != nil {
		return err
	}
	db, err := store.OpenConfigured(ctx, cfg, log, functions.Accounts(cfg.Project), devices)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	l, err := httpserver.Listen(cfg)
	if err != nil {
		return err
	}
	return httpserver.Run(ctx, l, functions.Handler(db, log), log)
}
