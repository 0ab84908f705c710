package shop_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
)

func TestServe(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	a, b := ordersAdd(t, e, 5), ordersAdd(t, e, 3)
	if a.ID > b.ID { // an order takes the smaller id first: let that be the one that is there
		a, b = b, a
		_, err := e.Shop.Restock(t.Context(), "admin", a.ID, 2, model.Request{Key: "more"})
		testenv.Must(t, err)
		_, err = e.Shop.Restock(t.Context(), "admin", b.ID, -2, model.Request{Key: "fewer"})
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
	testenv.Must(t, storetest.Costs(t, "RestoreCart", 2, 2, 0, func(ctx context.Context) error {
		return e.Orders.RestoreCart(ctx, "bob", all[1].ID)
	}))
	testenv.Must(t, storetest.Costs(t, "RestoreCart again", 2, 0, 0, func(ctx context.Context) error {
		return e.Orders.RestoreCart(ctx, "bob", all[1].ID)
	}))
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

// A commit that the database refuses for its size is tried with fewer orders.
func TestServeTooBig(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := ordersAdd(t, e, 20)
	var all []*model.Order
	for i := range 8 {
		uid := model.UserID(fmt.Sprint("user", i))
		e.CreateUsers(t, uid)
		all = append(all, place(t, e, uid, p))
	}
	refused := 0
	limited := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req,
		reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if commit, ok := req.(*pb.CommitRequest); ok && len(commit.Writes) > 5 {
			refused++
			return status.Error(codes.InvalidArgument, "Transaction too big. Decrease transaction size.")
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	for range 20 { // a run writes the product once, or is too slow and writes nothing
		testenv.Must(t, limited.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
		if is, err := e.Shop.Product(t.Context(), p.ID); err == nil && is.AmountInStock == 4 {
			break
		}
	}
	for _, o := range all {
		check(t, e, o, model.OrderConfirmed, 1, false)
	}
	balance(t, e, p, 4, 0)
	if refused == 0 {
		t.Error("no commit was too big")
	}
}

func TestServeBeside(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := ordersAdd(t, e, 3)
	var all []*model.Order
	for i := range 4 {
		uid := model.UserID(fmt.Sprint("user", i))
		e.CreateUsers(t, uid)
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
	_, err := e.Shop.Restock(t.Context(), "admin", p.ID, 2, model.Request{Key: "r"})
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

	// A retired product, and one that is gone, reject what waits; a read of an order that
	// hangs asks for a run.
	_, err = e.Shop.Change(t.Context(), p.ID, shop.Patch{Active: new(false)}, nil)
	testenv.Must(t, err)
	last := &model.Order{ID: "00000000000000000a", UserID: "user1",
		Items: []model.OrderItem{{ProductID: p.ID, Quantity: 1}}, CreatedAt: e.Clock.Now()}
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
	// A read of an order that has owed a cart its items for long also puts them back.
	e.Clock.Add(time.Minute)
	check(t, e, last, model.OrderRejected, 0, false)
	if items := e.Doc(t, model.Carts+"/user1")["items"]; !cmp.Equal(items, map[string]any{string(p.ID): int64(1)}) {
		t.Errorf("the cart of a rejected order has %v", items)
	}
}

func TestShortLater(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	a, b := ordersAdd(t, e, 2), ordersAdd(t, e, 2)
	if a.ID > b.ID {
		a, b = b, a
	}
	both := place(t, e, "ann", a, b)
	_, err := e.Shop.Restock(t.Context(), "admin", b.ID, -1, model.Request{Key: "broken"}) // after it was placed
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

func TestShortNoMore(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	a, b := ordersAdd(t, e, 4), ordersAdd(t, e, 0)
	if a.ID > b.ID {
		a, b = b, a
	}
	restock := func(id model.ProductID, n int64, key string) {
		_, err := e.Shop.Restock(context.Background(), "admin", id, n, model.Request{Key: key})
		testenv.Must(t, err)
	}
	restock(a.ID, 4-a.AmountInStock+1, "a") // five of a, none of b
	if b.AmountInStock > 0 {
		restock(b.ID, -b.AmountInStock, "b")
	}
	o := place(t, e, "ann", a, b)
	restock(b.ID, 2, "came")
	// Another run takes a for the order, while this one has looked and is about to write.
	beside := e.Again(t, store.Options{
		Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Products+"/"+string(a.ID)), func() {
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

// While orders come, a product is written once in a second, however many runs are asked for, and
// also if one run cannot serve all.
func TestStockOnceASecond(t *testing.T) {
	t.Parallel()
	const customers, each = 23, 18 // more than one commit serves
	var mu sync.Mutex
	var p *model.Product
	var written []time.Time
	e := storetest.Open(t, store.Options{WriteEvery: time.Second, Meter: meter.Options{OnWrite: func(path string, _ bool) {
		mu.Lock()
		defer mu.Unlock()
		if p != nil && strings.HasSuffix(path, model.Products+"/"+string(p.ID)) {
			written = append(written, time.Now())
		}
	}}})
	sold := ordersAdd(t, e, 2*customers*each)
	mu.Lock()
	p = sold
	mu.Unlock()
	orders := func(n int) {
		var g errgroup.Group
		for i := range customers {
			g.Go(func() error {
				uid := model.UserID(fmt.Sprint("customer", i))
				for range n {
					wanted, once := fill(t, e, uid, p), model.Request{Key: rand.Text()}
					err := testenv.Patiently(func() error {
						o, err := e.Orders.Place(t.Context(), uid, "", wanted, once)
						if err == nil {
							err = e.Orders.Queue(t.Context(), o)
						}
						return err
					})
					if err != nil {
						return err
					}
				}
				return nil
			})
		}
		testenv.Must(t, g.Wait())
	}
	for i := range customers {
		e.CreateUsers(t, model.UserID(fmt.Sprint("customer", i)))
	}
	orders(each - 2)
	more := make(chan struct{})
	go func() {
		defer close(more)
		orders(2)
	}()
	for idle := false; ; { // as the event of each work document, twice
		snap, err := e.Raw.Collection(model.StockRuns).Doc(string(p.ID)).Get(t.Context())
		if status.Code(err) == codes.NotFound {
			if idle {
				break
			}
			<-more
			idle = true
			continue
		}
		testenv.Must(t, err)
		for _, err := range testenv.AtOnce(2, func(int) error {
			return e.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID, WrittenAt: snap.UpdateTime})
		}) {
			testenv.Must(t, err)
		}
	}
	balance(t, e, p, 0, 0)
	if len(written) < 2 {
		t.Errorf("the product was written %d times, want at least 2", len(written))
	}
	for i := range len(written) - 1 {
		if between := written[i+1].Sub(written[i]); between < time.Second {
			t.Errorf("the product was written again after %v", between)
		}
	}
}

// What a customer puts into the cart while a rejected order fills it again is not lost, whether
// there was a cart or none.
func TestRestoreCartBeside(t *testing.T) {
	t.Parallel()
	for _, there := range []bool{false, true} {
		e := storetest.Open(t, store.Options{})
		e.CreateUsers(t, "ann", "bob")
		p, other, third := ordersAdd(t, e, 2), ordersAdd(t, e, 9), ordersAdd(t, e, 9)
		place(t, e, "bob", p) // takes all
		e.Clock.Add(time.Second)
		o := place(t, e, "ann", p)
		serve(t, e, p)
		check(t, e, o, model.OrderRejected, 0, false)
		cart, want := e.Raw.Doc(model.Carts+"/ann"), map[string]any{string(p.ID): int64(2), string(other.ID): int64(1)}
		_, err := cart.Delete(t.Context())
		testenv.Must(t, err)
		if there {
			testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: "ann"}, third.ID, 3))
			want[string(third.ID)] = int64(3)
		}
		beside := e.Again(t, store.Options{
			Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Carts+"/ann"), func() {
				testenv.Must(t, e.Shop.Put(context.Background(), shop.Customer{ID: "ann"}, other.ID, 1))
			})}})
		testenv.Must(t, beside.Orders.RestoreCart(t.Context(), "ann", o.ID))
		if diff := cmp.Diff(want, e.Doc(t, model.Carts+"/ann")["items"]); diff != "" {
			t.Errorf("a cart before %v: the cart (-want +got):\n%s", there, diff)
		}
	}
}

// waiting makes orders of one piece each that wait for a product.
func waiting(t *testing.T, e *storetest.Env, p *model.Product, n int) {
	t.Helper()
	b := e.Raw.BulkWriter(t.Context())
	for i := range n {
		uid := model.UserID(fmt.Sprintf("customer%04d", i))
		id := model.NewOrderID(uid, "k")
		cart := &model.Cart{Items: map[string]int64{string(p.ID): 1}}
		o, err := model.NewOrder(uid, id, []model.WantedItem{{ProductID: p.ID, Quantity: 1, Price: p.Price}}, cart,
			map[model.ProductID]*model.Product{p.ID: p}, e.Clock.Now())
		testenv.Must(t, err)
		_, err = b.Set(e.Raw.Doc("users/"+string(uid)+"/orders/"+string(id)), o)
		testenv.Must(t, err)
	}
	b.End()
}

// More orders wait than one commit serves, and nobody orders any more: the run that wrote the stock asks for the next.
func TestServeMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const most, more = 400, 3
	p := ordersAdd(t, e, most+more)
	waiting(t, e, p, most+more)
	for _, left := range []int64{more, 0} {
		testenv.Must(t, e.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
		is, err := e.Shop.Product(t.Context(), p.ID)
		testenv.Must(t, err)
		if is.AmountInStock != left {
			t.Errorf("%d pieces are left, want %d", is.AmountInStock, left)
		}
		if left > 0 && e.Doc(t, model.StockRuns+"/"+string(p.ID)) == nil {
			t.Fatal("orders wait, and nobody asked for the next run")
		}
	}
}

// In a rush one of many orders always changes while they are served. Then a run serves fewer at once.
func TestServeFewer(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const all, calm = 210, 205 // a commit of 400 is too many, and one of half as many is not
	p := ordersAdd(t, e, all)
	waiting(t, e, p, all)
	rush := func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption) error {
		for _, w := range req.(*pb.CommitRequest).GetWrites() {
			if _, path, _ := strings.Cut(w.GetUpdate().GetName(), "/documents/"); len(req.(*pb.CommitRequest).Writes) > calm &&
				strings.HasPrefix(path, "users/") {
				_, err := e.Raw.Doc(path).Update(ctx, []firestore.Update{{Path: "looked", Value: firestore.Increment(1)}})
				testenv.Must(t, err)
				break
			}
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}
	rushed := e.Again(t, store.Options{Meter: meter.Options{Below: rush}})
	testenv.Must(t, rushed.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
	is, err := e.Shop.Product(t.Context(), p.ID)
	testenv.Must(t, err)
	if is.AmountInStock == all {
		t.Error("a run that met others served nobody")
	}
}
