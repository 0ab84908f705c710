package functions_test

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/shop"
)

// The shop in a history. What customers and administrators do is in order; when an order takes its
// items is not, so the model learns from the order what became of it, and checks that this may be.

// market is the model of the shop.
type market struct {
	goods []*goods
	carts map[model.UserID]map[model.ProductID]int64 // without what orders will put back
	sales []*sale
	acts  int
}

// goods are a product.
type goods struct {
	id       model.ProductID
	price    model.Price
	active   bool
	supplied int64
}

// sale is an order.
type sale struct {
	id     model.OrderID
	by     model.UserID
	wanted []model.WantedItem
	placed int // when, in acts

	status  model.OrderStatus // as the customer or an administrator made it; else pending
	ended   int               // when it was seen to hold nothing and to wait for nothing any more; 0 for not yet
	back    bool              // its items are in the cart again
	told    int               // how many states the customer is told of, or was the cause of
	chose   bool              // the customer chose what to be told of in between
	least   map[model.ProductID]int64
	retired map[model.ProductID]bool // at some time since it was placed
}

func (s *sale) of(id model.ProductID) (n int64) {
	for _, w := range s.wanted {
		if w.ProductID == id {
			n += w.Quantity
		}
	}
	return n
}

// shopkeeper is the administrator of the shop.
const shopkeeper = model.UserID("shopkeeper")

// openShop begins to sell five products, of two of which there are few, and sells two: one order is
// for more than there is, and one is not. A short history need not come to either by chance.
func (h *history) openShop(ctx context.Context) {
	h.market = &market{carts: map[model.UserID]map[model.ProductID]int64{}}
	for i, stock := range []int64{4, 6, 15, 40, 200} {
		g := &goods{price: model.Price{Amount: 100 * int64(i+1), Currency: "JPY"}, active: true, supplied: stock}
		var p *model.Product
		h.must(testenv.Patiently(func() (err error) {
			d := model.ProductDraft{Name: fmt.Sprint("product ", i), Price: g.price}
			p, err = h.store.Shop.Add(ctx, shopkeeper, d, stock, model.Request{Key: fmt.Sprint("product", i), Hash: "one"})
			return err
		}))
		g.id = p.ID
		h.market.goods = append(h.market.goods, g)
	}
	for _, u := range h.world.users {
		h.market.carts[u] = map[model.ProductID]int64{}
	}
	for i, of := range []struct{ goods, n int64 }{{0, 5}, {4, 1}} {
		u := h.world.users[i]
		h.putIntoCart(ctx, u, h.market.goods[of.goods], of.n)
		for try := 0; len(h.market.sales) == i && try < 50; try++ { // some are at a price that was
			h.market.acts++
			h.placeOrder(ctx, u)
		}
	}
}

// trade does one thing in the shop.
func (h *history) trade(ctx context.Context, u model.UserID) {
	m := h.market
	m.acts++
	h.learn(ctx)
	g := pick(h.rng, m.goods)
	switch n := h.rng.IntN(40); {
	case n < 10:
		h.putIntoCart(ctx, u, g, 1+h.rng.Int64N(3))
	case n < 12:
		if !m.comes(u, g.id) {
			h.must(testenv.Patiently(func() error { return h.store.Shop.Remove(ctx, shop.Customer{ID: u}, g.id) }))
			delete(m.carts[u], g.id)
		}
	case n < 19:
		h.placeOrder(ctx, u)
	case n < 22: // all want the same at once
		for _, v := range h.world.users {
			h.putIntoCart(ctx, v, g, 1+h.rng.Int64N(3))
			h.placeOrder(ctx, v)
		}
	case n < 29:
		if len(m.sales) > 0 {
			h.changeOrder(ctx, pick(h.rng, m.sales), model.OrderCancelled)
		}
	case n < 36:
		if len(m.sales) > 0 {
			h.changeOrder(ctx, pick(h.rng, m.sales), model.OrderShipped)
		}
	case n < 38:
		h.restock(ctx, g, pick(h.rng, []int64{-3, -1, 2, 5}))
	case n < 39:
		g.price.Amount += 1 + h.rng.Int64N(50)
		h.must(testenv.Patiently(func() error {
			_, err := h.store.Shop.Change(ctx, g.id, shop.Patch{Price: &g.price}, nil)
			return err
		}))
	default:
		g.active = !g.active
		h.must(testenv.Patiently(func() error {
			_, err := h.store.Shop.Change(ctx, g.id, shop.Patch{Active: &g.active}, nil)
			return err
		}))
		for _, s := range m.sales {
			if s.ended == 0 && !g.active {
				s.retired[g.id] = true
			}
		}
	}
}

// comes reports whether a product may come back into the cart of a user at any moment.
func (m *market) comes(u model.UserID, id model.ProductID) bool {
	return slices.ContainsFunc(m.sales, func(s *sale) bool { return s.by == u && s.ended == 0 && s.of(id) > 0 })
}

