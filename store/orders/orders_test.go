package orders_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/audit"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/shop"
)

func TestMain(m *testing.M) { testenv.Main(m) }

func yen(n int64) model.Price { return model.Price{Amount: n, Currency: "JPY"} }

// add adds a product with a stock.
func add(t *testing.T, e *storetest.Env, stock int64) *model.Product {
	t.Helper()
	p, err := e.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: yen(300)}, stock, facts.Request{})
	testenv.Must(t, err)
	return p
}

// fill puts two pieces of each product into a cart.
func fill(t *testing.T, e *storetest.Env, uid model.UserID, products ...*model.Product) (wanted []model.WantedItem) {
	t.Helper()
	for _, p := range products {
		testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: uid}, p.ID, 2))
		wanted = append(wanted, model.WantedItem{ProductID: p.ID, Quantity: 2, Price: p.Price})
	}
	return wanted
}

// place orders two pieces of each product.
func place(t *testing.T, e *storetest.Env, uid model.UserID, products ...*model.Product) *model.Order {
	t.Helper()
	o, err := e.Orders.Place(t.Context(), uid, fill(t, e, uid, products...), facts.Request{})
	testenv.Must(t, err)
	return o
}

// serve runs every product once, as the events of their work documents do.
func serve(t *testing.T, e *storetest.Env, products ...*model.Product) {
	t.Helper()
	for _, p := range products {
		testenv.Must(t, e.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
	}
}

// check looks at the state of an order.
func check(t *testing.T, e *storetest.Env, o *model.Order, status model.OrderStatus, taken int, waits bool) *model.Order {
	t.Helper()
	is, err := e.Orders.Order(t.Context(), o.UserID, o.ID)
	testenv.Must(t, err)
	if is.Status != status || is.Taken != taken || (is.Queue != "") != waits {
		t.Errorf("the order is %s, has taken %d and waits for %q; want %s, %d, %v", is.Status, is.Taken, is.Queue, status, taken, waits)
	}
	return is
}

// balance fails unless stock, sold and held pieces of a product are all that was supplied, and the stock
// is as it should be.
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
		t.Errorf("%d in stock, %d sold, %d held of %d supplied; want %d in stock and %d sold", is.AmountInStock, is.Sold, held, is.Supplied, stock, sold)
	}
}

