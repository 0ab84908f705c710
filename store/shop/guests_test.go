package shop_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
	"github.com/hibana-sns/hibana/store/verify"
)

const email = "ann@example.com"

// guestPlace puts n pieces of a product into the cart of a guest, and orders them.
func guestPlace(t *testing.T, e *storetest.Env, uid model.UserID, p *model.Product, n int64) (*model.Order, error) {
	t.Helper()
	testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: uid, Guest: true}, p.ID, n))
	return e.Orders.Place(t.Context(), uid, email, []model.WantedItem{{ProductID: p.ID, Quantity: n, Price: p.Price}},
		model.Request{})
}

func guestOrder(t *testing.T, e *storetest.Env, uid model.UserID, p *model.Product, n int64) *model.Order {
	t.Helper()
	o, err := guestPlace(t, e, uid, p, n)
	testenv.Must(t, err)
	return o
}

// guests checks how many pieces of a product the orders of guests hold, as the product and the orders say.
func guests(t *testing.T, e *storetest.Env, p *model.Product, want int64) {
	t.Helper()
	is, err := e.Shop.Product(t.Context(), p.ID)
	testenv.Must(t, err)
	snaps, err := e.Raw.CollectionGroup(model.Orders).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	held := int64(0)
	for _, snap := range snaps {
		var o model.Order
		testenv.Must(t, snap.DataTo(&o))
		if o.Guest {
			held += o.Held(p.ID)
		}
	}
	if is.GuestHeld != want || held != want {
		t.Errorf("guests hold %d pieces, and the product says %d; want %d", held, is.GuestHeld, want)
	}
}

func orderPath(o *model.Order) string {
	return model.Users + "/" + string(o.UserID) + "/" + model.Orders + "/" + string(o.ID)
}

// A guest orders with an e-mail address, three orders at a time, each of a few pieces. A user who made a profile since
// has the orders of before.
func TestGuestOrders(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := ordersAdd(t, e, 100)
	place := func(email string, n int64) (*model.Order, error) {
		testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: "guest", Guest: true}, p.ID, n))
		return e.Orders.Place(t.Context(), "guest", email, []model.WantedItem{{ProductID: p.ID, Quantity: n, Price: p.Price}},
			model.Request{Hash: "hash"})
	}
	_, err := place("", 2)
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	_, err = place(strings.Repeat("a", model.MaxEmail)+"@example.com", 2)
	storetest.WantErr(t, err, errs.Invalid, "email_too_long")
	_, err = place(email, model.MaxGuestPieces+1)
	storetest.WantErr(t, err, errs.Conflict, "too_many_pieces")
	var all []*model.Order
	for i := range model.MaxGuestOrders {
		o, err := place(email, model.MaxGuestPieces)
		testenv.Must(t, err)
		all = append(all, o)
		if doc := e.Doc(t, orderPath(o)); doc["email"] != email || doc["guest"] != true || doc["dueAt"] == nil {
			t.Errorf("order %d is %v", i, doc)
		}
	}
	_, err = place(email, 1)
	storetest.WantErr(t, err, errs.Conflict, "too_many_orders")
	_, err = e.Orders.Cancel(t.Context(), "guest", all[0].ID, "guest")
	testenv.Must(t, err)
	_, err = place(email, 1)
	testenv.Must(t, err)

	// A cart that expired, or went to an account, does not forget the orders.
	e.CreateUsers(t, "bob")
	testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: "guest", Guest: true}, p.ID, 1))
	testenv.Must(t, e.Shop.Merge(t.Context(), shop.Customer{ID: "bob"}, "guest"))
	_, err = place(email, 1)
	storetest.WantErr(t, err, errs.Conflict, "too_many_orders")

	_, err = e.Users.CreateUser(t.Context(), "guest", model.NewUser{Username: "guest_u"})
	testenv.Must(t, err)
	o, err := place(email, 99)
	testenv.Must(t, err)
	if doc := e.Doc(t, orderPath(o)); doc["email"] != nil || doc["guest"] != nil || doc["dueAt"] != nil {
		t.Errorf("the order of a user with a profile is %v", doc)
	}
	if doc := e.Doc(t, "carts/guest"); doc["expireAt"] != nil {
		t.Errorf("the cart of a user with a profile expires: %v", doc)
	}
	found, err := e.Orders.Of(t.Context(), "guest", model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(found.Items) != 5 {
		t.Errorf("the user has %d orders, want 5", len(found.Items))
	}
}

func TestGuestOrderCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := ordersAdd(t, e, 100)
	for i, reads := range []int64{6, 5} { // the first order of a cart counts
		testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: "guest", Guest: true}, p.ID, 1))
		testenv.Must(t, storetest.Costs(t, fmt.Sprint("order ", i), reads, 2, 0, func(ctx context.Context) error {
			_, err := e.Orders.Place(ctx, "guest", email, []model.WantedItem{{ProductID: p.ID, Quantity: 1, Price: p.Price}},
				model.Request{})
			return err
		}))
	}
}

// The cart of a guest who ordered once expires as before, and an account can take it over.
func TestGuestOrderKeepsCart(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 50)
	of := shop.Customer{ID: "guest", Guest: true}
	o := guestOrder(t, e, "guest", p, 2)
	expires := func(when string) {
		t.Helper()
		at, _ := e.Doc(t, "carts/guest")["expireAt"].(time.Time)
		if want := e.Clock.Now().Add(model.GuestCartWindow); at.Sub(want).Abs() > 25*time.Hour {
			t.Errorf("%s the cart expires at %v, want about %v", when, at, want)
		}
	}
	expires("after the order")
	_, err := e.Orders.Cancel(t.Context(), "guest", o.ID, "guest")
	testenv.Must(t, err)
	e.Clock.Add(20 * 24 * time.Hour)
	testenv.Must(t, e.Shop.Put(t.Context(), of, p.ID, 3))
	expires("after another product")
	_, err = e.Shop.View(t.Context(), of)
	testenv.Must(t, err)
	testenv.Must(t, e.Shop.Merge(t.Context(), shop.Customer{ID: "ann"}, "guest"))
	if got := quantities(t, e, shop.Customer{ID: "ann"}); got[p.ID] != 3 {
		t.Errorf("ann's cart has %v after the merge, want the guest's", got)
	}

	testenv.Must(t, e.Shop.Put(t.Context(), of, p.ID, 3))
	e.Clock.Add(model.GuestCartWindow + time.Hour) // the TTL deletion is late
	_, err = e.Orders.Place(t.Context(), "guest", email, []model.WantedItem{{ProductID: p.ID, Quantity: 3,
		Price: p.Price}}, model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "cart_changed")
	testenv.Must(t, e.Shop.Merge(t.Context(), shop.Customer{ID: "ann"}, "guest"))
	if got := quantities(t, e, shop.Customer{ID: "ann"}); got[p.ID] != 3 {
		t.Errorf("ann's cart has %v, want nothing of an expired cart", got)
	}
}

