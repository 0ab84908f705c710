package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/dev/storage/emulator"
	"github.com/hibana-sns/hibana/internal/safely"
)

// Environment variables that name emulators as host:port. The Firebase libraries read the first two, and the tests read
// all three.
const (
	firestoreEnv = "FIRESTORE_EMULATOR_HOST"
	authEnv      = "FIREBASE_AUTH_EMULATOR_HOST"
	eventsEnv    = "HIBANA_EVENTS_HOST"
)

// startPair starts both emulators side by side and names them in the environment of this process. The returned function
// stops them and is never nil. If an emulator ends by itself later, failed receives the reason.
func startPair(ctx context.Context, p *progress, fo emulators.FirestoreOptions, ao emulators.AuthOptions,
	failed func(error)) (func(context.Context) error, error) {
	var mu sync.Mutex
	var running []*emulators.Process
	g, gctx := safely.WithContext(ctx)
	start := func(name, env string, start func(say func(string)) (*emulators.Process, error)) {
		g.Go(func() error {
			return p.step(name, func(say func(string)) error {
				e, err := start(say)
				if err != nil {
					return err
				}
				mu.Lock()
				running = append(running, e)
				mu.Unlock()
				go func() {
					<-e.Done()
					if err := e.Err(); err != nil {
						failed(err)
					}
				}()
				return os.Setenv(env, e.Addr())
			})
		})
	}
	start("Firestore emulator", firestoreEnv, func(func(string)) (*emulators.Process, error) {
		return emulators.StartFirestore(gctx, fo)
	})
	start("Auth emulator", authEnv, func(say func(string)) (*emulators.Process, error) {
		ao.Progress = say
		return emulators.StartAuth(gctx, ao)
	})
	err := g.Wait()
	return func(ctx context.Context) error {
		var stopping safely.Group
		for _, e := range running {
			stopping.Go(func() error { return e.Stop(ctx) })
		}
		return stopping.Wait()
	}, err
}

// startStorage serves an emulator of Cloud Storage, and names it in the environment of this process.
func startStorage(l net.Listener, log *slog.Logger) (stop func(context.Context) error, err error) {
	e, err := emulator.New(nil, log)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: e, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l)
	return func(context.Context) error { return server.Close() }, os.Setenv(storage.Env, l.Addr().String())
}

// missing returns the problems with the required installations.
func missing(ctx context.Context) (all problems) {
	for _, m := range emulators.Missing(ctx) {
		all = append(all, m)
	}
	return all
}
