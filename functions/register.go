package functions

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"sync"

	framework "github.com/GoogleCloudPlatform/functions-framework-go/functions"
	"github.com/caarlos0/env/v11"
	cloudevents "github.com/cloudevents/sdk-go/v2"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	fediverse "github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/store"
)

// Register registers every function of Table with the Functions Framework, under the function's name. It also registers
// Tick, which is called by HTTP. An instance connects to the database at its first event.
func Register() {
	log := gcplog.New(os.Stderr, slog.LevelInfo)
	open := sync.OnceValues(func() (*Service, error) {
		cfg, err := config.ReadService(env.ToMap(os.Environ()))
		if err == nil {
			err = cfg.CheckFederation()
		}
		if err != nil {
			return nil, err
		}
		devices, err := Devices(cfg)
		if err != nil {
			return nil, err
		}
		measured, err := telemetry.Start(context.Background(), cfg.Telemetry("functions", log))
		if err != nil {
			return nil, err
		}
		federation, err := fediverse.Store(context.Background(), cfg)
		if err != nil {
			return nil, err
		}
		db, err := store.OpenConfigured(context.Background(), cfg, log, Accounts(cfg.Project), devices, Links(cfg),
			federation, func(o *store.Options) { o.Meter.Stats = measured.Firestore() })
		if err != nil {
			return nil, err
		}
		return &Service{Store: db, Log: log, Telemetry: measured, UploadsBucket: cfg.UploadsBucket,
			Inbox: fediverse.Inbox(cfg, db, log), Out: fediverse.Out(cfg, db)}, nil
	})
	framework.HTTP(Tick, func(w http.ResponseWriter, r *http.Request) {
		s, err := open()
		if err != nil {
			log.ErrorContext(r.Context(), "cannot open the database", "error", err)
			http.Error(w, "failed, call again", http.StatusInternalServerError)
			return
		}
		s.tick(w, r)
	})
	for _, f := range Table {
		framework.CloudEvent(f.Name, func(ctx context.Context, event cloudevents.Event) error {
			s, err := open()
			if err != nil {
				log.ErrorContext(ctx, "cannot open the database", "error", err)
				return err
			}
			err = s.run(ctx, &f, &event)
			if errors.Is(err, errMisrouted) {
				return cehttp.NewResult(http.StatusBadRequest, "%w", err)
			}
			if errors.Is(err, gate.ErrBusy) {
				return cehttp.NewResult(http.StatusTooManyRequests, "%w", err)
			}
			return err
		})
	}
}
