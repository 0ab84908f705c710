package erasure_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
	"github.com/hibana-sns/hibana/store/verify"
)

// Somebody leaves with an order in each state. What was not shipped is cancelled, and its pieces
// come back once; what was shipped is booked as sold; then the orders go. An administrator ships
// an order at that moment, a step is killed, and every event comes twice.
func TestLeaveWithOrders(t *testing.T) {
	t.Parallel()
	const stock = 20
	e := storetest.Open(t, store.Options{LeavePause: time.Millisecond})
	e.CreateUsers(t, leaver, "bob")
	var products [2]*model.Product // in the order in which orders take them
	for i, key := range []string{"one", "two"} {
		p, err := e.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
			Currency: "JPY"}}, stock, model.Request{Key: key})
		testenv.Must(t, err)
		products[i] = p
	}
	if products[0].ID > products[1].ID {
		products[0], products[1] = products[1], products[0]
	}
	a, b := products[0], products[1]
	rule := func(uid model.UserID, of ...*model.Product) *model.Order {
		t.Helper()
		var wanted []model.WantedItem
		for _, p := range of {
			testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: uid}, p.ID, 2))
			wanted = append(wanted, model.WantedItem{ProductID: p.ID, Quantity: 2, Price: p.Price})
		}
		o, err := e.Orders.Place(t.Context(), uid, "", wanted, model.Request{})
		testenv.Must(t, err)
		return o
	}
	serve := func(p *model.Product) {
		t.Helper()
		testenv.Must(t, e.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
	}
	ship := func(o *model.Order) {
		t.Helper()
		_, err := e.Orders.Ship(context.Background(), o.UserID, o.ID, "admin")
		testenv.Must(t, err)
	}
	kept := rule("bob", a)
	confirmed, other, sold, unbooked := rule(leaver, a), rule(leaver, a), rule(leaver, a), rule(leaver, a)
	rule(leaver, a, b) // has taken a, and waits for b
	serve(a)
	ship(sold)
	serve(a)
	ship(unbooked)
	rule(leaver, a) // has taken nothing
	// balance adds up what is in stock, sold and held, and returns how many orders the user has.
	balance := func(when string) int {
		t.Helper()
		snaps, err := e.Raw.CollectionGroup(model.Orders).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		held, his := map[model.ProductID]int64{}, 0
		for _, snap := range snaps {
			var o model.Order
			testenv.Must(t, snap.DataTo(&o))
			if o.UserID == leaver {
				his++
			}
			for _, p := range products {
				held[p.ID] += o.Held(p.ID)
			}
		}
		for _, p := range products {
			is, err := e.Shop.Product(t.Context(), p.ID)
			testenv.Must(t, err)
			if is.AmountInStock+is.Sold+held[p.ID] != stock {
				t.Errorf("%s: %d in stock, %d sold, %d held of %d", when, is.AmountInStock, is.Sold, held[p.ID], stock)
			}
		}
		return his
	}
	if got := balance("before"); got != 6 {
		t.Fatalf("the leaver has %d orders, want 6", got)
	}
	_, err := e.Users.Leave(t.Context(), leaver)
	testenv.Must(t, err)

	var works []model.DeletionWork
	work := func() (w model.DeletionWork) {
		t.Helper()
		snap, err := e.Raw.Doc("leavings/" + string(leaver)).Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&w))
		w.WrittenAt = snap.UpdateTime
		works = append(works, w)
		return w
	}
	path := func(o *model.Order) string {
		return model.Users + "/" + string(leaver) + "/" + model.Orders + "/" + string(o.ID)
	}
	beside := e.Again(t, store.Options{LeavePause: time.Millisecond,
		Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(path(confirmed)), func() { ship(confirmed) })}})
	if err := beside.AccountDeletions.Leave(t.Context(), work()); err == nil {
		t.Error("a step has cancelled an order that was shipped meanwhile")
	}
	balance("after a step beside an administrator")
	ctx, kill := context.WithCancel(t.Context())
	killed := e.Again(t, store.Options{LeavePause: time.Millisecond,
		Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(path(other)), kill)}})
	if err := killed.AccountDeletions.Leave(ctx, work()); err == nil {
		t.Error("the step was not killed")
	}
	lossy := e.Again(t, store.Options{LeavePause: time.Millisecond,
		Meter: meter.Options{Below: storetest.LoseAnswers(7, 0.2).Lose}})
	for n := 0; work().ClearedAt.IsZero(); n++ {
		if n > 60 {
			t.Fatal("the leaving does not end")
		}
		_ = lossy.AccountDeletions.Leave(t.Context(), works[len(works)-1]) // its event comes again
		testenv.Must(t, e.AccountDeletions.Leave(t.Context(), works[len(works)-1]))
		balance("after a step")
		for _, p := range []*model.Product{a, b, a} {
			serve(p)
			balance("after a run")
		}
	}
	for _, w := range works { // late
		testenv.Must(t, e.AccountDeletions.Leave(t.Context(), w))
		serve(a)
		serve(b)
	}
	if got := balance("at the end"); got != 0 {
		t.Errorf("the leaver has %d orders", got)
	}
	// sold, unbooked and confirmed were shipped; bob has two pieces
	for p, want := range map[*model.Product][2]int64{a: {stock - 6 - 2, 6}, b: {stock, 0}} {
		is, err := e.Shop.Product(t.Context(), p.ID)
		testenv.Must(t, err)
		if is.AmountInStock != want[0] || is.Sold != want[1] {
			t.Errorf("%d are in stock and %d sold, want %v", is.AmountInStock, is.Sold, want)
		}
	}
	if is, err := e.Orders.Order(t.Context(), "bob", kept.ID); err != nil || is.Status != model.OrderConfirmed {
		t.Errorf("the order of somebody else is %+v, %v", is, err)
	}
	found, err := e.Audit.All(t.Context(), verify.Options{Wait: func(context.Context) error { return nil }})
	testenv.Must(t, err)
	for _, d := range found {
		if d.Kind == model.Products || d.Kind == model.Orders {
			t.Errorf("verify finds %+v", d)
		}
	}
}
