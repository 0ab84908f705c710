package shop_test

import (
	"context"
	"fmt"
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

var (
	ann   = shop.Customer{ID: "ann"}
	guest = shop.Customer{ID: "guest", Guest: true}
)

// quantities are the contents of a cart.
func quantities(t *testing.T, e *storetest.Env, of shop.Customer) map[model.ProductID]int64 {
	t.Helper()
	v, err := e.Shop.View(t.Context(), of)
	testenv.Must(t, err)
	all := map[model.ProductID]int64{}
	for _, l := range v.Lines {
		all[l.ProductID] = l.Quantity
	}
	return all
}

// A cart has the present prices, and its differences from what the customer has seen.
func TestView(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	a, b := add(t, e, "a", yen(300)), add(t, e, "b", model.Price{Amount: 250, Currency: "EUR"})
	e.CreateUsers(t, "ann")
	testenv.Must(t, storetest.Costs(t, "Put", 3, 1, 0, func(ctx context.Context) error {
		return e.Shop.Put(ctx, ann, a.ID,
			3)
	}))
	testenv.Must(t, storetest.Costs(t, "the same Put", 2, 0, 0, func(ctx context.Context) error {
		return e.Shop.Put(ctx, ann, a.ID, 3)
	}))
	testenv.Must(t, e.Shop.Put(t.Context(), ann, b.ID, 2))
	view := func() *shop.View {
		t.Helper()
		var v *shop.View
		testenv.Must(t, storetest.Costs(t, "View", 3, 0, 0, func(ctx context.Context) (err error) {
			v, err = e.Shop.View(ctx, ann)
			return err
		}))
		return v
	}
	changes := func() map[string][]model.CartChange {
		all := map[string][]model.CartChange{}
		for _, l := range view().Lines {
			all[l.Product.Name] = l.Changes
		}
		return all
	}
	if diff := cmp.Diff([]model.Price{{Amount: 500, Currency: "EUR"}, {Amount: 900, Currency: "JPY"}},
		view().Totals); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
	change := func(id model.ProductID, to shop.Patch) {
		t.Helper()
		_, err := e.Shop.Change(t.Context(), id, to, nil)
		testenv.Must(t, err)
	}
	stock := func(id model.ProductID, pieces int64) {
		t.Helper()
		_, err := e.Shop.Restock(t.Context(), "admin", id, pieces,
			model.Request{Key: fmt.Sprint(id, pieces, e.Clock.Now().UnixNano())})
		testenv.Must(t, err)
	}
	steps := []struct {
		do   func()
		want map[string][]model.CartChange
	}{
		{func() {}, map[string][]model.CartChange{"a": {}, "b": {}}},
		{func() { change(a.ID, shop.Patch{Price: new(yen(301))}) }, map[string][]model.CartChange{"a": {model.PriceUp},
			"b": {}}},
		{func() { // somebody who takes one less has not read the cart anew
			testenv.Must(t, e.Shop.Put(t.Context(), ann, a.ID, 2))
			testenv.Must(t, e.Shop.Put(t.Context(), ann, a.ID, 3))
		}, map[string][]model.CartChange{"a": {model.PriceUp}, "b": {}}},
		{func() { change(a.ID, shop.Patch{Price: new(yen(299))}); stock(b.ID, -9) }, map[string][]model.CartChange{
			"a": {model.PriceDown}, "b": {model.TooFew}}},
		{func() { stock(b.ID, -1) }, map[string][]model.CartChange{"a": {model.PriceDown}, "b": {model.SoldOut}}},
		{func() {
			testenv.Must(t, e.Shop.See(t.Context(), ann, map[model.ProductID]model.Price{a.ID: yen(299),
				model.NewProductID("x", "y"): yen(1)}))
		}, map[string][]model.CartChange{"a": {}, "b": {model.SoldOut}}},
		{func() { change(a.ID, shop.Patch{Price: &model.Price{Amount: 299, Currency: "EUR"}}) },
			map[string][]model.CartChange{"a": {model.Repriced}, "b": {model.SoldOut}}},
		{func() { change(b.ID, shop.Patch{Active: new(false)}) }, map[string][]model.CartChange{"a": {model.Repriced},
			"b": {model.Retired}}},
	}
	for i, step := range steps {
		step.do()
		if diff := cmp.Diff(step.want, changes()); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", i, diff)
		}
	}
	if diff := cmp.Diff([]model.Price{{Amount: 897, Currency: "EUR"}}, view().Totals); diff != "" {
		t.Errorf("totals without what is retired (-want +got):\n%s", diff)
	}
	storetest.WantErr(t, e.Shop.Put(t.Context(), ann, b.ID, 1), errs.Conflict, "product_retired")
	testenv.Must(t, storetest.Costs(t, "Remove", 1, 1, 0, func(ctx context.Context) error {
		return e.Shop.Remove(ctx, ann,
			b.ID)
	}))
	testenv.Must(t, storetest.Costs(t, "Remove again", 1, 0, 0, func(ctx context.Context) error {
		return e.Shop.Remove(ctx, ann, b.ID)
	}))
	if diff := cmp.Diff(map[model.ProductID]int64{a.ID: 3}, quantities(t, e, ann)); diff != "" {
		t.Errorf("the cart (-want +got):\n%s", diff)
	}
	storetest.WantErr(t, e.Shop.See(t.Context(), ann, map[model.ProductID]model.Price{a.ID: {}}), errs.Invalid,
		"invalid_price")
}

