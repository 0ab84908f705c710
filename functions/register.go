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

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/store"
)

// Register makes every function of Table an entry point of the Functions Framework, under
// the function's name, and Tick one that is called by HTTP. An instance connects to the database at its first event.
func Register() {
	log := gcplog.New(os.Stderr, slog.LevelInfo)
	open := sync.OnceValues(func() (*store.Store, error) {
		cfg, err := config.ReadService(env.ToMap(os.Environ()))
		if err != nil {
			return nil, err
		}
		devices, err := Devices(cfg)
		if err != nil {
			return nil, err
		}
		return store.OpenConfigured(context.Background(), cfg, log, Accounts(cfg.Project), devices)
	})
	framework.HTTP(Tick, func(w http.ResponseWriter, r *http.Request) {
		db, err := open()
		if err != nil {
			log.ErrorContext(r.Context(), "cannot open the database", "error", err)
			http.Error(w, "failed, call again", http.StatusInternalServerError)
			return
		}
		(&Service{Store: db, Log: log}).tick(w, r)
	})
	for _, f := range Table {
		framework.CloudEvent(f.Name, func(ctx context.Context, event cloudevents.Event) error {
			db, err := open()
			if err != nil {
				log.ErrorContext(ctx, "cannot open the database", "error", err)
				return err
			}
			err = (&Service{Store: db, Log: log}).run(ctx, &f, &event)
			if errors.Is(err, errMisfit) {
				return cehttp.NewResult(http.StatusBadRequest, "%w", err)
			}
			return err
		})
	}
}
