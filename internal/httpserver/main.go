package httpserver

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/caarlos0/env/v11"

	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/version"
)

// Main is the main function of a service. It reads the configuration from the environment and runs the service with a
// log on standard output. The context of run ends with SIGTERM or an interrupt. Main writes an error of read or run to
// standard error after the name of the service, and exits with status 1. With the argument --version it only prints the
// version.
func Main[C any](name string, read func(environment map[string]string) (C, error),
	run func(context.Context, C, *slog.Logger) error) {
	if slices.Equal(os.Args[1:], []string{"--version"}) {
		fmt.Println(version.Line(name))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := read(env.ToMap(os.Environ()))
	if err == nil {
		err = run(ctx, cfg, gcplog.New(os.Stdout, slog.LevelInfo))
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
