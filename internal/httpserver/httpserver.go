// Package httpserver runs an HTTP service from its start until a signal stops it.
package httpserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/internal/version"
)

// Grace is the time for requests in flight after the context of Run has ended. Cloud Run kills a process 10 s after
// SIGTERM.
const Grace = 9 * time.Second

// Listen opens the configured port on every address, as Cloud Run requires. With an Auth emulator it opens the port on
// the loopback address only, because an emulator accepts every identity.
func Listen(cfg config.Service) (net.Listener, error) {
	host := ""
	if cfg.AuthEmulator != "" {
		host = "127.0.0.1"
	}
	return net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(int(cfg.Port))))
}

// Run serves on l until ctx ends. Then requests in flight have Grace to finish, so that
// the process ends within 10 s.
func Run(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute, // longer than the limits of requests and events
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	log.InfoContext(ctx, "listening", "address", l.Addr().String(), "build", version.Line("hibana"))
	served := make(chan error, 1)
	safely.Go(func() error { return server.Serve(l) }, func(err error) { served <- err })
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	log.InfoContext(ctx, "stopping")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