// The items of a rejected order are in the cart of the guest again, and an account can take that over, whether the cart
// is still there, has expired, or is gone. The cart of a guest who has a profile now does not expire.
func TestGuestRestored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(*storetest.Env)
		member    bool
	}{
		"there":   {func(*storetest.Env) {}, false},
		"expired": {func(e *storetest.Env) { e.Clock.Add(model.GuestCartWindow + time.Hour) }, false},
		"gone": {func(e *storetest.Env) {
			_, err := e.Raw.Doc("carts/guest").Delete(context.Background())
			testenv.Must(t, err)
		}, false},
		"gone, and a profile made": {func(e *storetest.Env) {
			_, err := e.Raw.Doc("carts/guest").Delete(context.Background())
			testenv.Must(t, err)
			e.CreateUsers(t, "guest")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann")
			p := ordersAdd(t, e, 1)
			o := guestOrder(t, e, "guest", p, 2)
			serve(t, e, p)
			c.meanwhile(e)
			for range 2 {
				testenv.Must(t, e.Orders.RestoreCart(t.Context(), "guest", o.ID))
			}
			if c.member {
				if doc := e.Doc(t, "carts/guest"); doc["expireAt"] != nil {
					t.Errorf("the cart is %v", doc)
				}
				return
			}
			testenv.Must(t, e.Shop.Merge(t.Context(), shop.Customer{ID: "ann"}, "guest"))
			if got := quantities(t, e, shop.Customer{ID: "ann"}); got[p.ID] != 2 {
				t.Errorf("ann's cart has %v after the merge, want the guest's: %v", got, e.Doc(t, "carts/guest"))
			}
		})
	}
}

// All guests together hold half of what is left at most, and give it back when the shop does not ship within three
// days. A shipped order is no guest's share any more.
func TestGuestShare(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 61)
	var all []*model.Order
	for g := range 2 {
		for range model.MaxGuestOrders {
			e.Clock.Add(time.Second)
			all = append(all, guestOrder(t, e, model.UserID(fmt.Sprint("guest", g)), p, model.MaxGuestPieces))
		}
	}
	serve(t, e, p)
	guests(t, e, p, 30)
	balance(t, e, p, 31, 0)
	is := check(t, e, all[3], model.OrderRejected, 0, false)
	if diff := cmp.Diff(&model.OrderReason{Code: model.GuestShareHeld, ProductID: p.ID}, is.Reason); diff != "" {
		t.Errorf("reason (-want +got):\n%s", diff)
	}
	kept := place(t, e, "ann", p) // members have the rest
	serve(t, e, p)
	check(t, e, kept, model.OrderConfirmed, 1, false)
	_, err := e.Orders.Ship(t.Context(), "guest0", all[0].ID, "admin")
	testenv.Must(t, err)
	serve(t, e, p)
	guests(t, e, p, 20)
	balance(t, e, p, 29, 10)

	sweep := sweeps(t, e)
	e.Clock.Add(model.GuestOrderWindow - time.Minute)
	sweep(store.Options{})
	serve(t, e, p)
	guests(t, e, p, 20)
	e.Clock.Add(24 * time.Hour)
	sweep(store.Options{StepTime: time.Nanosecond})
	serve(t, e, p)
	guests(t, e, p, 0)
	balance(t, e, p, 49, 10)
	is = check(t, e, all[1], model.OrderCancelled, 0, false)
	if last := is.History[len(is.History)-1]; last.By != "" || is.OwesCart {
		t.Errorf("the order is %+v", is)
	}
	check(t, e, all[0], model.OrderShipped, 0, false)
	check(t, e, kept, model.OrderConfirmed, 1, false)
}

// In one commit a guest gives back what a member takes: the stock stays, and the share of guests does not.
func TestGuestShareExchanged(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 4)
	o := guestOrder(t, e, "guest", p, 2)
	serve(t, e, p)
	guests(t, e, p, 2)
	_, err := e.Orders.Cancel(t.Context(), "guest", o.ID, "guest")
	testenv.Must(t, err)
	place(t, e, "ann", p)
	serve(t, e, p)
	guests(t, e, p, 0)
	balance(t, e, p, 2, 0)
}

