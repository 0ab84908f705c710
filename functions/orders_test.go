package functions_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
)

var (
	buyers  = flag.Int("buyers", 300, "how many customers want one product at once")
	inStock = flag.Int("instock", 20, "how many pieces there are of it")
	faulty  = flag.Bool("faulty", true, "whether events come twice and out of order, and functions are killed")
	rate    = flag.Int("rushrate", 0, "how many orders begin in a second; 0 is as many as can be")
	every   = flag.Duration("rushevery", 50*time.Millisecond, "how long orders of a product gather; 1s as deployed")
)

// Many customers want a product of which there are few, all at once. Events come several times and
// out of order, and the functions are killed again and again. Exactly as many are confirmed as there
// are pieces, all others are rejected and have their cart back, everybody is told once, and nothing
// is left over or missing at any moment that anybody can see.
func TestRush(t *testing.T) {
	testenv.Slow(t, "thousands of events at once")
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	o := store.Options{CacheTTL: time.Millisecond, WriteEvery: *every, FlushAfter: *every, StaleAfter: 40 * *every}
	so := stack.Options{Store: o, AckDeadline: 20 * time.Second}
	var writes rates
	if *faulty {
		so.Faults = &eventarc.Faults{Seed: seed, Duplicate: 2, Delay: 200 * time.Millisecond, Drop: 0.05}
	} else { // as deployed, and measured
		o.WriteEvery, o.FlushAfter, o.StaleAfter = 0, 0, 0
		so.Store = o
		so.Store.Meter = meter.Options{OnWrite: writes.add}
	}
	so.Project = testenv.Project(t)
	db, raw := openAPI(t, so.Project, o), testenv.Client(t, so.Project)
	other, err := db.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Tsuta", Price: model.Price{Amount: 100,
		Currency: "JPY"}}, int64(*buyers), model.Request{})
	testenv.Must(t, err)
	p, err := db.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
		Currency: "JPY"}}, int64(*inStock), model.Request{})
	testenv.Must(t, err)
	each := func(do func(ctx context.Context, n int, uid model.UserID) error) {
		t.Helper()
		g, ctx := errgroup.WithContext(t.Context())
		g.SetLimit(32)
		for n := range *buyers {
			g.Go(func() error { return do(ctx, n, buyer(n)) })
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
	signsUp := time.Now()
	each(func(ctx context.Context, n int, uid model.UserID) error {
		if _, err := db.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid)}); err != nil {
			return err
		}
		for _, p := range wants(n) {
			if err := db.Shop.Put(ctx, shop.Customer{ID: uid}, p.ID, 1); err != nil {
				return err
			}
		}
		return nil
	})
	t.Logf("%d customers signed up in %v", *buyers, time.Since(signsUp).Round(time.Millisecond))
	s := stacktest.Run(t, so) // from here on: customers who sign up are not what is tested
	if *faulty {
		killed := &faultCoverage{occurred: map[string]int{}}
		t.Cleanup(func() { t.Logf("functions were killed %d times", killed.occurred[killedProcess]) })
		killAndRestart(t, s, o, seed, killed)
	}
	written := []func(){countWrites(t, raw, other), countWrites(t, raw, p)}
	began := time.Now()
	each(func(ctx context.Context, n int, uid model.UserID) error {
		if *rate > 0 {
			time.Sleep(time.Until(began.Add(time.Duration(n) * time.Second / time.Duration(*rate))))
		}
		var wanted []model.WantedItem
		for _, p := range wants(n) {
			wanted = append(wanted, model.WantedItem{ProductID: p.ID, Quantity: 1, Price: p.Price})
		}
		return testenv.Patiently(func() error {
			_, err := db.Orders.Place(ctx, uid, "", wanted, model.Request{Key: "one", Hash: "hash"})
			return err
		})
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
		var took []time.Duration
		for _, snap := range snaps {
			var o model.Order
			testenv.Must(t, snap.DataTo(&o))
			counts[o.Status]++
			took = append(took, o.ChangedAt().Sub(o.CreatedAt))
			if o.Queue != "" || o.OwesCart {
				if waits++; waits <= 10 {
					t.Logf("%s waits for %q, owes the cart %v", snap.Ref.Path, o.Queue, o.OwesCart)
				}
			}
			for _, p := range []*model.Product{other, p} {
				left[p.ID] += o.Held(p.ID)
			}
			if at := o.ChangedAt(); at.After(last) {
				last = at
			}
		}
		if waits == 0 {
			slices.Sort(took)
			t.Logf("%d buyers, %d in stock: placed in %v, the last answer after %v; from an order to its answer %v at the "+
				"median, %v at the 99th percentile, %v at most",
				*buyers, *inStock, placed.Round(time.Millisecond), last.Sub(began).Round(time.Millisecond), took[len(took)/2],
				took[len(took)*99/100], took[len(took)-1])
			break
		}
		if time.Since(began) > 10*time.Minute+time.Duration(*buyers)*100*time.Millisecond {
			t.Fatalf("%d orders still wait", waits)
		}
		time.Sleep(time.Second)
	}
	for function, n := range s.Runner.Stats().ByFunction {
		t.Logf("%s: %+v", function, n)
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
	// The emulator looks at every document for each query, so there is one for all.
	status := map[model.UserID]model.OrderStatus{}
	documents(t, raw.CollectionGroup(model.Orders).Query, func(snap *firestore.DocumentSnapshot, o model.Order) {
		status[model.UserID(snap.Ref.Parent.Parent.ID)] = o.Status
	})
	carts := map[model.UserID]model.Cart{}
	documents(t, raw.Collection(model.Carts).Query, func(snap *firestore.DocumentSnapshot, c model.Cart) {
		carts[model.UserID(snap.Ref.ID)] = c
	})
	told := map[model.UserID][]model.Notification{}
	documents(t, raw.CollectionGroup(model.NotificationLists).Query, func(snap *firestore.DocumentSnapshot,
		list model.NotificationList) {
		uid := model.UserID(snap.Ref.Parent.Parent.ID)
		told[uid] = slices.AppendSeq(told[uid], maps.Values(list.Notifications))
	})
	for n := range *buyers {
		uid := buyer(n)
		is, items := status[uid], carts[uid].Items
		if back := len(items) == len(wants(n)); len(items) > 0 && !back || back != (is == model.OrderRejected) || back &&
			items[string(p.ID)] != 1 {
			t.Errorf("the order of %s is %s, and the cart has %+v", uid, is, items)
		}
		if told := told[uid]; len(told) != 1 || len(told[0].Records) != 1 || told[0].Records[0].OrderStatus != is {
			t.Errorf("%s was told %+v, and the order is %s", uid, told, is)
		}
	}
	for _, log := range written {
		log()
	}
	writes.log(t)
}

func buyer(n int) model.UserID { return model.UserID(fmt.Sprintf("buyer%05d", n)) }

// documents reads all documents of a query.
func documents[T any](t *testing.T, q firestore.Query, do func(*firestore.DocumentSnapshot, T)) {
	t.Helper()
	snaps, err := q.Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range snaps {
		var v T
		testenv.Must(t, snap.DataTo(&v))
		do(snap, v)
	}
}

// countWrites counts the writes of a product from now on, and looks that no version has less than
// nothing in stock. The function that it returns logs them.
func countWrites(t *testing.T, raw *firestore.Client, p *model.Product) func() {
	t.Helper()
	var mu sync.Mutex
	seconds := map[int64]int{}
	changes := raw.Collection(model.Products).Doc(string(p.ID)).Snapshots(t.Context())
	_, err := changes.Next()
	testenv.Must(t, err)
	go func() {
		for {
			snap, err := changes.Next()
			if err != nil {
				return // the test ends
			}
			var is model.Product
			if err := snap.DataTo(&is); err != nil || is.AmountInStock < 0 || is.AmountInStock > is.Supplied {
				t.Errorf("%s has %d in stock, of %d: %v", p.Name, is.AmountInStock, is.Supplied, err)
			}
			mu.Lock()
			seconds[snap.UpdateTime.Unix()]++
			mu.Unlock()
		}
	}()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		writes, most := 0, 0
		for _, n := range seconds {
			writes, most = writes+n, max(most, n)
		}
		t.Logf("%s was written %d times in %d seconds, %d times at most in one second", p.Name, writes, len(seconds), most)
	}
}