// A cart has a limit of products, and of pieces of each.
func TestCartLimits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	for i := range model.MaxCartItems {
		testenv.Must(t, e.Shop.Put(t.Context(), ann, add(t, e, fmt.Sprint(i), yen(1)).ID, model.MaxQuantity))
	}
	more := add(t, e, "more", yen(1))
	storetest.WantErr(t, e.Shop.Put(t.Context(), ann, more.ID, 1), errs.Conflict, "cart_full")
	for _, n := range []int64{0, -1, model.MaxQuantity + 1} {
		storetest.WantErr(t, e.Shop.Put(t.Context(), ann, more.ID, n), errs.Invalid, "invalid_quantity")
	}
	storetest.WantErr(t, e.Shop.Put(t.Context(), ann, model.NewProductID("x", "y"), 1), errs.NotFound, "product_not_found")
	testenv.Must(t, e.Shop.Put(t.Context(), guest, more.ID, 1))
	storetest.WantErr(t, e.Shop.Merge(t.Context(), ann, guest.ID), errs.Conflict, "cart_full")
	if got := quantities(t, e, guest); len(got) != 1 {
		t.Errorf("the guest's cart after a refused merge: %v", got)
	}
}

// A guest's cart expires without use, and lives on with it.
func TestGuestCart(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := add(t, e, "a", yen(1))
	testenv.Must(t, e.Shop.Put(t.Context(), guest, p.ID, 2))
	look := func(of shop.Customer, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "View", 2, writes, 0, func(ctx context.Context) error {
			_, err := e.Shop.View(ctx, of)
			return err
		}))
	}
	expires := func() any { return e.Doc(t, model.Carts+"/guest")["expireAt"] }
	e.Clock.Add(23 * time.Hour)
	look(guest, 0)
	for range 4 {
		e.Clock.Add(20 * 24 * time.Hour)
		look(guest, 1)
		if diff := cmp.Diff(any(e.Clock.Now().Add(model.GuestCartWindow)), expires()); diff != "" {
			t.Errorf("expireAt (-want +got):\n%s", diff)
		}
	}
	e.Clock.Add(model.GuestCartWindow + time.Second)
	testenv.Must(t, storetest.Costs(t, "View of an expired cart", 1, 0, 0, func(ctx context.Context) error {
		v, err := e.Shop.View(ctx, guest)
		if err == nil && len(v.Lines) > 0 {
			t.Errorf("an expired cart has %v", v.Lines)
		}
		return err
	}))
	testenv.Must(t, e.Shop.Put(t.Context(), guest, p.ID, 1))
	if diff := cmp.Diff(map[model.ProductID]int64{p.ID: 1}, quantities(t, e, guest)); diff != "" {
		t.Errorf("the cart after it expired (-want +got):\n%s", diff)
	}
}

// The cart of an account without a profile expires as a guest's does, since no act deletes such an account's data. With
// a profile it never expires, whatever token uses it: a guest's token is valid for an hour after the guest has an
// account.
func TestCartOfAccount(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := add(t, e, "a", yen(1))
	for _, first := range []bool{true, false} { // whether the token that puts the first product is the guest's
		uid := model.UserID(fmt.Sprint("guest", first))
		account, guest := shop.Customer{ID: uid}, shop.Customer{ID: uid, Guest: true}
		expires := func(who string, want bool) {
			t.Helper()
			cart := e.Doc(t, model.Carts+"/"+string(uid))
			if at, is := cart["expireAt"].(time.Time); is != want || want &&
				!at.Equal(e.Clock.Now().Add(model.GuestCartWindow)) {
				t.Errorf("%s: expireAt is %v, want one: %t", who, cart["expireAt"], want)
			}
		}
		use := func(of shop.Customer, who string, want bool) {
			t.Helper()
			e.Clock.Add(25 * time.Hour)
			_, err := e.Shop.View(t.Context(), of)
			testenv.Must(t, err)
			expires(who+" looks", want)
			e.Clock.Add(25 * time.Hour)
			testenv.Must(t, e.Shop.Put(t.Context(), of, p.ID, 2))
			testenv.Must(t, e.Shop.Put(t.Context(), of, p.ID, 1))
			expires(who+" puts", want)
		}
		testenv.Must(t, e.Shop.Put(t.Context(), map[bool]shop.Customer{true: guest, false: account}[first], p.ID, 2))
		use(guest, "a guest", true)
		use(account, "an account without a profile", true)
		e.CreateUsers(t, uid)
		e.CoolDown()
		use(account, "an account", false)
		use(guest, "an account with the token of the guest", false)
		_, err := e.Raw.Doc(model.Carts + "/" + string(uid)).Delete(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, storetest.Costs(t, "the first product of an account", 3, 1, 0, func(ctx context.Context) error {
			return e.Shop.Put(ctx, guest, p.ID, 1)
		}))
		expires("an account's new cart by the token of the guest", false)
		testenv.Must(t, storetest.Costs(t, "another quantity", 2, 1, 0, func(ctx context.Context) error {
			return e.Shop.Put(ctx, account, p.ID, 2)
		}))
	}
}