// A closed order of a guest forgets the address after 30 days, and what was computed from it.
func TestGuestEmailForgotten(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := ordersAdd(t, e, 100)
	const many = 51 // more than a page
	var all []*model.Order
	for i := range many {
		uid := model.UserID(fmt.Sprint("guest", i))
		testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: uid, Guest: true}, p.ID, 1))
		o, err := e.Orders.Place(t.Context(), uid, email,
			[]model.WantedItem{{ProductID: p.ID, Quantity: 1, Price: p.Price}}, model.Request{Key: "one", Hash: "hash"})
		testenv.Must(t, err)
		_, err = e.Orders.Cancel(t.Context(), o.UserID, o.ID, o.UserID)
		testenv.Must(t, err)
		all = append(all, o)
	}
	addresses := func() (n int) {
		t.Helper()
		for _, o := range all {
			if doc := e.Doc(t, orderPath(o)); doc["email"] != nil || doc["request"] != nil || doc["dueAt"] != nil {
				n++
			}
		}
		return n
	}
	sweep := sweeps(t, e)
	e.Clock.Add(model.GuestEmailWindow - time.Minute)
	sweep(store.Options{})
	if got := addresses(); got != many {
		t.Errorf("%d orders have an address before the time, want %d", got, many)
	}
	e.Clock.Add(24 * time.Hour)
	sweep(store.Options{StepTime: time.Nanosecond})
	if got := addresses(); got != 0 {
		t.Errorf("%d orders have an address still", got)
	}
	check(t, e, all[0], model.OrderCancelled, 0, false)
}

// A version that does not know the time at which an order is due closed it: it keeps the address for 30 days all the
// same.
func TestGuestClosedByOld(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	o := guestOrder(t, e, "guest", ordersAdd(t, e, 10), 1)
	e.Clock.Add(time.Hour)
	due := e.Doc(t, orderPath(o))["dueAt"]
	_, err := e.Orders.Cancel(t.Context(), "guest", o.ID, "guest")
	testenv.Must(t, err)
	want := e.Doc(t, orderPath(o))["dueAt"]
	doc := e.Doc(t, orderPath(o))
	doc["dueAt"] = due
	_, err = e.Raw.Doc(orderPath(o)).Set(t.Context(), doc)
	testenv.Must(t, err)
	e.Clock.Add(model.GuestOrderWindow)
	sweeps(t, e)(store.Options{})
	if got := e.Doc(t, orderPath(o)); got["email"] != email || !got["dueAt"].(time.Time).Equal(want.(time.Time)) {
		t.Errorf("the order is %v, want it due at %v", got, want)
	}
}

// An administrator ships an order of a guest at the moment at which the sweep cancels it: it stays shipped.
func TestGuestDueBeside(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := ordersAdd(t, e, 10)
	o := guestOrder(t, e, "guest", p, 2)
	serve(t, e, p)
	e.Clock.Add(model.GuestOrderWindow + time.Hour)
	sweeps(t, e)(store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(orderPath(o)), func() {
		_, err := e.Orders.Ship(context.Background(), "guest", o.ID, "admin")
		testenv.Must(t, err)
	})}})
	serve(t, e, p)
	check(t, e, o, model.OrderShipped, 0, false)
	guests(t, e, p, 0)
	balance(t, e, p, 8, 2)
	if doc := e.Doc(t, orderPath(o)); doc["email"] != email {
		t.Errorf("the shipped order is %v", doc)
	}
}

// sweepBeside runs a step of the day's sweep, beside others.
func sweepBeside(t *testing.T, e *storetest.Env) error {
	if err := e.Timelines.EnqueueSweep(t.Context()); err != nil {
		return err
	}
	work := model.SweepWork{ID: e.Clock.Now().UTC().Format(time.DateOnly)}
	return testenv.Patiently(func() error { return e.Timelines.Sweep(t.Context(), work) })
}

