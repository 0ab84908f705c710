package shop

import (
	"context"
	"math/rand/v2"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// OrdersWriter serves orders with the stock.
type OrdersWriter struct {
	*Orders
	every time.Duration // how long orders of a product gather
	asks  groupcommit.Queue[model.ProductID, struct{}, struct{}]
}

// NewOrdersWriter returns a writer of orders. A product is written about once in a time.
func NewOrdersWriter(s *Orders, every time.Duration) *OrdersWriter {
	w := &OrdersWriter{Orders: s, every: every}
	w.asks = groupcommit.New(min(every, askEvery), 0, func(ctx context.Context, id model.ProductID, all []struct{}) (
		[]struct{}, error) {
		return all, s.db.EnqueueStock(ctx, id)
	})
	return w
}

const (
	// runSize is how many orders one commit serves; with the product they are fewer than 500 writes.
	runSize = 400

	// lookSize is how many products one commit examines.
	lookSize = 400

	// askEvery is the shortest time between two tries to leave a work document.
	askEvery = 100 * time.Millisecond

	// serveTime bounds a run: with the wait before it, the run ends before its event is delivered again.
	serveTime = 4 * time.Second

	// longestWait bounds the wait of a run for orders.
	longestWait = 2 * time.Second
)

// Queue leaves a work document for the product that an order waits for. In a rush, orders of one product share the try
// to leave it.
//
// Cost: at most 1 write.
func (w *OrdersWriter) Queue(ctx context.Context, o *model.Order) (err error) {
	defer errs.Wrap(&err, "shop.Queue(%q)", o.ID)
	if o.Queue == "" {
		return nil
	}
	_, err = w.asks.Do(ctx, o.Waits(), struct{}{})
	return err
}

// ServeStock serves the orders that wait for a product, after other orders had time to come. It claims the work
// document first, so an order that it misses leaves another one. If a process claims the document and is killed, its
// event comes again. The redelivered event finds the document gone, and enqueues another run while orders wait.
//
// Runs may be concurrent: each commit requires every order as it was read, and the product if the stock changes. So one
// run wins, and the other reads anew.
//
// Cost: 1 delete; 1 read for the product, and 1 read and 1 write for each order that waits.
func (w *OrdersWriter) ServeStock(ctx context.Context, work model.StockWork) (err error) {
	defer errs.Wrap(&err, "shop.ServeStock(%q)", work.ProductID)
	if err := db.Pause(ctx, min(w.every, longestWait)); err != nil {
		return err
	}
	mine, err := w.db.Take(ctx, w.db.Doc(model.StockRuns, string(work.ProductID)), work.WrittenAt)
	if err != nil {
		return err
	}
	if !mine {
		waiting, err := w.waiting(work.ProductID).Limit(1).Documents(ctx).GetAll()
		if err != nil || len(waiting) == 0 {
			return err
		}
		return w.db.EnqueueStock(ctx, work.ProductID)
	}
	size := runSize
	for until := time.Now().Add(serveTime); ; {
		served, err := w.serve(ctx, work.ProductID, size)
		switch {
		case err != nil:
			return err
		case served.all:
			return nil
		case served.stock || !time.Now().Before(until):
			return w.db.EnqueueStock(ctx, work.ProductID) // the next write of the product is a second later
		case served.conflict:
			size = max(1, size/2) // the fewer orders, the more seldom one of them changes meanwhile
			if err := db.Pause(ctx, rand.N(100*time.Millisecond)); err != nil {
				return err
			}
		}
	}
}

// served is the result of one commit.
type served struct {
	all      bool // no order waits any more
	stock    bool // the product was written
	conflict bool // nothing was written: the product or an order changed, or the orders are too many for one commit
}

// waiting is the query for the orders that wait for a product, the oldest first.
func (w *OrdersWriter) waiting(id model.ProductID) firestore.Query {
	return w.db.Client.CollectionGroup(model.Orders).Where(fields.Queue, "in", model.OrderQueues(id)).
		OrderBy(fields.CreatedAt, firestore.Asc).OrderBy(firestore.DocumentID, firestore.Asc)
}

// serve serves the size oldest orders that wait for a product, in one commit. Returned pieces come first, so that they
// are there for waiting orders. serve rejects an order before it reserves anything if another of its products is short
// already.
func (w *OrdersWriter) serve(ctx context.Context, id model.ProductID, size int) (done served, err error) {
	// Products are read last, so no order is rejected for a stock that is older than the order.
	snaps, err := w.waiting(id).Limit(size).Documents(ctx).GetAll()
	if err != nil {
		return done, err
	}
	all := make([]*model.Order, len(snaps))
	for i, snap := range snaps {
		if all[i], err = decode(snap); err != nil {
			return done, err
		}
	}
	products, snap, err := w.look(ctx, id, all)
	if err != nil {
		return done, err
	}
	b, now, writes := w.db.Batch(), w.db.Time(), 0
	p := products[id]
	var stock, sold, guests int64
	if p != nil {
		stock, sold, guests = p.AmountInStock, p.Sold, p.GuestHeld
	}
	for _, gives := range []bool{true, false} {
		for i, o := range all {
			if o.Gives() == gives && snaps[i] != nil && o.Serve(id, products, now) {
				b.Update(snaps[i].Ref, db.OrderUpdates(o), firestore.LastUpdateTime(snaps[i].UpdateTime))
				snaps[i] = nil // an order that was rejected right now is not served again
				writes++
			}
		}
	}
	done.all = len(all) < size
	if writes == 0 {
		return served{all: true}, nil
	}
	if p != nil && (p.AmountInStock != stock || p.Sold != sold || p.GuestHeld != guests) {
		done.stock = true
		b.Update(snap.Ref, []firestore.Update{
			{Path: fields.AmountInStock, Value: p.AmountInStock}, {Path: fields.Sold, Value: p.Sold},
			{Path: fields.GuestHeld, Value: db.OrDelete(p.GuestHeld, p.GuestHeld == 0)},
		}, firestore.LastUpdateTime(snap.UpdateTime))
	}
	_, err = b.Commit(ctx)
	if db.Outdated(err) || db.NotFound(err) || db.TooBig(err) && size > 1 {
		return served{conflict: true}, nil
	}
	return done, err
}

// look reads a product, and the other products of the orders without reservations, for the oldest orders first. An
// order reserves nothing if a later product is short already. The document is that of the product. An unknown product
// is nil.
//
// Cost: 1 read for each product, at most lookSize.
func (w *OrdersWriter) look(ctx context.Context, id model.ProductID,
	all []*model.Order) (map[model.ProductID]*model.Product, *firestore.DocumentSnapshot, error) {
	var l db.Lookup
	read := map[model.ProductID]*db.Found[model.Product]{}
	find := func(id model.ProductID) { read[id] = db.Find[model.Product](&l, w.db.Doc(model.Products, string(id))) }
	find(id)
	for _, o := range all {
		for _, item := range o.Items {
			if read[item.ProductID] == nil && o.Begins() && len(read) < lookSize {
				find(item.ProductID)
			}
		}
	}
	if err := w.db.Read(ctx, &l); err != nil {
		return nil, nil, err
	}
	products := make(map[model.ProductID]*model.Product, len(read))
	for id, p := range read {
		if products[id] = nil; p.Found {
			p.Doc.ID, products[id] = id, &p.Doc
		}
	}
	return products, read[id].Snap, nil
}

// RestoreCart puts the items of a rejected order back into the cart of its user, and records that in the order, in one
// commit. So it happens once, however often RestoreCart is called. If a product is in the cart again by then, the cart
// has the sum of both quantities, model.MaxQuantity at most. Items without room in the cart are left out. The cart of a
// guest then expires after model.GuestCartWindow.
//
// Cost: 2 reads and 2 writes; 2 reads if it was done. 1 read more for the order of a guest.
func (s *Orders) RestoreCart(ctx context.Context, uid model.UserID, id model.OrderID) (err error) {
	defer errs.Wrap(&err, "shop.RestoreCart(%q, %q)", uid, id)
	return s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		order, had := db.Find[model.Order](&l, s.db.Order(uid, id)),
			db.Find[model.Cart](&l, s.db.Doc(model.Carts, string(uid)))
		if err := s.db.Read(ctx, &l); err != nil || !order.Found || !order.Doc.OwesCart {
			return err
		}
		o, cart := &order.Doc, unexpired(s.db, &had.Doc)
		for _, item := range o.Items {
			quantity := min(cart.Items[string(item.ProductID)]+item.Quantity, model.MaxQuantity)
			_ = cart.Put(item.ProductID, quantity, model.Price{Amount: item.UnitPrice, Currency: o.Total.Currency}) // no room
		}
		cart.UpdatedAt = s.db.Time()
		if o.Guest && (cart.ExpireAt != nil || !had.Found) {
			err := s.access.MayWrite(ctx, uid)
			if cart.ExpireAt = nil; errs.CodeOf(err) == model.ProfileRequired {
				cart.ExpireAt, err = new(cart.UpdatedAt.Add(model.GuestCartWindow)), nil
			}
			if err != nil {
				return err
			}
		}
		b := s.db.Batch()
		if had.Found {
			b.Update(had.Snap.Ref, []firestore.Update{
				{Path: fields.Items, Value: cart.Items}, {Path: fields.Seen, Value: cart.Seen},
				{Path: fields.UpdatedAt, Value: cart.UpdatedAt}, expireAt(cart.ExpireAt),
			}, firestore.LastUpdateTime(had.Snap.UpdateTime))
		} else {
			b.Create(had.Snap.Ref, cart)
		}
		b.Update(order.Snap.Ref, []firestore.Update{{Path: fields.OwesCart, Value: firestore.Delete},
			{Path: fields.AskedAt, Value: firestore.Delete}}, firestore.LastUpdateTime(order.Snap.UpdateTime))
		_, err := b.Commit(ctx)
		return db.Late(err)
	})
}
