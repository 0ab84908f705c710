// This file keeps the orders of customers, and reserves their items in the stock.
//
// The API creates an order, which then waits for its first product. No request changes the stock. The event of the
// order leaves a work document for the product. The run of the work document serves all orders that wait for the
// product by then, in the order of their times. One commit has the new stock and the new state of each order. So a
// product is written about once a second, however many customers want it, and the orders never disagree with the stock.

package shop

import (
	"cmp"
	"context"
	"crypto/rand"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Orders makes and reads orders. Its methods may be called concurrently. Their errors are those
// of package errs.
type Orders struct {
	db      *db.DB
	access  *access.Store
	maxOpen int64 // open orders of a user
}

// hangsAfter is how long an order waits for a product before a read of the order enqueues another run: the event of the
// order may be lost.
const hangsAfter = 10 * time.Second

// perItem is how long an order may take for each of its products, one after the other.
const perItem = 2 * time.Second

// NewOrders returns the orders of a database, in which a user has maxOpen open orders at most. Only
// packages below store have a [db.DB].
func NewOrders(d *db.DB, a *access.Store, maxOpen int) *Orders { return &Orders{d, a, int64(maxOpen)} }

// Place orders the items in the cart of a user, and empties the cart in the same commit. The order is pending. wanted
// must equal the items in the cart, at the present prices. Otherwise Place is errs.Conflict with the code cart_changed,
// product_retired or prices_changed, and names the differences. A user with the largest number of open orders is
// errs.Conflict. Concurrent requests cannot pass this limit: the cart has an upper bound of the number, the orders are
// counted after the cart is read, and another order changes the cart, so that the commit fails.
//
// A user without a profile is errs.Forbidden, except with an e-mail address in its normal form. Such a user is a guest.
// The order has the address; one of more than [model.MaxEmail] characters is errs.Invalid. A guest has MaxGuestOrders
// open orders at most, and each has MaxGuestPieces pieces at most, or Place is errs.Conflict. The order of a guest
// whose account is being deleted is errs.Conflict, too: the deletion removes the cart, and would never find a later
// order. The address of a user with a profile is not kept.
//
// A second request with the same key gets the order of the first, as the order is then. With another hash it is
// errs.Conflict.
//
// Cost: 2 reads, 1 read for each product, and 2 writes; 1 read more for the first order of a cart, and 2 for a guest's.
func (s *Orders) Place(ctx context.Context, uid model.UserID, email string, wanted []model.WantedItem,
	r model.Request) (placed *model.Order, err error) {
	defer errs.Wrap(&err, "shop.Place(%q)", uid)
	if err := model.ValidateEmail(email); err != nil {
		return nil, err
	}
	if len(wanted) == 0 || len(wanted) > model.MaxCartItems {
		return nil, errs.New(errs.Invalid, "empty_order", "an order has 1 to %d products, and this one %d",
			model.MaxCartItems, len(wanted))
	}
	key := r.Key
	if key == "" {
		key = rand.Text()
	}
	id := model.NewOrderID(uid, key)
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		is, cart := db.Find[model.Order](&l, s.db.Order(uid, id)), db.Find[model.Cart](&l, s.db.Doc(model.Carts, string(uid)))
		read := make([]*db.Found[model.Product], len(wanted))
		for i, w := range wanted {
			read[i] = db.Find[model.Product](&l, s.db.Doc(model.Products, string(w.ProductID)))
		}
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		if is.Found && is.Doc.Request != r.Hash {
			return errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
		} else if is.Found {
			placed, is.Doc.ID = &is.Doc, id
			return nil
		}
		guest, err := s.guest(ctx, uid, email, wanted)
		if err != nil {
			return err
		}
		open, err := s.mayOrder(ctx, uid, guest, cart.Doc.OpenAtMost)
		if err != nil {
			return err
		}
		products := map[model.ProductID]*model.Product{}
		for _, p := range read {
			if p.Found {
				p.Doc.ID = model.ProductID(p.Snap.Ref.ID)
				products[p.Doc.ID] = &p.Doc
			}
		}
		items := unexpired(s.db, &cart.Doc)
		if placed, err = model.NewOrder(uid, id, wanted, items, products, s.db.Time()); err != nil {
			return err
		}
		var expires *time.Time
		if placed.Request = r.Hash; guest {
			placed.OfGuest(email)
			expires = new(placed.CreatedAt.Add(model.GuestCartWindow))
		}
		b := s.db.Batch()
		b.Create(is.Snap.Ref, placed)
		b.Update(cart.Snap.Ref, []firestore.Update{
			{Path: fields.Items, Value: map[string]int64{}}, {Path: fields.Seen, Value: firestore.Delete},
			{Path: fields.OpenAtMost, Value: open + 1},
			{Path: fields.UpdatedAt, Value: placed.CreatedAt}, expireAt(expires),
		}, firestore.LastUpdateTime(cart.Snap.UpdateTime))
		_, err = b.Commit(ctx)
		return db.Late(err) // the cart changed, or the same request came in twice, or the answer to this commit was lost
	})
	if err != nil {
		return nil, err
	}
	return placed, nil
}

