// Package strict makes the emulator as strict as Firestore in the cloud, for every store of a test that imports this
// package, and for the programs that the test starts.
package strict

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/hibana-sns/hibana/dev/quotas"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
)

func init() { quotas.Enforce() }

// Meter adds the cloud's check for indexes to options: a query fails the test if no index in firestore.indexes.json
// serves it.
func Meter(t testing.TB, o meter.Options) meter.Options {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.Root(), "firestore.indexes.json"))
	if err != nil {
		t.Fatal(err)
	}
	indexes, err := meter.ParseIndexes(data)
	if err != nil {
		t.Fatal(err)
	}
	o.Indexes, o.OnUnindexed = indexes, func(_ context.Context, problem string) { t.Errorf("no index: %s", problem) }
	return o
}
