package functions_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/local/eventarc"
	"github.com/hibana-sns/hibana/internal/local/stack"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/stacktest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/shop"
)

var (
	buyers  = flag.Int("buyers", 300, "how many customers want one product at once")
	inStock = flag.Int("instock", 20, "how many pieces there are of it")
	faulty  = flag.Bool("faulty", true, "whether events come twice and out of order, and functions are killed")
)

// Many customers want a product of which there are few, all at once. Events come several times and
// out of order, and the functions are killed again and again. Exactly as many are confirmed as there
// are pieces, all others are rejected and have their cart back, everybody is told once, and nothing
// is left over or missing at any moment that anybody can see.
func TestRush(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	o := store.Options{CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond, DrainAfter: 50 * time.Millisecond, StaleAfter: 2 * time.Second}
	so := stack.Options{Store: o, AckDeadline: 20 * time.Second}
	var products rates
	if *faulty {
		so.Faults = &eventarc.Faults{Seed: seed, Duplicate: 2, Delay: 200 * time.Millisecond, Drop: 0.05}
	} else { // as deployed, and measured
		o.WriteEvery, o.DrainAfter, o.StaleAfter = 0, 0, 0
		so.Store = o
		so.Store.Meter = meter.Options{OnWrite: products.add}
	}
	s := stacktest.Run(t, so)
	if *faulty {
		killAndRestart(t, s, o, seed, &ingredients{occurred: map[string]int{}})
	}
	db, raw := openAPI(t, s.Project, o), testenv.Client(t, s.Project)
	other, err := db.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Tsuta", Price: model.Price{Amount: 100, Currency: "JPY"}}, int64(*buyers), facts.Request{})
	testenv.Must(t, err)
	p, err := db.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300, Currency: "JPY"}}, int64(*inStock), facts.Request{})
	testenv.Must(t, err)
	each := func(do func(ctx context.Context, n int, uid model.UserID) error) {
		t.Helper()
		g, ctx := errgroup.WithContext(t.Context())
		g.SetLimit(32)
		for n := range *buyers {
			g.Go(func() error { return do(ctx, n, model.UserID(fmt.Sprintf("buyer%05d", n))) })
		}
		testenv.Must(t, g.Wait())
	}
	// Every third customer also wants something of which there is enough: it is given back to the
	// stock if the other is sold out.
	wants := func(n int) []*model.Product {
		if n%3 == 0 {
			return []*model.Product{other, p}
		}
		return []*model.Product{p}
	}
	each(func(ctx context.Context, n int, uid model.UserID) error {
		if _, err := db.Facts.CreateUser(ctx, uid, facts.NewUser{Username: string(uid)}); err != nil {
			return err
		}
		for _, p := range wants(n) {
			if err := db.Shop.Put(ctx, shop.Customer{ID: uid}, p.ID, 1); err != nil {
				return err
			}
		}
		return nil
	})
	stacktest.Idle(t, s)
	began := time.Now()
	each(func(ctx context.Context, n int, uid model.UserID) error {
		var wanted []model.WantedItem
		for _, p := range wants(n) {
			wanted = append(wanted, model.WantedItem{ProductID: p.ID, Quantity: 1, Price: p.Price})
		}
		for {
			_, err := db.Orders.Place(ctx, uid, wanted, facts.Request{Key: "one", Hash: "hash"})
			if errs.KindOf(err) != errs.Unavailable {
				return err
			}
		}
	})
	placed := time.Since(began)

	counts := map[model.OrderStatus]int{}
	left := map[model.ProductID]int64{}
	for { // a lost event makes an order wait until somebody looks
		stacktest.Idle(t, s)
		clear(counts)
		clear(left)
		waits := 0
		snaps, err := raw.CollectionGroup(model.Orders).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		var last time.Time
		for _, snap := range snaps {
			var o model.Order
			testenv.Must(t, snap.DataTo(&o))
			counts[o.Status]++
			if o.Queue != "" || o.OwesCart {
				waits++
				t.Logf("%s waits for %q, owes the cart %v", snap.Ref.Path, o.Queue, o.OwesCart)
			}
			for _, p := range []*model.Product{other, p} {
				left[p.ID] += o.Held(p.ID)
			}
			if at := o.ChangedAt(); at.After(last) {
				last = at
			}
		}
		if waits == 0 {
			t.Logf("%d buyers, %d in stock: placed in %v, the last answer after %v", *buyers, *inStock, placed.Round(time.Millisecond), last.Sub(began).Round(time.Millisecond))
			break
		}
		if time.Since(began) > 10*time.Minute {
			t.Fatalf("%d orders still wait", waits)
		}
		time.Sleep(time.Second)
	}
	confirmed := min(*inStock, *buyers)
	if counts[model.OrderConfirmed] != confirmed || counts[model.OrderRejected] != *buyers-confirmed {
		t.Errorf("orders %v, want %d confirmed and %d rejected", counts, confirmed, *buyers-confirmed)
	}
	for _, of := range []*model.Product{other, p} {
		is, err := db.Shop.Product(t.Context(), of.ID)
		testenv.Must(t, err)
		if is.AmountInStock < 0 || is.AmountInStock+is.Sold+left[of.ID] != is.Supplied {
			t.Errorf("%s: %d in stock, %d sold and %d held of %d", is.Name, is.AmountInStock, is.Sold, left[of.ID], is.Supplied)
		}
	}
	each(func(ctx context.Context, n int, uid model.UserID) error {
		page, err := db.Orders.Of(ctx, uid, model.Cursor{}, 10)
		if err != nil || len(page.Items) != 1 {
			return fmt.Errorf("%s has %d orders: %w", uid, len(page.Items), err)
		}
		v, err := db.Shop.View(ctx, shop.Customer{ID: uid})
		if err != nil {
			return err
		}
		rejected := page.Items[0].Status == model.OrderRejected
		if back := len(v.Lines) == len(wants(n)); len(v.Lines) > 0 && !back || back != rejected || back && v.Lines[0].Quantity != 1 {
			return fmt.Errorf("the order of %s is %s, and the cart has %+v", uid, page.Items[0].Status, v.Lines)
		}
		told, err := db.Notices.Notifications(ctx, uid, nil, model.Cursor{}, 10)
		if err != nil || len(told.Items) != 1 || len(told.Items[0].Records) != 1 || told.Items[0].Records[0].OrderStatus != page.Items[0].Status {
			return fmt.Errorf("%s was told %+v: %w", uid, told.Items, err)
		}
		return nil
	})
	products.log(t, p.ID)
}