// The sweep cancels orders of guests while others are placed, served, cancelled and shipped. The stock and the share of
// guests agree with the orders at the end, and no order is both shipped and cancelled.
func TestGuestsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 80) // guests may hold them all
	const many = 12
	var all []*model.Order
	for i := range many {
		all = append(all, guestOrder(t, e, model.UserID(fmt.Sprint("guest", i)), p, 2))
	}
	serve(t, e, p)
	e.Clock.Add(model.GuestOrderWindow + time.Hour)
	lossy, _ := e.Lossy(t, 0.1)
	var g errgroup.Group
	anyway := func(err error) error {
		if c := errs.CodeOf(err); c == "order_state" {
			return nil
		}
		return err
	}
	for i, o := range all {
		g.Go(func() error {
			return testenv.Patiently(func() error {
				if i%3 == 0 {
					_, err := lossy.Orders.Ship(t.Context(), o.UserID, o.ID, "admin")
					return anyway(err)
				} else if i%3 == 1 {
					_, err := lossy.Orders.Cancel(t.Context(), o.UserID, o.ID, o.UserID)
					return anyway(err)
				}
				return nil
			})
		})
	}
	for i := range 4 {
		uid := model.UserID(fmt.Sprint("late", i))
		testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: uid, Guest: true}, p.ID, 2))
		g.Go(func() error {
			return testenv.Patiently(func() error {
				_, err := lossy.Orders.Place(t.Context(), uid, email, []model.WantedItem{{ProductID: p.ID, Quantity: 2,
					Price: p.Price}}, model.Request{Key: "one"})
				return err
			})
		})
	}
	for range 2 {
		g.Go(func() error { return sweepBeside(t, e) })
		g.Go(func() error {
			for range 3 {
				err := testenv.Patiently(func() error {
					return lossy.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID})
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	testenv.Must(t, g.Wait())
	e.Clock.Add(24 * time.Hour)
	sweeps(t, e)(store.Options{})
	for range 3 {
		serve(t, e, p)
	}
	var sold int64
	for _, o := range all {
		is, err := e.Orders.Order(t.Context(), o.UserID, o.ID)
		testenv.Must(t, err)
		ends := 0
		for _, change := range is.History {
			if change.Status == model.OrderCancelled || change.Status == model.OrderShipped {
				ends++
			}
		}
		if ends != 1 || is.Open() || is.Taken != 0 {
			t.Errorf("order %s has %d ends: %+v", is.ID, ends, is)
		}
		if is.Status == model.OrderShipped {
			sold += 2
		}
	}
	guests(t, e, p, 8) // those that came late
	balance(t, e, p, 80-sold-8, sold)
	found, err := e.Audit.All(t.Context(), verify.Options{Wait: func(context.Context) error { return nil }})
	testenv.Must(t, err)
	for _, d := range found {
		if d.Kind == model.Products || d.Kind == model.Orders {
			t.Errorf("verify finds %+v", d)
		}
	}
}

// An account that is being deleted orders no more: not as a guest either, and not with a cart of before. The deletion
// would not find the order.
func TestGuestLeaving(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 50)
	testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: "ann"}, p.ID, 2))
	_, err := e.Users.Leave(t.Context(), "ann")
	testenv.Must(t, err)
	_, err = guestPlace(t, e, "ann", p, 2)
	storetest.WantErr(t, err, errs.Conflict, "leaving")
}

// Verify finds a wrong number of pieces that guests hold, and repairs it.
func TestGuestsRecounted(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := ordersAdd(t, e, 50)
	guestOrder(t, e, "guest", p, 2)
	serve(t, e, p)
	_, err := e.Raw.Doc(model.Products+"/"+string(p.ID)).Update(t.Context(),
		[]firestore.Update{{Path: "guestHeld", Value: 7}})
	testenv.Must(t, err)
	for _, want := range []int{1, 0} {
		found, err := e.Audit.All(t.Context(), verify.Options{Repair: true,
			Wait: func(context.Context) error { return nil }})
		testenv.Must(t, err)
		n := 0
		for _, d := range found {
			if d.Kind == model.Products {
				if n++; d.Field != "guestHeld" || !d.Repaired {
					t.Errorf("verify finds %+v", d)
				}
			}
		}
		if n != want {
			t.Errorf("verify finds %d products, want %d", n, want)
		}
	}
	guests(t, e, p, 2)
	balance(t, e, p, 48, 0)
}
