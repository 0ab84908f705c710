package timelines_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// sweepWork reads the work document of the day's sweep as its event has it.
func sweepWork(t *testing.T, e *storetest.Env) model.SweepWork {
	t.Helper()
	snap, err := e.Raw.Doc(model.Sweeps + "/" + e.Clock.Now().Format(time.DateOnly)).Get(t.Context())
	testenv.Must(t, err)
	var work model.SweepWork
	testenv.Must(t, snap.DataTo(&work))
	work.ID, work.WrittenAt = snap.Ref.ID, snap.UpdateTime
	return work
}

// The first home page of a day enqueues the sweep, and so does a process whose hour has none yet. A sweep that is done
// stays done.
func TestHomeEnqueuesSweep(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	look := func(s *store.Store, what string, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			_, _, _, err := s.Timelines.Home(ctx, "ann", "", "", 20)
			return err
		}))
	}
	look(e.Store, "the first page", 3, 1)
	look(e.Store, "the next page", 2, 0)
	other := e.Again(t, store.Options{})
	look(other, "another process", 3+1, 0)
	look(other, "its next page", 2, 0)
	work := sweepWork(t, e)
	testenv.Must(t, e.Timelines.Sweep(t.Context(), work))
	if done := sweepWork(t, e); !done.Done {
		t.Errorf("the sweep is %+v", done)
	}
	testenv.Must(t, storetest.Costs(t, "the event again", 1, 0, 0, func(ctx context.Context) error {
		return e.Timelines.Sweep(ctx, work)
	}))
	e.Clock.Add(24 * time.Hour)
	look(e.Store, "the next day", 2+1, 1) // a query for changed heads
}

// The event of a work document is lost. The next process that enqueues the work enqueues it again after a while. So
// does the day's sweep.
func TestLostWork(t *testing.T) {
	t.Parallel()
	const stale = 300 * time.Millisecond
	for name, find := range map[string]func(e *storetest.Env){
		"the month grows": func(e *storetest.Env) { share(t, e, "ann", deliver(t, e, "bob", 1)[0]) },
		"the day's sweep": func(e *storetest.Env) {
			testenv.Must(t, e.Timelines.EnqueueSweep(t.Context()))
			work := sweepWork(t, e)
			_, err := e.Raw.Doc(model.Sweeps + "/" + work.ID).Delete(t.Context())
			testenv.Must(t, err)
			testenv.Must(t, e.Timelines.EnqueueSweep(t.Context()))
			testenv.Must(t, e.Timelines.Sweep(t.Context(), sweepWork(t, e)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{StaleAfter: stale, SharesPerBucket: 4})
			e.CreateUsers(t, "ann", "bob")
			for _, id := range deliver(t, e, "bob", 5) {
				share(t, e, "ann", id)
			}
			written := func() time.Time {
				t.Helper()
				snap, err := e.Raw.Doc(model.Overflows + "/" + model.OverflowKey(model.ShareMonths, "ann_2026-11")).Get(t.Context())
				testenv.Must(t, err)
				return snap.UpdateTime
			}
			first := written()
			find(e)
			if again := written(); !again.Equal(first) && again.Sub(first) < stale {
				t.Error("asked again for work whose event may be on its way")
			}
			time.Sleep(2 * stale)
			find(e)
			if again := written(); !again.After(first) {
				t.Error("not asked again for work whose event was lost")
			}
			overflow(t, e)
			if got := e.IDs(t, model.Overflows); len(got) > 0 {
				t.Errorf("the work is not done: %v", got)
			}
		})
	}
}
