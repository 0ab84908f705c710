package counters_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The function leaves the process that asked for a roll-up time to do it.
func TestRollUpWaits(t *testing.T) {
	t.Parallel()
	const every = 200 * time.Millisecond
	e := storetest.Open(t, store.Options{WriteEvery: every})
	e.Users(t, "ann")
	begun := time.Now()
	testenv.Must(t, e.Counters.RollUp(t.Context(), model.RollUpWork{Collection: model.Users, ID: "ann"}))
	if took := time.Since(begun); took < every*3/2 {
		t.Errorf("the roll-up began after %v at most, want %v", took, every*3/2)
	}
}