// An order freezes what the customer has seen, and empties the cart, once for a key, also if the
// answer is lost.
func TestPlace(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.Users(t, "ann")
	a, b := add(t, e, 5), add(t, e, 5)
	wanted := fill(t, e, "ann", a, b)
	r := facts.Request{Key: "one", Hash: "hash"}
	lossy := e.Again(t, store.Options{CacheTTL: time.Hour, Meter: meter.Options{Below: storetest.LoseFirst(func() {}).Lose}})
	first, err := lossy.Orders.Place(t.Context(), "ann", wanted, r)
	testenv.Must(t, err)
	if first.Total != yen(1200) || len(first.Items) != 2 || first.Queue == "" || first.Status != model.OrderPending {
		t.Errorf("the order is %+v", first)
	}
	testenv.Must(t, storetest.Costs(t, "the same request", 4, 0, 0, func(ctx context.Context) error {
		again, err := e.Orders.Place(ctx, "ann", wanted, r)
		if err == nil && again.ID != first.ID {
			t.Errorf("the second request made %s", again.ID)
		}
		return err
	}))
	_, err = e.Orders.Place(t.Context(), "ann", wanted, facts.Request{Key: "one", Hash: "other"})
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")
	v, err := e.Shop.View(t.Context(), shop.Customer{ID: "ann"})
	testenv.Must(t, err)
	if len(v.Lines) != 0 {
		t.Errorf("the cart has %v", v.Lines)
	}
	_, err = e.Orders.Place(t.Context(), "ann", wanted, facts.Request{Key: "two"})
	storetest.WantErr(t, err, errs.Conflict, "cart_changed")

	fill(t, e, "ann", a, b)
	_, err = e.Orders.Place(t.Context(), "ann", wanted[:1], facts.Request{})
	storetest.WantErr(t, err, errs.Conflict, "cart_changed")
	_, err = e.Orders.Place(t.Context(), "ann", []model.WantedItem{wanted[0], wanted[0]}, facts.Request{})
	storetest.WantErr(t, err, errs.Invalid, "product_twice")
	_, err = e.Orders.Place(t.Context(), "ann", nil, facts.Request{})
	storetest.WantErr(t, err, errs.Invalid, "empty_order")
	_, err = e.Shop.Change(t.Context(), a.ID, shop.Patch{Price: new(yen(310))}, nil)
	testenv.Must(t, err)
	_, err = e.Orders.Place(t.Context(), "ann", wanted, facts.Request{})
	storetest.WantErr(t, err, errs.Conflict, "prices_changed")
	wanted[0].Price = yen(310)
	testenv.Must(t, storetest.Costs(t, "Place", 5, 2, 0, func(ctx context.Context) error {
		_, err := e.Orders.Place(ctx, "ann", wanted, facts.Request{})
		return err
	}))
	fill(t, e, "nobody", b)
	_, err = e.Orders.Place(t.Context(), "nobody", wanted[1:], facts.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	for range model.MaxPendingOrders - 2 {
		place(t, e, "ann", b)
	}
	_, err = e.Orders.Place(t.Context(), "ann", fill(t, e, "ann", b), facts.Request{})
	storetest.WantErr(t, err, errs.Conflict, "too_many_orders")
	page, err := e.Orders.Of(t.Context(), "ann", model.Cursor{}, 100)
	testenv.Must(t, err)
	if len(page.Items) != model.MaxPendingOrders {
		t.Errorf("%d orders, want %d", len(page.Items), model.MaxPendingOrders)
	}
}

// Orders are served in the order of their times, all or nothing, and what a rejected one has
// taken goes back.
func TestServe(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob", "cat")
	a, b := add(t, e, 5), add(t, e, 3)
	if a.ID > b.ID { // an order takes the smaller id first: let that be the one that is there
		a, b = b, a
		_, err := e.Shop.Restock(t.Context(), "admin", a.ID, 2, facts.Request{Key: "more"})
		testenv.Must(t, err)
		_, err = e.Shop.Restock(t.Context(), "admin", b.ID, -2, facts.Request{Key: "fewer"})
		testenv.Must(t, err)
	}
	var all []*model.Order
	for _, uid := range []model.UserID{"ann", "bob", "cat"} {
		e.Clock.Add(time.Second)
		all = append(all, place(t, e, uid, a, b))
	}
	// All three take two of a, of which there are five: cat gets none. The run also looks at b once.
	testenv.Must(t, storetest.Costs(t, "ServeStock of three orders", 5, 4, 1, func(ctx context.Context) error {
		return e.Orders.ServeStock(ctx, model.StockWork{ProductID: a.ID})
	}))
	check(t, e, all[0], model.OrderPending, 1, true)
	check(t, e, all[1], model.OrderPending, 1, true)
	is := check(t, e, all[2], model.OrderRejected, 0, false)
	if diff := cmp.Diff(&model.OrderReason{Code: model.TooFew, ProductID: a.ID}, is.Reason); diff != "" {
		t.Errorf("reason (-want +got):\n%s", diff)
	}
	balance(t, e, a, 1, 0)
	serve(t, e, b) // ann gets hers, and bob gives back
	check(t, e, all[0], model.OrderConfirmed, 2, false)
	check(t, e, all[1], model.OrderRejected, 1, true)
	serve(t, e, a)
	check(t, e, all[1], model.OrderRejected, 0, false)
	balance(t, e, a, 3, 0)
	balance(t, e, b, 1, 0)
	serve(t, e, a, b, a, b) // nothing waits, and nothing changes
	balance(t, e, a, 3, 0)

	// A rejected order fills the cart again, once, beside what is there by then.
	testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: "bob"}, a.ID, 98))
	testenv.Must(t, storetest.Costs(t, "RestoreCart", 2, 2, 0, func(ctx context.Context) error { return e.Orders.RestoreCart(ctx, "bob", all[1].ID) }))
	testenv.Must(t, storetest.Costs(t, "RestoreCart again", 2, 0, 0, func(ctx context.Context) error { return e.Orders.RestoreCart(ctx, "bob", all[1].ID) }))
	v, err := e.Shop.View(t.Context(), shop.Customer{ID: "bob"})
	testenv.Must(t, err)
	if len(v.Lines) != 2 || v.Lines[0].Quantity != 99 || v.Lines[1].Quantity != 2 {
		t.Errorf("the cart has %+v", v.Lines)
	}

	// Shipping books what is held; it cannot be cancelled then.
	testenv.Must(t, storetest.Costs(t, "Ship", 1, 1, 0, func(ctx context.Context) error {
		_, err := e.Orders.Ship(ctx, "ann", all[0].ID, "admin")
		return err
	}))
	serve(t, e, b, a)
	is = check(t, e, all[0], model.OrderShipped, 0, false)
	if by := is.History[len(is.History)-1].By; by != "admin" || len(is.History) != 3 {
		t.Errorf("history %+v", is.History)
	}
	balance(t, e, a, 3, 2)
	balance(t, e, b, 1, 2)
	_, err = e.Orders.Cancel(t.Context(), "ann", all[0].ID, "ann")
	storetest.WantErr(t, err, errs.Conflict, "order_state")
	_, err = e.Orders.Ship(t.Context(), "bob", all[1].ID, "admin")
	storetest.WantErr(t, err, errs.Conflict, "order_state")
	_, err = e.Orders.Cancel(t.Context(), "ann", "000000000000000000", "ann")
	storetest.WantErr(t, err, errs.NotFound, "order_not_found")
}

