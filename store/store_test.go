package store_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/store"
)

func TestPing(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	must(t, costs(t, "Ping", 1, 0, 0, e.Ping))
}

func TestClosed(t *testing.T) {
	t.Parallel()
	s := open(t, store.Options{}).again(t, store.Options{})
	must(t, s.Close())
	if err := s.Ping(t.Context()); err == nil {
		t.Error("Ping answers on a closed store")
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantErr(t, e.Ping(ctx), errs.Unavailable, "unavailable")
	_, err := e.User(ctx, "ann")
	wantErr(t, err, errs.Unavailable, "unavailable")
}

// With FIRESTORE_EMULATOR_HOST set, which it is here, a store of the cloud would
// talk to the emulator with nothing counted.
func TestOpenRefusesUncountedEmulator(t *testing.T) {
	open(t, store.Options{}) // an emulator is there, and named in the environment
	if _, err := store.Open(t.Context(), "demo-none", "", store.Options{}); err == nil {
		t.Error("Open went to an emulator that Options do not name")
	}
}