// rates counts how often a product is written in each second.
type rates struct {
	mu sync.Mutex
	of map[string]map[int64]int
}

func (r *rates) add(path string, _ bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]map[int64]int{}
	}
	if r.of[path] == nil {
		r.of[path] = map[int64]int{}
	}
	r.of[path][time.Now().Unix()]++
}

func (r *rates) log(t *testing.T, id model.ProductID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	most, path := 0, ""
	for p, seconds := range r.of {
		for _, n := range seconds {
			if n > most {
				most, path = n, p
			}
		}
	}
	writes := 0
	for _, n := range r.of[model.Products+"/"+string(id)] {
		writes += n
	}
	if path != "" {
		t.Logf("the product was written %d times; the document with most writes in a second is %s, with %d", writes, path, most)
	}
}

// An order that owes a cart, and whose event was lost, is found by the day's sweep.
func TestSweepFillsCart(t *testing.T) {
	t.Parallel()
	o := store.Options{StaleAfter: time.Millisecond}
	s := stacktest.Run(t, stack.Options{Store: o})
	db, raw := openAPI(t, s.Project, o), testenv.Client(t, s.Project)
	p, err := db.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300, Currency: "JPY"}}, 0, facts.Request{})
	testenv.Must(t, err)
	owes := model.Order{
		UserID: "ann", Items: []model.OrderItem{{ProductID: p.ID, Name: p.Name, Quantity: 2, UnitPrice: 300}}, Total: model.Price{Amount: 600, Currency: "JPY"},
		Status: model.OrderRejected, OwesCart: true, CreatedAt: time.Now(),
	}
	// No function restores the cart of an order that is created as rejected: the event is lost.
	ref := raw.Doc(model.Users + "/ann/" + model.Orders + "/" + string(model.NewOrderID("ann", "x")))
	_, err = ref.Set(t.Context(), owes)
	testenv.Must(t, err)
	stacktest.Idle(t, s)
	cart := func() (c model.Cart) {
		t.Helper()
		snap, err := raw.Doc(model.Carts + "/ann").Get(t.Context())
		if snap.Exists() {
			testenv.Must(t, err)
			testenv.Must(t, snap.DataTo(&c))
		}
		return c
	}
	if c := cart(); len(c.Items) != 0 {
		t.Fatalf("the cart is %+v, and nobody filled it", c)
	}
	testenv.Must(t, db.Waking.AskSweep(t.Context()))
	stacktest.Idle(t, s)
	if c := cart(); c.Items[string(p.ID)] != 2 {
		t.Errorf("after the sweep the cart is %+v", c)
	}
}
