package timelines_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// away makes readers follow ann, and sets their last visit to a time long ago.
func away(t *testing.T, e *storetest.Env, readers ...model.UserID) {
	t.Helper()
	for _, reader := range readers {
		rebuildingFollow(t, e.Store, reader, "ann")
		_, err := e.Raw.Doc("homes/"+string(reader)).
			Set(t.Context(), model.Home{SeenAt: e.Clock.Now().Add(-model.SleepAfter - 48*time.Hour)})
		testenv.Must(t, err)
	}
}

// dormant returns the followers whom ann's first page of followers marks as dormant.
func dormant(t *testing.T, e *storetest.Env) []string {
	t.Helper()
	marks, _ := e.Doc(t, "followerPages/ann")["asleep"].(map[string]any)
	return slices.Sorted(maps.Keys(marks))
}

// A reader whose home timeline is being rebuilt does not become dormant.
func TestSweepDuringRebuild(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	away(t, e, "bob", "cat")
	_, err := e.Raw.Doc("wakes/bob").
		Set(t.Context(), model.RebuildWork{UserID: "bob", ExpireAt: e.Clock.Now().Add(time.Hour)})
	testenv.Must(t, err)
	testenv.Must(t, sweep(t.Context(), e, e.Store))
	sleepSteps(t, e, e.Store, "bob")
	sleepSteps(t, e, e.Store, "cat")
	if diff := cmp.Diff([]string{"cat"}, dormant(t, e)); diff != "" {
		t.Errorf("asleep (-want +got):\n%s", diff)
	}
}

// A reader who visits during a sweep stays active.
func TestLookDuringSweep(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	away(t, e, "bob")
	looked := false
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(
		func(path string, w *pb.Write) bool { return path == "homes/bob" && w.GetDelete() != "" }, func() {
			looked = true
			if _, _, err := e.Timelines.Home(t.Context(), "bob", "", "", 20); err != nil {
				t.Error(err)
			}
		})}})
	testenv.Must(t, sweep(t.Context(), e, slow))
	sleepSteps(t, e, e.Store, "bob")
	if !looked {
		t.Error("the sweep did not find the reader")
	}
	if marks := dormant(t, e); e.Doc(t, "homes/bob") == nil || len(marks) > 0 {
		t.Errorf("the reader who looked is asleep; marked are %v", marks)
	}
}
