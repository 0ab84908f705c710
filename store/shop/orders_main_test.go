package shop_test

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/shop"
)

func ordersYen(n int64) model.Price { return model.Price{Amount: n, Currency: "JPY"} }

func ordersAdd(t *testing.T, e *storetest.Env, stock int64) *model.Product {
	t.Helper()
	p, err := e.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: ordersYen(300)}, stock,
		model.Request{})
	testenv.Must(t, err)
	return p
}

func fill(t *testing.T, e *storetest.Env, uid model.UserID, products ...*model.Product) (wanted []model.WantedItem) {
	t.Helper()
	for _, p := range products {
		testenv.Must(t, testenv.Patiently(func() error { return e.Shop.Put(t.Context(), shop.Customer{ID: uid}, p.ID, 2) }))
		wanted = append(wanted, model.WantedItem{ProductID: p.ID, Quantity: 2, Price: p.Price})
	}
	return wanted
}

func place(t *testing.T, e *storetest.Env, uid model.UserID, products ...*model.Product) *model.Order {
	t.Helper()
	o, err := e.Orders.Place(t.Context(), uid, "", fill(t, e, uid, products...), model.Request{})
	testenv.Must(t, err)
	return o
}

func serve(t *testing.T, e *storetest.Env, products ...*model.Product) {
	t.Helper()
	for _, p := range products {
		testenv.Must(t, e.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
	}
}

func check(t *testing.T, e *storetest.Env, o *model.Order, status model.OrderStatus, taken int,
	waits bool) *model.Order {
	t.Helper()
	is, err := e.Orders.Order(t.Context(), o.UserID, o.ID)
	testenv.Must(t, err)
	if is.Status != status || is.Taken != taken || (is.Queue != "") != waits {
		t.Errorf("the order is %s, has taken %d and waits for %q; want %s, %d, %v", is.Status, is.Taken, is.Queue, status,
			taken, waits)
	}
	return is
}

func balance(t *testing.T, e *storetest.Env, p *model.Product, stock, sold int64) {
	t.Helper()
	is, err := e.Shop.Product(t.Context(), p.ID)
	testenv.Must(t, err)
	snaps, err := e.Raw.CollectionGroup(model.Orders).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	held := int64(0)
	for _, snap := range snaps {
		var o model.Order
		testenv.Must(t, snap.DataTo(&o))
		held += o.Held(p.ID)
	}
	if is.AmountInStock != stock || is.Sold != sold || is.AmountInStock+is.Sold+held != is.Supplied {
		t.Errorf("%d in stock, %d sold, %d held of %d supplied; want %d in stock and %d sold", is.AmountInStock, is.Sold,
			held, is.Supplied, stock, sold)
	}
}
