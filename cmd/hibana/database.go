package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/caarlos0/env/v11"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/store"
)

const (
	// localFirestore is the default address of the Firestore emulator of hibana dev.
	localFirestore = "127.0.0.1:8080"

	// theCloud is the value of --firestore that selects the cloud instead of an emulator.
	theCloud = "cloud"
)

// database has the flags of commands that work on a database. The rest of the configuration comes from the environment,
// as for the services.
type database struct {
	Project   string `group:"Database" env:"GOOGLE_CLOUD_PROJECT" default:"demo-hibana" help:"Project id."`
	Database  string `group:"Database" env:"FIRESTORE_DATABASE" placeholder:"ID" help:"Database id; (default) by default."`
	Firestore string `group:"Database" env:"FIRESTORE_EMULATOR_HOST" placeholder:"HOST:PORT|cloud" help:"Firestore: the emulator at HOST:PORT, or the cloud. By default a project demo-… uses the emulator at 127.0.0.1:8080, and any other project uses the cloud."`
}

// emulator returns the address of the emulator, or "" for the cloud.
func (d *database) emulator() (string, error) {
	switch {
	case d.Firestore == theCloud:
		return "", nil
	case d.Firestore != "":
		if _, port, err := net.SplitHostPort(d.Firestore); err != nil || port == "" {
			return "", fmt.Errorf("--firestore (or %s) is %q; it should be HOST:PORT of an emulator, or %s", firestoreEnv,
				d.Firestore, theCloud)
		}
		return d.Firestore, nil
	case strings.HasPrefix(d.Project, "demo-"):
		return localFirestore, nil
	}
	return "", nil
}

// open connects to the database. It fails at once if no emulator answers, because the client would retry for minutes.
// It warns the user about a database in the cloud.
func (d *database) open(ctx context.Context) (*store.Store, error) {
	emulator, err := d.emulator()
	if err != nil {
		return nil, err
	}
	environment := env.ToMap(os.Environ())
	environment["GOOGLE_CLOUD_PROJECT"] = d.Project
	environment["FIRESTORE_DATABASE"] = d.Database
	environment[firestoreEnv] = emulator
	delete(environment, authEnv) // the command needs no sign-in
	cfg, err := config.ReadService(environment)
	if err != nil {
		return nil, err
	}
	if emulator == "" {
		os.Unsetenv(firestoreEnv) // the client reads the variable by itself
		fmt.Fprintf(os.Stderr, "Database %s of project %s, in the cloud.\n", cmp.Or(d.Database, "(default)"), d.Project)
	} else if err := answers(ctx, firestoreEnv, emulator); err != nil {
		return nil, fmt.Errorf("no Firestore emulator answers at %s (%w): start one with hibana dev, or name another "+
			"address with --firestore=HOST:PORT or --firestore=%s",
			emulator, err, theCloud)
	}
	return store.OpenConfigured(ctx, cfg, slog.Default())
}

// with connects to the database, and closes the connection after do.
func (d *database) with(ctx context.Context, do func(*store.Store) error) (err error) {
	db, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}
