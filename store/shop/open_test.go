package shop_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
)

// open counts the orders of a user that are pending or confirmed.
func open(t *testing.T, e *storetest.Env, uid model.UserID) (n int) {
	t.Helper()
	snaps, err := e.Raw.Collection(model.Users + "/" + string(uid) + "/" + model.Orders).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range snaps {
		var o model.Order
		testenv.Must(t, snap.DataTo(&o))
		if o.Status == model.OrderPending || o.Status == model.OrderConfirmed {
			n++
		}
	}
	return n
}

// A user has at most this many pending and confirmed orders. A cancelled or shipped order makes room, and a repeated
// request is answered again.
func TestOpenOrders(t *testing.T) {
	t.Parallel()
	const most = 3
	e := storetest.Open(t, store.Options{MaxOpenOrders: most})
	e.CreateUsers(t, "ann", "bob")
	p := ordersAdd(t, e, 100)
	first, again := place(t, e, "ann", p), model.Request{Key: "again", Hash: "h"}
	serve(t, e, p)
	second := place(t, e, "ann", p)
	wanted := fill(t, e, "ann", p)
	_, err := e.Orders.Place(t.Context(), "ann", "", wanted, again)
	testenv.Must(t, err)
	full := func(status model.OrderStatus) {
		t.Helper()
		wanted = fill(t, e, "ann", p)
		testenv.Must(t, storetest.Costs(t, "Place beyond the limit", 4, 0, 0, func(ctx context.Context) error {
			_, err := e.Orders.Place(ctx, "ann", "", wanted, model.Request{})
			storetest.WantErr(t, err, errs.Conflict, "too_many_orders")
			return nil
		}))
		_, err := e.Orders.Place(t.Context(), "ann", "", wanted, again)
		testenv.Must(t, err)
		if got := open(t, e, "ann"); got != most {
			t.Errorf("%d orders are open, after one was %s; want %d", got, status, most)
		}
	}
	full(model.OrderPending)
	place(t, e, "bob", p) // the limit is of one user

	_, err = e.Orders.Cancel(t.Context(), "ann", second.ID, "ann")
	testenv.Must(t, err)
	wanted = fill(t, e, "ann", p)
	testenv.Must(t, storetest.Costs(t, "Place, after a count", 4, 2, 0, func(ctx context.Context) error {
		_, err := e.Orders.Place(ctx, "ann", "", wanted, model.Request{})
		return err
	}))
	full(model.OrderCancelled)
	_, err = e.Orders.Ship(t.Context(), "ann", first.ID, "admin")
	testenv.Must(t, err)
	place(t, e, "ann", p)
	full(model.OrderShipped)
}

// afterCount calls do when orders were counted for the first time, before the caller knows.
func afterCount(do func()) grpc.StreamClientInterceptor {
	var once sync.Once
	return func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, streamer grpc.Streamer,
		opts ...grpc.CallOption) (grpc.ClientStream, error) {
		s, err := streamer(ctx, desc, conn, method, opts...)
		if err != nil || !strings.HasSuffix(method, "RunAggregationQuery") {
			return s, err
		}
		return &counted{s, func() { once.Do(do) }}, nil
	}
}

type counted struct {
	grpc.ClientStream
	do func()
}

func (s *counted) RecvMsg(msg any) error {
	err := s.ClientStream.RecvMsg(msg)
	s.do()
	return err
}

// Another process takes the last room, and fills the cart as before, while a request has counted.
func TestOpenOrdersBeside(t *testing.T) {
	t.Parallel()
	const most = 2
	e := storetest.Open(t, store.Options{MaxOpenOrders: most})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 100)
	place(t, e, "ann", p)
	second := place(t, e, "ann", p)
	_, err := e.Orders.Cancel(t.Context(), "ann", second.ID, "ann")
	testenv.Must(t, err)
	wanted := fill(t, e, "ann", p)
	beside := e.Again(t, store.Options{MaxOpenOrders: most, Meter: meter.Options{BelowReads: afterCount(func() {
		_, err := e.Orders.Place(context.Background(), "ann", "", wanted, model.Request{})
		testenv.Must(t, err)
		fill(t, e, "ann", p)
	})}})
	_, err = beside.Orders.Place(t.Context(), "ann", "", wanted, model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "too_many_orders")
	if got := open(t, e, "ann"); got != most {
		t.Errorf("%d orders are open, want %d", got, most)
	}
}

// Many requests with keys of their own race for the room of one cart, which is filled again and
// again: as many orders are made as there is room for, and none beyond.
func TestOpenOrdersAtOnce(t *testing.T) {
	t.Parallel()
	const most = 3
	e := storetest.Open(t, store.Options{MaxOpenOrders: most})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 100)
	wanted := fill(t, e, "ann", p)
	var made, refused atomic.Int64
	var g errgroup.Group
	for range 6 {
		g.Go(func() error {
			for range 4 {
				err := testenv.Patiently(func() error {
					_, err := e.Orders.Place(t.Context(), "ann", "", wanted, model.Request{})
					return err
				})
				switch errs.CodeOf(err) {
				case "too_many_orders":
					refused.Add(1)
					continue
				case "cart_changed":
				default:
					if err != nil {
						return err
					}
					made.Add(1)
				}
				fill(t, e, "ann", p)
			}
			return nil
		})
	}
	testenv.Must(t, g.Wait())
	if got := open(t, e, "ann"); got != most || made.Load() != most || refused.Load() == 0 {
		t.Errorf("%d orders are open, %d were made and %d refused; want %d", got, made.Load(), refused.Load(), most)
	}
}

// A guest who has an account now goes on with the token of the guest, which is good for an hour, and lets
// another account take the cart over. The cart knows how many orders are open, so it stays.
func TestOpenOrdersOfGuest(t *testing.T) {
	t.Parallel()
	const most = 3
	e := storetest.Open(t, store.Options{MaxOpenOrders: most})
	e.CreateUsers(t, "ann", "bob")
	p := ordersAdd(t, e, 1000)
	guest, bob := shop.Customer{ID: "ann", Guest: true}, shop.Customer{ID: "bob"}
	for range 2 {
		for {
			wanted := fill(t, e, "ann", p)
			if _, err := e.Orders.Place(t.Context(), "ann", "", wanted, model.Request{}); err != nil {
				storetest.WantErr(t, err, errs.Conflict, "too_many_orders")
				break
			}
		}
		testenv.Must(t, e.Shop.Put(t.Context(), guest, p.ID, 1))
		testenv.Must(t, e.Shop.Merge(t.Context(), bob, "ann"))
	}
	if got := open(t, e, "ann"); got != most {
		t.Errorf("ann has %d open orders, want %d", got, most)
	}
}