// A cancelled order gives back what it holds, at whatever moment it is cancelled.
func TestCancel(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	a, b := add(t, e, 5), add(t, e, 5)
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
	beside := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Products+"/"+string(a.ID)), func() {
		_, err := e.Orders.Cancel(context.Background(), "ann", o.ID, "ann")
		testenv.Must(t, err)
	})}})
	testenv.Must(t, beside.Orders.ServeStock(t.Context(), model.StockWork{ProductID: a.ID}))
	check(t, e, o, model.OrderCancelled, 0, false)
	balance(t, e, a, 5, 0)
}

// Two runs at once, a run that is killed after it took its work, and a lost answer sell no piece
// twice and lose no order.
func TestServeBeside(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := add(t, e, 3)
	var all []*model.Order
	for i := range 4 {
		uid := model.UserID(fmt.Sprint("user", i))
		e.Users(t, uid)
		all = append(all, place(t, e, uid, p))
	}
	path := model.Products + "/" + string(p.ID)
	beside := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(path), func() {
		testenv.Must(t, e.Orders.ServeStock(context.Background(), model.StockWork{ProductID: p.ID}))
	})}})
	testenv.Must(t, beside.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
	confirmed := 0
	for _, o := range all {
		is, err := e.Orders.Order(t.Context(), o.UserID, o.ID)
		testenv.Must(t, err)
		if is.Status == model.OrderConfirmed {
			confirmed++
		}
	}
	if confirmed != 1 {
		t.Errorf("%d confirmed, want 1", confirmed)
	}
	balance(t, e, p, 1, 0)

	// The work is gone, because a run that was killed took it. The event that comes again asks anew.
	_, err := e.Shop.Restock(t.Context(), "admin", p.ID, 2, facts.Request{Key: "r"})
	testenv.Must(t, err)
	o := place(t, e, "user0", p)
	testenv.Must(t, e.Orders.Queue(t.Context(), o))
	work := e.Raw.Collection(model.StockRuns).Doc(string(p.ID))
	snap, err := work.Get(t.Context())
	testenv.Must(t, err)
	_, err = work.Delete(t.Context())
	testenv.Must(t, err)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.LoseAnswers(1, 1).Lose}})
	testenv.Must(t, lossy.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID, WrittenAt: snap.UpdateTime}))
	if e.Doc(t, model.StockRuns+"/"+string(p.ID)) == nil {
		t.Error("nobody asked for another run")
	}
	testenv.Must(t, lossy.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
	check(t, e, o, model.OrderConfirmed, 1, false)
	balance(t, e, p, 1, 0)

	// A retired product, and one that is gone, reject what waits; whoever looks at an order that
	// hangs asks for a run.
	_, err = e.Shop.Change(t.Context(), p.ID, shop.Patch{Active: new(false)}, nil)
	testenv.Must(t, err)
	last := &model.Order{ID: "00000000000000000a", UserID: "user1", Items: []model.OrderItem{{ProductID: p.ID, Quantity: 1}}, CreatedAt: e.Clock.Now()}
	last.Become(model.OrderPending, e.Clock.Now(), "user1")
	_, err = e.Raw.Doc("users/user1/orders/00000000000000000a").Set(t.Context(), last)
	testenv.Must(t, err)
	_, err = work.Delete(t.Context(), firestore.Exists)
	if err == nil {
		t.Error("a run left its work document")
	}
	e.Clock.Add(time.Minute)
	check(t, e, last, model.OrderPending, 0, true)
	if e.Doc(t, model.StockRuns+"/"+string(p.ID)) == nil {
		t.Error("a look at an order that hangs asked for no run")
	}
	serve(t, e, p)
	if is := check(t, e, last, model.OrderRejected, 0, false); is.Reason.Code != model.Retired {
		t.Errorf("reason %+v", is.Reason)
	}
	// Whoever looks at an order that has owed a cart its items for long also puts them back.
	e.Clock.Add(time.Minute)
	check(t, e, last, model.OrderRejected, 0, false)
	if items := e.Doc(t, model.Carts+"/user1")["items"]; !cmp.Equal(items, map[string]any{string(p.ID): int64(1)}) {
		t.Errorf("the cart of a rejected order has %v", items)
	}
}