// A guest's cart is added once, however often Merge is called, also if an answer is lost.
func TestMerge(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	a, b, c := add(t, e, "a", yen(1)), add(t, e, "b", yen(1)), add(t, e, "c", yen(1))
	testenv.Must(t, e.Shop.Put(t.Context(), ann, a.ID, 60))
	testenv.Must(t, e.Shop.Put(t.Context(), ann, b.ID, 3))
	testenv.Must(t, e.Shop.Put(t.Context(), guest, a.ID, 60))
	testenv.Must(t, e.Shop.Put(t.Context(), guest, b.ID, 2))
	testenv.Must(t, e.Shop.Put(t.Context(), guest, c.ID, 1))
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.LoseFirst(func() {}).Lose}})
	want := map[model.ProductID]int64{a.ID: model.MaxQuantity, b.ID: 5, c.ID: 1}
	for range 3 {
		testenv.Must(t, lossy.Shop.Merge(t.Context(), ann, guest.ID))
		if diff := cmp.Diff(want, quantities(t, e, ann)); diff != "" {
			t.Errorf("the cart (-want +got):\n%s", diff)
		}
	}
	if got := e.Doc(t, model.Carts+"/guest"); got != nil {
		t.Errorf("the guest's cart is still there: %v", got)
	}
	testenv.Must(t, e.Shop.Put(t.Context(), guest, c.ID, 1))
	testenv.Must(t, storetest.Costs(t, "Merge", 2, 1, 1, func(ctx context.Context) error {
		return e.Shop.Merge(ctx, ann, guest.ID)
	}))
	// The guest got an account, and an earlier token is still valid.
	e.CreateUsers(t, guest.ID)
	e.CoolDown()
	testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: guest.ID}, c.ID, 1))
	testenv.Must(t, storetest.Costs(t, "Merge of an account", 2, 0, 0, func(ctx context.Context) error {
		return e.Shop.Merge(ctx, ann, guest.ID)
	}))
	testenv.Must(t, e.Shop.Remove(t.Context(), shop.Customer{ID: guest.ID}, c.ID))
	testenv.Must(t, storetest.Costs(t, "Merge again", 2, 0, 0, func(ctx context.Context) error {
		return e.Shop.Merge(ctx, ann, guest.ID)
	}))
}

// A change of the cart by another device at the same moment is not lost.
func TestPutBeside(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	a, b := add(t, e, "a", yen(1)), add(t, e, "b", yen(1))
	beside := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Carts+"/ann"),
		func() {
			testenv.Must(t, e.Shop.Put(context.Background(), ann, a.ID, 1))
		})}})
	testenv.Must(t, beside.Shop.Put(t.Context(), ann, b.ID, 2))
	if diff := cmp.Diff(map[model.ProductID]int64{a.ID: 1, b.ID: 2}, quantities(t, e, ann)); diff != "" {
		t.Errorf("the cart (-want +got):\n%s", diff)
	}
}

// A customer put a product into the cart without the API, which records the seen price only from the next quantity on.
func TestPutIntoDirectCart(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := add(t, e, "a", yen(300))
	_, err := e.Raw.Doc(model.Carts+"/"+string(ann.ID)).
		Set(t.Context(), model.Cart{Items: map[string]int64{string(p.ID): 1}, UpdatedAt: e.Clock.Now()})
	testenv.Must(t, err)
	testenv.Must(t, e.Shop.Put(t.Context(), ann, p.ID, 2))
	_, err = e.Shop.Change(t.Context(), p.ID, shop.Patch{Price: new(yen(400))}, nil)
	testenv.Must(t, err)
	v, err := e.Shop.View(t.Context(), ann)
	testenv.Must(t, err)
	if len(v.Lines) != 1 || !slices.Contains(v.Lines[0].Changes, model.PriceUp) {
		t.Errorf("the view is %+v, want one line whose price has changed", v.Lines)
	}
}

// A product that a guest puts into the cart while it is merged is not lost.
func TestMergeBeside(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	a, b := add(t, e, "a", yen(1)), add(t, e, "b", yen(1))
	testenv.Must(t, e.Shop.Put(t.Context(), guest, a.ID, 1))
	beside := e.Again(t, store.Options{
		Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Carts+"/guest"), func() {
			testenv.Must(t, e.Shop.Put(context.Background(), guest, b.ID, 2))
		})}})
	testenv.Must(t, beside.Shop.Merge(t.Context(), ann, guest.ID))
	if diff := cmp.Diff(map[model.ProductID]int64{a.ID: 1, b.ID: 2}, quantities(t, e, ann)); diff != "" {
		t.Errorf("the cart (-want +got):\n%s", diff)
	}
}
