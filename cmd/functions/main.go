// Command functions serves every trigger of package functions as one Cloud Run
// service, each at a path of its own name. It is configured by the environment, see
// package config, and stops gracefully within 10 seconds of a SIGTERM: the Functions
// Framework would drop the events in flight.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/caarlos0/env/v11"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/httpserver"
	"github.com/hibana-sns/hibana/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := config.ReadService(env.ToMap(os.Environ()))
	if err == nil {
		err = run(ctx, cfg)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "functions:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, cfg config.Service) (err error) {
	log := gcplog.New(os.Stdout, slog.LevelInfo)
	db, err := store.OpenConfigured(ctx, cfg, log)
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
