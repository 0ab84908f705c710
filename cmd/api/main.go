// Command api serves the HTTP API of Hibana. Package config reads its configuration from
// the environment. After a SIGTERM the process ends gracefully within 10 seconds.
package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	fediverse "github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/appcheck"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/httpserver"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/store"
)

func main() { httpserver.Main("api", config.ReadAPI, run) }

// run serves until ctx ends, and then waits for the requests in flight.
func run(ctx context.Context, cfg config.API, log *slog.Logger) (err error) {
	measured, err := telemetry.Start(ctx, cfg.Telemetry("api", log))
	if err != nil {
		return err
	}
	defer func() {
		if failed := measured.Stop(ctx); failed != nil { // a missing collector is not a failure of the service
			log.WarnContext(ctx, "last telemetry was not sent", "error", failed)
		}
	}()
	gists, err := wiring.Gists(ctx, cfg)
	if err != nil {
		return err
	}
	federation, err := fediverse.Store(ctx, cfg.Service)
	if err != nil {
		return err
	}
	db, err := store.OpenConfigured(ctx, cfg.Service, log, gists, federation, func(o *store.Options) {
		o.Meter.Stats = measured.Firestore()
		o.MediaURL, o.MediaKey = cfg.MediaURL, []byte(cfg.MediaKey)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	verifier, err := idtoken.New(ctx, cfg.Project)
	if err != nil {
		return err
	}
	auth := accounts.New(cfg.Project)
	var appCheck server.AppCheck
	if cfg.AppCheck == "monitor" || cfg.AppCheck == "enforce" {
		appCheck = server.AppCheck{Checker: appcheck.New(ctx, cfg.Project, log), Enforce: cfg.AppCheck == "enforce"}
	}
	var web server.Web
	if cfg.WebDir != "" {
		web = server.Web{Files: os.DirFS(cfg.WebDir), Project: cfg.WebProject}
	}
	l, err := httpserver.Listen(cfg.Service)
	if err != nil {
		return err
	}
	o := api.Options{
		Stores: wiring.API(db), Accounts: auth, RequireVerifiedEmail: cfg.RequireVerifiedEmail,
		PublicURL: cfg.PublicURL, Federation: wiring.Fediverse(cfg, db, log), SingleUser: cfg.SingleUser,
		Push: api.Push{VAPIDPublicKey: cfg.VAPIDPublicKey, FCM: cfg.FCM},
		Options: server.Options{
			Verifier: verifier, Log: log, PageTokenKey: []byte(cfg.PageTokenKey), Project: cfg.Project,
			CORSOrigins: cfg.Origins(), ServerTimingAdmins: cfg.ServerTiming == "admins", HTTPSOnly: cfg.Name != "",
			AppCheck: appCheck, Web: web, Telemetry: measured, Ends: ctx.Done(),
		},
	}
	wiring.Limit(&o, cfg, db)
	if cfg.Streaming == "on" {
		o.Streaming = &mastodon.Streaming{}
	}
	return httpserver.Run(ctx, l, wiring.Handler(db, api.New(o)), log)
}