// putIntoCart puts a product into a cart, if no order may put it back at the same moment: the cart
// would have the one quantity or both.
func (h *history) putIntoCart(ctx context.Context, u model.UserID, g *goods, n int64) {
	if h.market.comes(u, g.id) {
		return
	}
	err := testenv.Patiently(func() error { return h.store.Shop.Put(ctx, shop.Customer{ID: u}, g.id, n) })
	if !g.active && errs.CodeOf(err) == "product_retired" {
		return
	}
	h.must(err)
	if !g.active {
		h.t.Errorf("%s put %s into the cart, which is retired", u, g.id)
	}
	h.market.carts[u][g.id] = n
}

// placeOrder orders what is in a cart, sometimes at a price that was.
func (h *history) placeOrder(ctx context.Context, u model.UserID) {
	m := h.market
	if len(m.carts[u]) == 0 {
		return
	}
	s := &sale{by: u, placed: m.acts, status: model.OrderPending, least: map[model.ProductID]int64{},
		retired: map[model.ProductID]bool{}}
	want := ""
	stale := h.rng.IntN(8) == 0
	for _, g := range m.goods {
		n := m.carts[u][g.id]
		if n == 0 {
			continue
		}
		w := model.WantedItem{ProductID: g.id, Quantity: n, Price: g.price}
		if stale {
			w.Price.Amount++
			want = "prices_changed"
		}
		s.wanted = append(s.wanted, w)
		s.least[g.id] = g.supplied
	}
	for _, g := range m.goods {
		if m.carts[u][g.id] > 0 && !g.active {
			want = "product_retired" // one product after the other is looked at, and prices at the end
		}
	}
	waits, open := 0, 0 // open counts those that may be
	for _, other := range m.sales {
		if other.by == u && other.ended == 0 {
			waits++
		}
		if other.by == u && other.status == model.OrderPending && !other.back {
			open++
		}
	}
	key := fmt.Sprint("order", len(m.sales), "at", m.acts)
	var o *model.Order
	err := testenv.Patiently(func() (err error) {
		o, err = h.store.Orders.Place(ctx, u, "", s.wanted, model.Request{Key: key, Hash: "one"})
		return err
	})
	switch code := errs.CodeOf(err); {
	case err != nil && code == want:
	case code == "too_many_orders" && open >= model.MaxOpenOrders:
	case err != nil && code == "cart_changed" && waits > 0: // what was rejected meanwhile is in the cart
	case err != nil || want != "":
		h.t.Errorf("%s ordered %v: %v, want %q", u, s.wanted, err, want)
	default:
		s.id, s.told = o.ID, 1
		m.sales = append(m.sales, s)
		clear(m.carts[u])
	}
}

// changeOrder cancels or ships an order. Whether it can be, is for the order to say.
func (h *history) changeOrder(ctx context.Context, s *sale, to model.OrderStatus) {
	err := testenv.Patiently(func() (err error) {
		if to == model.OrderShipped {
			_, err = h.store.Orders.Ship(ctx, s.by, s.id, shopkeeper)
		} else {
			_, err = h.store.Orders.Cancel(ctx, s.by, s.id, s.by)
		}
		return err
	})
	if err == nil {
		if s.status != model.OrderPending && s.status != to {
			h.t.Errorf("order %s was %s, and became %s", s.id, s.status, to)
		}
		if s.status != to {
			s.ended = 0 // it has to give back what it held, or to book it
		}
		s.status = to
		return
	}
	if errs.CodeOf(err) != "order_state" {
		h.must(err)
	}
	o, err := h.readOrder(ctx, s)
	h.must(err)
	if s.status == model.OrderPending && o.Status != model.OrderRejected && to == model.OrderCancelled {
		h.t.Errorf("order %s is %s, and could not become %s", s.id, o.Status, to)
	}
}

func (h *history) readOrder(ctx context.Context, s *sale) (o *model.Order, err error) {
	err = testenv.Patiently(func() error {
		o, err = h.store.Orders.Order(ctx, s.by, s.id)
		return err
	})
	return o, err
}

// restock adds pieces to a stock, or takes some out if there are so many.
func (h *history) restock(ctx context.Context, g *goods, n int64) {
	key := fmt.Sprint("restock", h.market.acts)
	err := testenv.Patiently(func() error {
		_, err := h.store.Shop.Restock(ctx, shopkeeper, g.id, n, model.Request{Key: key, Hash: "one"})
		return err
	})
	if n < 0 && errs.CodeOf(err) == "stock_out_of_range" {
		return
	}
	h.must(err)
	g.supplied += n
	for _, s := range h.market.sales {
		if least, ok := s.least[g.id]; ok && s.ended == 0 {
			s.least[g.id] = min(least, g.supplied)
		}
	}
}

// learn reads what became of the orders that are not at their end, and what their customers are
// told of it.
func (h *history) learn(ctx context.Context) {
	for _, s := range h.market.sales {
		if s.ended > 0 {
			continue
		}
		o, err := h.readOrder(ctx, s)
		h.must(err)
		for _, change := range o.History[min(s.told, len(o.History)):] {
			if change.By != s.by {
				h.world.tellOrder(o, change, s.chose)
			}
		}
		s.told = len(o.History)
		if o.Status == model.OrderPending || o.Queue != "" || o.OwesCart {
			continue
		}
		s.ended, s.chose = h.market.acts, false
		h.checkEnd(s, o)
		if o.Status == model.OrderRejected && !s.back {
			s.back = true
			for _, w := range s.wanted {
				h.market.carts[s.by][w.ProductID] += w.Quantity
			}
		}
	}
}

