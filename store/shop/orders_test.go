package shop_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
)

func TestPlace(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann")
	a, b := ordersAdd(t, e, 5), ordersAdd(t, e, 5)
	wanted := fill(t, e, "ann", a, b)
	r := model.Request{Key: "one", Hash: "hash"}
	lossy := e.Again(t, store.Options{CacheTTL: time.Hour,
		Meter: meter.Options{Below: storetest.LoseFirst(func() {}).Lose}})
	first, err := lossy.Orders.Place(t.Context(), "ann", "", wanted, r)
	testenv.Must(t, err)
	if first.Total != ordersYen(1200) || len(first.Items) != 2 || first.Queue == "" || first.Status != model.OrderPending {
		t.Errorf("the order is %+v", first)
	}
	testenv.Must(t, storetest.Costs(t, "the same request", 4, 0, 0, func(ctx context.Context) error {
		again, err := e.Orders.Place(ctx, "ann", "", wanted, r)
		if err == nil && again.ID != first.ID {
			t.Errorf("the second request made %s", again.ID)
		}
		return err
	}))
	_, err = e.Orders.Place(t.Context(), "ann", "", wanted, model.Request{Key: "one", Hash: "other"})
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")
	v, err := e.Shop.View(t.Context(), shop.Customer{ID: "ann"})
	testenv.Must(t, err)
	if len(v.Lines) != 0 {
		t.Errorf("the cart has %v", v.Lines)
	}
	_, err = e.Orders.Place(t.Context(), "ann", "", wanted, model.Request{Key: "two"})
	storetest.WantErr(t, err, errs.Conflict, "cart_changed")

	fill(t, e, "ann", a, b)
	_, err = e.Orders.Place(t.Context(), "ann", "", wanted[:1], model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "cart_changed")
	_, err = e.Orders.Place(t.Context(), "ann", "", []model.WantedItem{wanted[0], wanted[0]}, model.Request{})
	storetest.WantErr(t, err, errs.Invalid, "product_twice")
	_, err = e.Orders.Place(t.Context(), "ann", "", nil, model.Request{})
	storetest.WantErr(t, err, errs.Invalid, "empty_order")
	_, err = e.Shop.Change(t.Context(), a.ID, shop.Patch{Price: new(ordersYen(310))}, nil)
	testenv.Must(t, err)
	_, err = e.Orders.Place(t.Context(), "ann", "", wanted, model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "prices_changed")
	wanted[0].Price = ordersYen(310)
	testenv.Must(t, storetest.Costs(t, "Place", 4, 2, 0, func(ctx context.Context) error {
		_, err := e.Orders.Place(ctx, "ann", "", wanted, model.Request{})
		return err
	}))
	fill(t, e, "nobody", b)
	_, err = e.Orders.Place(t.Context(), "nobody", "", wanted[1:], model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
}

func TestCancel(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	a, b := ordersAdd(t, e, 5), ordersAdd(t, e, 5)
	first := []*model.Product{a, b}
	if a.ID > b.ID {
		first = []*model.Product{b, a}
	}
	for steps := range 3 {
		o := place(t, e, "ann", a, b)
		serve(t, e, first[:steps]...)
		for range 2 {
			_, err := e.Orders.Cancel(t.Context(), "ann", o.ID, "ann")
			testenv.Must(t, err)
		}
		serve(t, e, b, a, b, a)
		is := check(t, e, o, model.OrderCancelled, 0, false)
		if n := len(is.History); is.History[n-1].By != "ann" || is.OwesCart {
			t.Errorf("after %d steps: %+v", steps, is)
		}
		balance(t, e, a, 5, 0)
		balance(t, e, b, 5, 0)
	}
	o := place(t, e, "ann", a)
	beside := e.Again(t, store.Options{
		Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Products+"/"+string(a.ID)), func() {
			_, err := e.Orders.Cancel(context.Background(), "ann", o.ID, "ann")
			testenv.Must(t, err)
		})}})
	testenv.Must(t, beside.Orders.ServeStock(t.Context(), model.StockWork{ProductID: a.ID}))
	check(t, e, o, model.OrderCancelled, 0, false)
	balance(t, e, a, 5, 0)
}

func TestInState(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	p := ordersAdd(t, e, 8)
	var want []model.OrderID
	for _, uid := range []model.UserID{"ann", "bob", "ann", "bob"} { // the second and third at one time
		want = append(want, place(t, e, uid, p).ID)
		if len(want) != 2 {
			e.Clock.Add(time.Second)
		}
	}
	serve(t, e, p)
	last := place(t, e, "ann", p)
	list := func(status model.OrderStatus, reads ...int64) (all []model.OrderID) {
		t.Helper()
		var from model.Cursor
		for _, n := range reads {
			var page model.Page[*model.Order]
			testenv.Must(t, storetest.Costs(t, "InState", n, 0, 0, func(ctx context.Context) (err error) {
				page, err = e.Orders.InState(ctx, status, from, 2)
				return err
			}))
			for _, o := range page.Items {
				all = append(all, o.ID)
			}
			from = page.Next
		}
		if !from.IsZero() {
			t.Errorf("%s orders have another page, from %+v", status, from)
		}
		return all
	}
	slices.Sort(want[1:3])
	got := list(model.OrderConfirmed, 2, 2, 1)
	if len(got) == 4 {
		slices.Sort(got[1:3]) // of one time
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("confirmed orders (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]model.OrderID{last.ID}, list(model.OrderPending, 1)); diff != "" {
		t.Errorf("pending orders (-want +got):\n%s", diff)
	}
}