// guest reports whether a customer orders as a guest, or why the customer may not order.
//
// Cost: nothing for a user whose profile is cached; 2 reads for a guest.
func (s *Orders) guest(ctx context.Context, uid model.UserID, email string, wanted []model.WantedItem) (bool, error) {
	err := s.access.MayWrite(ctx, uid)
	if err == nil || email == "" || errs.CodeOf(err) != model.ProfileRequired {
		return false, err
	}
	if leaving, err := s.db.AccountDeletion(uid).Get(ctx); leaving.Exists() || !db.NotFound(err) && err != nil {
		return false, cmp.Or(err, errs.New(errs.Conflict, "leaving",
			"the account is being deleted, or was: it orders no more"))
	}
	pieces := int64(0)
	for _, w := range wanted {
		pieces += w.Quantity
	}
	if pieces > model.MaxGuestPieces {
		return false, errs.New(errs.Conflict, "too_many_pieces", "a guest orders %d pieces at a time, and this order has "+
			"%d; order fewer, or make a profile", model.MaxGuestPieces, pieces)
	}
	return true, nil
}

// mayOrder returns an upper bound of how many open orders a customer has, or why there cannot be one more.
//
// Cost: 1 read if nobody has counted them, or if they may be too many.
func (s *Orders) mayOrder(ctx context.Context, uid model.UserID, guest bool, open int64) (_ int64, err error) {
	most := s.maxOpen
	if guest {
		most = min(most, model.MaxGuestOrders)
	}
	if open == 0 || open >= most {
		open, err = s.open(ctx, uid)
	}
	if err == nil && open >= most {
		err = errs.New(errs.Conflict, "too_many_orders", "you have %d orders that were not shipped yet, and the limit "+
			"is %d; wait, or cancel one", open, most)
	}
	return open, err
}

// open counts the open orders of a user, up to the largest number allowed.
//
// Cost: 1 read.
func (s *Orders) open(ctx context.Context, uid model.UserID) (int64, error) {
	q := s.db.User(uid).Collection(model.Orders).
		Where(fields.Status, "in", []model.OrderStatus{model.OrderPending, model.OrderConfirmed})
	return db.Count(ctx, q.Limit(int(s.maxOpen)))
}