// A verification recounts the stock, and finds and mends orders that hang and carts that are owed.
func TestVerify(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	p := add(t, e, 2)
	place(t, e, "ann", p)
	serve(t, e, p)
	hangs := place(t, e, "ann", p) // nobody hears of it
	verify := func(o audit.Options) map[string]any {
		t.Helper()
		o.Wait = func(context.Context) error { return nil }
		found, err := e.Audit.All(t.Context(), o)
		testenv.Must(t, err)
		all := map[string]any{}
		for _, d := range found {
			if d.Kind != model.Products && d.Kind != model.Orders {
				continue
			}
			if all[d.Field] != nil {
				t.Errorf("%s of %s was found twice", d.Field, d.Document)
			}
			all[d.Field] = []any{d.Have, d.Want, d.Repaired}
		}
		return all
	}
	if diff := cmp.Diff(map[string]any{"queue": []any{hangs.Queue, nil, true}}, verify(audit.Options{Repair: true})); diff != "" {
		t.Errorf("an order that hangs (-want +got):\n%s", diff)
	}
	if e.Doc(t, model.StockRuns+"/"+string(p.ID)) == nil {
		t.Error("the repair asked for no run")
	}
	serve(t, e, p)
	if diff := cmp.Diff(map[string]any{"owesCart": []any{true, nil, true}}, verify(audit.Options{Repair: true})); diff != "" {
		t.Errorf("a cart that is owed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{}, verify(audit.Options{})); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}

	// An order that is rejected at its second product waits to give back the first, and owes its cart.
	a, b := add(t, e, 2), add(t, e, 2)
	if a.ID > b.ID {
		a, b = b, a
	}
	e.Users(t, "bob")
	both := place(t, e, "bob", a, b)
	serve(t, e, a)
	_, err := e.Shop.Restock(t.Context(), "admin", b.ID, -2, facts.Request{Key: "gone"})
	testenv.Must(t, err)
	serve(t, e, b)
	both = check(t, e, both, model.OrderRejected, 1, true)
	if diff := cmp.Diff(map[string]any{"queue": []any{both.Queue, nil, true}, "owesCart": []any{true, nil, true}}, verify(audit.Options{Repair: true})); diff != "" {
		t.Errorf("an order that hangs and owes (-want +got):\n%s", diff)
	}
	serve(t, e, a)
	check(t, e, both, model.OrderRejected, 0, false)

	_, err = e.Raw.Collection(model.Products).Doc(string(p.ID)).Update(t.Context(), []firestore.Update{{Path: "amountInStock", Value: 7}})
	testenv.Must(t, err)
	if diff := cmp.Diff(map[string]any{"amountInStock": []any{int64(7), int64(0), false}}, verify(audit.Options{Repair: true})); diff != "" {
		t.Errorf("a wrong stock (-want +got):\n%s", diff)
	}
}

// A recount whose answer is lost counts anew.
func TestRecountAnswerLost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	p := add(t, e, 5)
	o := place(t, e, "ann", p)
	losses := storetest.LoseFirst(func() {})
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	r, err := lossy.Orders.Recount(t.Context())
	testenv.Must(t, err)
	if len(r.Miscounts) != 0 || len(r.Open) != 1 || r.Open[0].ID != o.ID || losses.SentAgain() != 1 {
		t.Errorf("the recount is %+v, after %d lost answers; want the order %s as open", r, losses.SentAgain(), o.ID)
	}
}

// Administrators page through the orders of all users that have a state, oldest first.
func TestInState(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
	p := add(t, e, 8)
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

// sweeps does the sweep of the day, step by step.
func sweeps(t *testing.T, e *storetest.Env) func(store.Options) {
	return func(o store.Options) {
		t.Helper()
		s := e.Again(t, o)
		testenv.Must(t, s.Waking.AskSweep(t.Context()))
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
			testenv.Must(t, s.Waking.Sweep(t.Context(), work))
		}
		t.Error("the sweep does not end")
	}
}

// The day's sweep writes orders anew that owe a cart because their event was lost, a step at a time,
// and leaves those that wait for a product, and those of a moment ago, to their events.
func TestSweepFindsCarts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const many = 51 // more than a page
	path := func(n int) string { return fmt.Sprintf("%s/user%02d/%s/%018x", model.Users, n, model.Orders, n) }
	b := e.Raw.BulkWriter(t.Context())
	var jobs []*firestore.BulkWriterJob
	for n := range many {
		o := model.Order{UserID: model.UserID(fmt.Sprintf("user%02d", n)), Status: model.OrderRejected, OwesCart: true, CreatedAt: e.Clock.Now()}
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

// The day's sweep asks for the products of orders whose event was lost, a step at a time.
func TestSweepFindsOrders(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
	a, b := add(t, e, 6), add(t, e, 2)
	all := []*model.Order{place(t, e, "ann", a), place(t, e, "ann", a), place(t, e, "bob", a), place(t, e, "bob", b)} // nobody hears of them
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

// An order that cannot be fulfilled, because a later product is short already, takes nothing of an
// earlier one: another customer gets the last piece.
func TestShortLater(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
	a, b := add(t, e, 2), add(t, e, 2)
	if a.ID > b.ID {
		a, b = b, a
	}
	both := place(t, e, "ann", a, b)
	_, err := e.Shop.Restock(t.Context(), "admin", b.ID, -1, facts.Request{Key: "broken"}) // after it was placed
	testenv.Must(t, err)
	e.Clock.Add(time.Second)
	one := place(t, e, "bob", a)
	testenv.Must(t, storetest.Costs(t, "ServeStock", 4, 3, 1, func(ctx context.Context) error {
		return e.Orders.ServeStock(ctx, model.StockWork{ProductID: a.ID})
	}))
	is := check(t, e, both, model.OrderRejected, 0, false)
	if diff := cmp.Diff(&model.OrderReason{Code: model.TooFew, ProductID: b.ID}, is.Reason); diff != "" || !is.OwesCart {
		t.Errorf("owes the cart: %v; reason (-want +got):\n%s", is.OwesCart, diff)
	}
	check(t, e, one, model.OrderConfirmed, 1, false)
	balance(t, e, a, 0, 0)
	balance(t, e, b, 1, 0)
}

// The look is at the stock after the order was placed: what comes in between the request and the
// run is there, and an order that two runs look at is decided by one of them.
func TestShortNoMore(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	a, b := add(t, e, 4), add(t, e, 0)
	if a.ID > b.ID {
		a, b = b, a
	}
	restock := func(id model.ProductID, n int64, key string) {
		_, err := e.Shop.Restock(context.Background(), "admin", id, n, facts.Request{Key: key})
		testenv.Must(t, err)
	}
	restock(a.ID, 4-a.AmountInStock+1, "a") // five of a, none of b
	if b.AmountInStock > 0 {
		restock(b.ID, -b.AmountInStock, "b")
	}
	o := place(t, e, "ann", a, b)
	restock(b.ID, 2, "came")
	// Another run takes a for the order, while this one has looked and is about to write.
	beside := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Products+"/"+string(a.ID)), func() {
		testenv.Must(t, e.Orders.ServeStock(context.Background(), model.StockWork{ProductID: a.ID}))
	})}})
	testenv.Must(t, beside.Orders.ServeStock(t.Context(), model.StockWork{ProductID: a.ID}))
	check(t, e, o, model.OrderPending, 1, true)
	balance(t, e, a, 3, 0)
	// What is sold out after the look rejects the order at its own step, and a goes back.
	restock(b.ID, -2, "gone")
	serve(t, e, b, a)
	check(t, e, o, model.OrderRejected, 0, false)
	balance(t, e, a, 5, 0)
	balance(t, e, b, 0, 0)
}
