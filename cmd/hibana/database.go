package main

import (
	"context"
	"log/slog"
	"os"
	"strings"

	"github.com/caarlos0/env/v11"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/store"
)

// database are the flags of commands that work on a database. The rest of its
// configuration comes from the environment, as for the services.
type database struct {
	Project   string `env:"GOOGLE_CLOUD_PROJECT" default:"demo-hibana" help:"Project id."`
	Firestore string `env:"FIRESTORE_EMULATOR_HOST" placeholder:"HOST:PORT" help:"Firestore emulator; 127.0.0.1:8080 if absent and the project is a demo-, else the cloud."`
}

// open connects to the database.
func (d *database) open(ctx context.Context) (*store.Store, error) {
	environment := env.ToMap(os.Environ())
	environment["GOOGLE_CLOUD_PROJECT"] = d.Project
	environment[firestoreEnv] = d.Firestore
	if d.Firestore == "" && strings.HasPrefix(d.Project, "demo-") {
		environment[firestoreEnv] = "127.0.0.1:8080"
	}
	cfg, err := config.ReadService(environment)
	if err != nil {
		return nil, err
	}
	return store.OpenConfigured(ctx, cfg, slog.Default())
}