// rates counts how often each document is written in each second.
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

func (r *rates) log(t *testing.T) {
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
	if path != "" {
		t.Logf("of all documents %s has most writes in a second: %d", path, most)
	}
}

// An order that owes a cart, and whose event was lost, is found by the day's sweep.
func TestSweepFillsCart(t *testing.T) {
	t.Parallel()
	o := store.Options{StaleAfter: time.Millisecond}
	s := stacktest.Run(t, stack.Options{Store: o})
	db, raw := openAPI(t, s.Project, o), testenv.Client(t, s.Project)
	p, err := db.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
		Currency: "JPY"}}, 0, model.Request{})
	testenv.Must(t, err)
	owes := model.Order{
		UserID: "ann", Items: []model.OrderItem{{ProductID: p.ID, Name: p.Name, Quantity: 2, UnitPrice: 300}},
		Total:  model.Price{Amount: 600, Currency: "JPY"},
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
	testenv.Must(t, db.Timelines.EnqueueSweep(t.Context()))
	stacktest.Idle(t, s)
	if c := cart(); c.Items[string(p.ID)] != 2 {
		t.Errorf("after the sweep the cart is %+v", c)
	}
}

// The order of a guest goes the way of any other: it is confirmed, and the guest is notified. The day's sweep cancels
// it when it is due, and its pieces are in stock again.
func TestGuestOrderEnds(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{})
	db, raw := openAPI(t, s.Project, store.Options{}), testenv.Client(t, s.Project)
	p, err := db.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
		Currency: "JPY"}}, 10, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, db.Shop.Put(t.Context(), shop.Customer{ID: "guest", Guest: true}, p.ID, 2))
	o, err := db.Orders.Place(t.Context(), "guest", "ann@example.com", []model.WantedItem{{ProductID: p.ID, Quantity: 2,
		Price: p.Price}}, model.Request{})
	testenv.Must(t, err)
	is := func(want model.OrderStatus, stock int64) {
		t.Helper()
		stacktest.Idle(t, s)
		o, err := db.Orders.Order(t.Context(), "guest", o.ID)
		testenv.Must(t, err)
		p, err := db.Shop.Product(t.Context(), p.ID)
		testenv.Must(t, err)
		if o.Status != want || p.AmountInStock != stock || p.GuestHeld != 10-stock {
			t.Errorf("the order is %s, %d are in stock, and guests hold %d; want %s, %d", o.Status, p.AmountInStock, p.GuestHeld,
				want, stock)
		}
	}
	is(model.OrderConfirmed, 8)
	then := o.CreatedAt.Add(-model.GuestOrderWindow - time.Minute)
	_, err = raw.Doc(model.Users+"/guest/"+model.Orders+"/"+string(o.ID)).Update(t.Context(), []firestore.Update{
		{Path: "createdAt", Value: then}, {Path: "dueAt", Value: then.Add(model.GuestOrderWindow)}})
	testenv.Must(t, err)
	testenv.Must(t, db.Timelines.EnqueueSweep(t.Context()))
	is(model.OrderCancelled, 10)
	lists, err := raw.Collection(model.Users + "/guest/" + model.NotificationLists).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	if len(lists) == 0 {
		t.Error("the guest is told nothing")
	}
}