// checkEnd fails the test if an order has an end that it cannot have.
func (h *history) checkEnd(s *sale, o *model.Order) {
	h.t.Helper()
	var states []model.OrderStatus
	for _, c := range o.History {
		states = append(states, c.Status)
	}
	may := [][]model.OrderStatus{{"pending", "confirmed"}, {"pending", "rejected"}}
	switch s.status {
	case model.OrderCancelled:
		may = [][]model.OrderStatus{{"pending", "cancelled"}, {"pending", "confirmed", "cancelled"}}
	case model.OrderShipped:
		may = [][]model.OrderStatus{{"pending", "confirmed", "shipped"}}
	default: // the customer did nothing to it
	}
	if !slices.ContainsFunc(may, func(m []model.OrderStatus) bool { return slices.Equal(m, states) }) {
		h.t.Errorf("order %s was %v, want one of %v", s.id, states, may)
	}
	h.seen.add(orderThatWas+string(o.Status), 1)
	if o.Status != model.OrderRejected {
		return
	}
	switch id := o.Reason.ProductID; {
	case s.of(id) == 0:
		h.t.Errorf("order %s was rejected for %s, which it does not want", s.id, id)
	case o.Reason.Code == model.Retired && !s.retired[id]:
		h.t.Errorf("order %s was rejected for %s, which was for sale all the time", s.id, id)
	case o.Reason.Code != model.Retired:
		left := s.least[id] // at least this many, at every moment
		for _, other := range h.market.sales {
			gave := other.ended > 0 && other.ended < s.placed && (other.back || other.status == model.OrderCancelled)
			if other != s && !gave {
				left -= other.of(id)
			}
		}
		if left >= s.of(id) {
			h.t.Errorf("order %s wants %d of %s and was rejected as %s, but there were %d at every moment", s.id, s.of(id), id,
				o.Reason.Code, left)
		}
	}
}

// tellOrder notes that a customer is told of a state of an order.
func (w *world) tellOrder(o *model.Order, change model.OrderChange, chose bool) {
	in := model.OrderNotificationEvent(o, change)
	n := &told{kind: in.Type, to: o.UserID, by: in.Payload.UserID, groupKey: in.GroupKey(), status: change.Status,
		either: chose}
	n.at = append(n.at, change.At)
	n.wanted = w.wants(n)
	w.underWay = append(w.underWay, n)
}

// compareShop compares stocks and carts, once no order waits.
func (h *history) compareShop() {
	h.t.Helper()
	held, sold := map[model.ProductID]int64{}, map[model.ProductID]int64{}
	for _, s := range h.market.sales {
		o, err := h.readOrder(h.t.Context(), s)
		h.must(err)
		if s.ended == 0 || o.Queue != "" || o.OwesCart || o.Status == model.OrderPending {
			h.t.Errorf("order %s is %s, waits for %q, and owes the cart %v", s.id, o.Status, o.Queue, o.OwesCart)
		}
		for _, w := range s.wanted {
			switch o.Status {
			case model.OrderConfirmed:
				held[w.ProductID] += w.Quantity
			case model.OrderShipped:
				sold[w.ProductID] += w.Quantity
			default: // it has nothing of the stock
			}
			if o.Held(w.ProductID) != w.Quantity && o.Status == model.OrderConfirmed || o.Held(w.ProductID) != 0 &&
				o.Status != model.OrderConfirmed {
				h.t.Errorf("order %s is %s, and holds %d of %s; it wants %d", s.id, o.Status, o.Held(w.ProductID), w.ProductID,
					w.Quantity)
			}
		}
	}
	type stock struct {
		Price                   model.Price
		Active                  bool
		InStock, Sold, Supplied int64
	}
	for _, g := range h.market.goods {
		p, err := h.store.Shop.Product(h.t.Context(), g.id)
		h.must(err)
		want := stock{g.price, g.active, g.supplied - sold[g.id] - held[g.id], sold[g.id], g.supplied}
		if diff := cmp.Diff(want, stock{p.Price, p.Active, p.AmountInStock, p.Sold, p.Supplied}); diff != "" ||
			p.AmountInStock < 0 {
			h.t.Errorf("%s (-want +got):\n%s", p.Name, diff)
		}
	}
	for _, u := range h.world.users {
		v, err := h.store.Shop.View(h.t.Context(), shop.Customer{ID: u})
		h.must(err)
		got := map[model.ProductID]int64{}
		for _, line := range v.Lines {
			got[line.ProductID] = line.Quantity
		}
		want := maps.Clone(h.market.carts[u])
		if diff := cmp.Diff(want, got); diff != "" {
			h.t.Errorf("cart of %s (-want +got):\n%s", u, diff)
		}
	}
}
