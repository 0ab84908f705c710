package functions

import (
	"context"
	"log/slog"
	"os"
	"sync"

	framework "github.com/GoogleCloudPlatform/functions-framework-go/functions"
	"github.com/caarlos0/env/v11"
	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/store"
)

// Register makes every function of Table an entry point of the Functions Framework, under
// the function's name. An instance connects to the database at its first event.
func Register() {
	log := gcplog.New(os.Stderr, slog.LevelInfo)
	open := sync.OnceValues(func() (*store.Store, error) {
		cfg, err := config.ReadService(env.ToMap(os.Environ()))
		if err != nil {
			return nil, err
		}
		return store.OpenConfigured(context.Background(), cfg, log)
	})
	for _, f := range Table {
		framework.CloudEvent(f.Name, func(ctx context.Context, event cloudevents.Event) error {
			s, err := open()
			if err != nil {
				log.ErrorContext(ctx, "cannot open the database", "error", err)
				return err
			}
			return f.run(ctx, s, log, &event)
		})
	}
}