// Of lists the orders of a user, newest first.
//
// Cost: 1 read for each order, at least 1.
func (s *Orders) Of(ctx context.Context, uid model.UserID, from model.Cursor, limit int) (_ model.Page[*model.Order],
	err error) {
	defer errs.Wrap(&err, "shop.Of(%q)", uid)
	return db.Page(ctx, s.db.User(uid).
		Collection(model.Orders).Query, firestore.FieldPath{fields.CreatedAt}, firestore.Desc,
		from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Order, model.Cursor, error) {
			o, err := decode(snap)
			return o, model.Cursor{At: o.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// InState lists the orders of all users in a state, oldest first, for administrators.
//
// Cost: 1 read for each order, at least 1.
func (s *Orders) InState(ctx context.Context, status model.OrderStatus, from model.Cursor,
	limit int) (_ model.Page[*model.Order], err error) {
	defer errs.Wrap(&err, "shop.InState(%q)", status)
	q := s.db.Client.CollectionGroup(model.Orders).Where(fields.Status, "==", status)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Asc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Order, model.Cursor, error) {
			o, err := decode(snap)
			return o, model.Cursor{At: o.CreatedAt, ID: "documents/" + db.Path(snap.Ref)}, err // an id is a whole path
		})
}

// Order reads an order of a user. If the order has waited for a product for long, Order enqueues another run. If a cart
// has waited for the items of a rejected order for long, Order puts them back. An order that the user does not have is
// errs.NotFound.
//
// Cost: 1 read.
func (s *Orders) Order(ctx context.Context, uid model.UserID, id model.OrderID) (_ *model.Order, err error) {
	defer errs.Wrap(&err, "shop.Order(%q, %q)", uid, id)
	o, _, err := s.read(ctx, uid, id)
	switch {
	case err != nil || s.db.Now().Sub(o.ChangedAt()) <= hangsAfter+time.Duration(len(o.Items))*perItem:
	case o.Queue != "":
		err = s.db.EnqueueStock(ctx, o.Waits())
	case o.OwesCart:
		err = s.RestoreCart(ctx, uid, id)
	}
	return o, err
}

// Cancel cancels an order of a user that was not shipped, for the user or an administrator. The reserved items go back
// into the stock. A cancelled order stays cancelled. A rejected or shipped order is errs.Conflict. An order that the
// user does not have is errs.NotFound.
//
// Cost: 1 read and 1 write; no write if it is cancelled. Each change of the order at the same moment costs 1 read more.
func (s *Orders) Cancel(ctx context.Context, uid model.UserID, id model.OrderID, by model.UserID) (_ *model.Order,
	err error) {
	defer errs.Wrap(&err, "shop.Cancel(%q, %q)", uid, id)
	return s.become(ctx, uid, id, model.OrderCancelled, by, model.OrderPending, model.OrderConfirmed)
}

// Ship records that an administrator has shipped a confirmed order of a user. A shipped order stays shipped. An order
// in another state is errs.Conflict. An order that the user does not have is errs.NotFound.
//
// Cost: what [Orders.Cancel] costs.
func (s *Orders) Ship(ctx context.Context, uid model.UserID, id model.OrderID, by model.UserID) (_ *model.Order,
	err error) {
	defer errs.Wrap(&err, "shop.Ship(%q, %q)", uid, id)
	return s.become(ctx, uid, id, model.OrderShipped, by, model.OrderConfirmed)
}

// become changes the state of an order that has one of some states.
func (s *Orders) become(ctx context.Context, uid model.UserID, id model.OrderID, to model.OrderStatus, by model.UserID,
	from ...model.OrderStatus) (o *model.Order, err error) {
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var snap *firestore.DocumentSnapshot
		var err error
		if o, snap, err = s.read(ctx, uid, id); err != nil || o.Status == to {
			return err
		}
		if err := o.MayBecome(to, from...); err != nil {
			return err
		}
		o.Become(to, s.db.Time(), by)
		_, err = snap.Ref.Update(ctx, db.OrderUpdates(o), firestore.LastUpdateTime(snap.UpdateTime))
		return db.Late(err) // another process changed it meanwhile, or the answer to this write was lost
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// read reads an order.
func (s *Orders) read(ctx context.Context, uid model.UserID, id model.OrderID) (*model.Order,
	*firestore.DocumentSnapshot, error) {
	snap, err := s.db.Order(uid, id).Get(ctx)
	if db.NotFound(err) {
		return nil, nil, model.NoOrder(id)
	}
	if err != nil {
		return nil, nil, err
	}
	o, err := decode(snap)
	return o, snap, err
}

// decode decodes an order.
func decode(snap *firestore.DocumentSnapshot) (*model.Order, error) {
	o := &model.Order{ID: model.OrderID(snap.Ref.ID)}
	return o, snap.DataTo(o)
}
