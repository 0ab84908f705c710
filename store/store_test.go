package store_test

import (
	"context"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

func TestPing(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	testenv.Must(t, storetest.Costs(t, "Ping", 1, 0, 0, e.Ping))
}

func TestClosed(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, store.Options{}).Again(t, store.Options{})
	testenv.Must(t, s.Close())
	if err := s.Ping(t.Context()); err == nil {
		t.Error("Ping answers on a closed store")
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	storetest.WantErr(t, e.Ping(ctx), errs.Unavailable, "unavailable")
	_, err := e.Users.User(ctx, "ann")
	storetest.WantErr(t, err, errs.Unavailable, "unavailable")
}

// With FIRESTORE_EMULATOR_HOST set, a store of the cloud would talk to the emulator, and
// the meter would count nothing. So Open fails.
func TestOpenRefusesUncountedEmulator(t *testing.T) {
	storetest.Open(t, store.Options{}) // starts an emulator that the environment names
	if _, err := store.Open(t.Context(), "demo-none", "", store.Options{}); err == nil {
		t.Error("Open went to an emulator that Options do not name")
	}
}
