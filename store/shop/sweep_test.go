package shop_test

import (
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func sweeps(t *testing.T, e *storetest.Env) func(store.Options) {
	return func(o store.Options) {
		t.Helper()
		s := e.Again(t, o)
		testenv.Must(t, s.Timelines.EnqueueSweep(t.Context()))
		day := e.Clock.Now().UTC().Format(time.DateOnly)
		for range 5 {
			var work model.SweepWork
			snap, err := e.Raw.Collection(model.Sweeps).Doc(day).Get(t.Context())
			testenv.Must(t, err)
			testenv.Must(t, snap.DataTo(&work))
			if work.Done {
				return
			}
			work.ID, work.WrittenAt = day, snap.UpdateTime
			testenv.Must(t, s.Timelines.Sweep(t.Context(), work))
		}
		t.Error("the sweep does not end")
	}
}

func TestSweepFindsCarts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const many = 51 // more than a page
	path := func(n int) string { return fmt.Sprintf("%s/user%02d/%s/%018x", model.Users, n, model.Orders, n) }
	b := e.Raw.BulkWriter(t.Context())
	var jobs []*firestore.BulkWriterJob
	for n := range many {
		o := model.Order{UserID: model.UserID(fmt.Sprintf("user%02d", n)), Status: model.OrderRejected, OwesCart: true,
			CreatedAt: e.Clock.Now()}
		if n == 0 {
			o.Queue = model.OrderQueue("p", 0)
		}
		job, err := b.Set(e.Raw.Doc(path(n)), o)
		testenv.Must(t, err)
		jobs = append(jobs, job)
	}
	b.End()
	for _, job := range jobs {
		_, err := job.Results()
		testenv.Must(t, err)
	}
	asked := func() (n int) {
		t.Helper()
		for i := range many {
			if doc := e.Doc(t, path(i)); doc["askedAt"] != nil {
				n++
			}
		}
		return n
	}
	sweep := sweeps(t, e)
	sweep(store.Options{StaleAfter: time.Hour})
	if got := asked(); got != 0 {
		t.Errorf("the sweep wrote %d orders of a moment ago", got)
	}
	e.Clock.Add(24 * time.Hour)
	sweep(store.Options{StaleAfter: time.Millisecond, StepTime: time.Nanosecond})
	if got := asked(); got != many-1 || e.Doc(t, path(0))["askedAt"] != nil {
		t.Errorf("the sweep wrote %d of %d orders that owe a cart", got, many-1)
	}
	testenv.Must(t, e.Orders.RestoreCart(t.Context(), "user01", model.OrderID(fmt.Sprintf("%018x", 1))))
	if doc := e.Doc(t, path(1)); doc["askedAt"] != nil || doc["owesCart"] != nil {
		t.Errorf("an order with its cart is %v", doc)
	}
}

func TestSweepFindsOrders(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	a, b := ordersAdd(t, e, 6), ordersAdd(t, e, 2)
	// nobody hears of them
	all := []*model.Order{place(t, e, "ann", a), place(t, e, "ann", a), place(t, e, "bob", a), place(t, e, "bob", b)}
	sweep := sweeps(t, e)
	sweep(store.Options{StepTime: time.Nanosecond})
	for _, p := range []*model.Product{a, b} {
		snap, err := e.Raw.Collection(model.StockRuns).Doc(string(p.ID)).Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, e.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID, WrittenAt: snap.UpdateTime}))
	}
	for _, o := range all {
		check(t, e, o, model.OrderConfirmed, 1, false)
	}
	e.Clock.Add(24 * time.Hour)
	sweep(store.Options{})
	if got := e.IDs(t, model.StockRuns); len(got) > 0 {
		t.Errorf("a sweep asked for runs of %v, and no order waits", got)
	}
}
