package shop

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Customer is the owner of a cart. A guest is signed in without an account. The cart of a user without a profile
// expires, and the cart of a user with a profile never does. The token of a guest who now has an account stays valid
// for an hour, so Guest alone decides nothing about a cart.
type Customer struct {
	ID    model.UserID
	Guest bool
}

// Line is a product in a cart, as it is now.
type Line struct {
	ProductID model.ProductID
	Quantity  int64
	Product   *model.Product // nil for an unknown product
	Changes   []model.CartChange
}

// View is a cart with the present prices of its products.
type View struct {
	Lines  []Line        // ordered by product id
	Totals []model.Price // of the products that are for sale, one for each currency, ordered by currency
}

// View reads the cart of a customer, with its products as they are now, and their differences from what the customer
// has seen. A customer without a cart sees an empty one. The cart of a customer without a profile lives
// model.GuestCartWindow from then on. The cart of a guest who now has a profile stays.
//
// Cost: 1 read, and 1 read for each product; at most 1 write for the expiry.
func (s *Store) View(ctx context.Context, of Customer) (_ *View, err error) {
	defer errs.Wrap(&err, "shop.View(%q)", of.ID)
	c, snap, err := s.cart(ctx, of.ID)
	if err != nil {
		return nil, err
	}
	if expired := c.UpdatedAt.IsZero(); snap.Exists() && !expired {
		at, err := s.expiry(ctx, of, snap, c)
		if err != nil {
			return nil, err
		}
		if off(c.ExpireAt, at) {
			_, err := snap.Ref.Update(ctx, []firestore.Update{expireAt(at)}, firestore.LastUpdateTime(snap.UpdateTime))
			if err != nil && !db.Outdated(err) && !db.NotFound(err) { // another writer at this moment set the expiry too
				return nil, err
			}
		}
	}
	ids := make([]model.ProductID, 0, len(c.Items))
	for _, id := range slices.Sorted(maps.Keys(c.Items)) {
		ids = append(ids, model.ProductID(id))
	}
	products, err := db.ReadAll(ctx, s.db, model.Products, ids, func(id model.ProductID, p *model.Product) { p.ID = id })
	if err != nil {
		return nil, err
	}
	v, totals := &View{Lines: []Line{}, Totals: []model.Price{}}, map[string]int64{}
	for _, id := range ids {
		line := Line{ProductID: id, Quantity: c.Items[string(id)], Product: products[id]}
		var seen *model.Price
		if price, ok := c.Seen[string(id)]; ok {
			seen = &price
		}
		line.Changes = line.Product.ChangesSince(seen, line.Quantity)
		v.Lines = append(v.Lines, line)
		if p := line.Product; p != nil && p.Active {
			totals[p.Price.Currency] += p.Price.Amount * line.Quantity
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(totals)) {
		v.Totals = append(v.Totals, model.Price{Amount: totals[currency], Currency: currency})
	}
	return v, nil
}

// Put sets the quantity of a product in the cart of a customer. The price of a product that is new in the cart counts
// as seen. A quantity that is not from 1 to model.MaxQuantity is errs.Invalid. An unknown product is errs.NotFound. A
// retired product, or more than model.MaxCartItems products, is errs.Conflict. Put does not check the stock.
//
// Cost: 2 reads and 1 write; no write if the cart has the quantity already.
func (s *Store) Put(ctx context.Context, of Customer, id model.ProductID, quantity int64) (err error) {
	defer errs.Wrap(&err, "shop.Put(%q, %q)", of.ID, id)
	if err := model.CheckQuantity(quantity); err != nil {
		return err
	}
	p, _, err := s.read(ctx, id)
	if err != nil {
		return err
	}
	if !p.Active {
		return errs.New(errs.Conflict, "product_retired", "product %q is sold no more", id)
	}
	return s.change(ctx, of, func(c *model.Cart) error { return c.Put(id, quantity, p.Price) })
}

// Remove takes a product out of the cart of a customer. If the cart does not have the product, Remove changes nothing.
//
// Cost: 1 read and 1 write; no write if the product is not in the cart.
func (s *Store) Remove(ctx context.Context, of Customer, id model.ProductID) (err error) {
	defer errs.Wrap(&err, "shop.Remove(%q, %q)", of.ID, id)
	return s.change(ctx, of, func(c *model.Cart) error {
		delete(c.Items, string(id))
		c.Tidy()
		return nil
	})
}

// See records which prices the customer has seen. Prices of products that are not in the cart are left out.
//
// Cost: 1 read and 1 write; no write if the prices were recorded before.
func (s *Store) See(ctx context.Context, of Customer, prices map[model.ProductID]model.Price) (err error) {
	defer errs.Wrap(&err, "shop.See(%q)", of.ID)
	for _, price := range prices {
		if err := price.Validate(); err != nil {
			return err
		}
	}
	return s.change(ctx, of, func(c *model.Cart) error {
		if c.Seen == nil {
			c.Seen = map[string]model.Price{}
		}
		for id, price := range prices {
			c.Seen[string(id)] = price
		}
		c.Tidy()
		return nil
	})
}

// Merge adds the cart of a guest to the cart of an account, and deletes the guest's cart in the same commit. So the
// cart is added once, however often Merge is called. A product in both carts then has the sum of both quantities,
// model.MaxQuantity at most. If the cart would have more than model.MaxCartItems products, Merge is errs.Conflict and
// changes neither cart. A cart that does not expire is not a guest's, and stays.
//
// Cost: 2 reads, 1 write and 1 delete; 2 reads if the guest has no cart.
func (s *Store) Merge(ctx context.Context, of Customer, guest model.UserID) (err error) {
	defer errs.Wrap(&err, "shop.Merge(%q)", of.ID)
	return s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		own, theirs := db.Find[model.Cart](&l, s.cartRef(of.ID)), db.Find[model.Cart](&l, s.cartRef(guest))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		c, other := unexpired(s.db, &own.Doc), unexpired(s.db, &theirs.Doc)
		if other.ExpireAt == nil || other.UpdatedAt.IsZero() { // no cart, no longer a guest's, or an expired one
			return nil
		}
		if err := c.Merge(other); err != nil {
			return err
		}
		at, err := s.expiry(ctx, of, own.Snap, c)
		if err != nil {
			return err
		}
		b := s.db.Batch()
		s.write(b, own.Snap, c, at)
		b.Delete(theirs.Snap.Ref, firestore.LastUpdateTime(theirs.Snap.UpdateTime))
		_, err = b.Commit(ctx)
		return db.Late(err)
	})
}

// change changes the cart of a customer, and repeats that while other processes change the cart. An unchanged cart is
// not written.
func (s *Store) change(ctx context.Context, of Customer, to func(*model.Cart) error) error {
	return s.db.Update(ctx, func(ctx context.Context) error {
		c, snap, err := s.cart(ctx, of.ID)
		if err != nil {
			return err
		}
		changed, err := changes(c, to)
		if err != nil || !changed && !snap.Exists() {
			return err
		}
		at, err := s.expiry(ctx, of, snap, c)
		if err != nil || !changed && !off(c.ExpireAt, at) {
			return err
		}
		b := s.db.Batch()
		s.write(b, snap, c, at)
		commit := b.Commit
		if !snap.Exists() { // another account may claim the cart before the commit is sent again
			commit = func(ctx context.Context) ([]*firestore.WriteResult, error) {
				return s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
					c, snap, err := s.cart(ctx, of.ID)
					if err != nil || !snap.Exists() {
						return false, err
					}
					changed, err := changes(c, to)
					return !changed, err
				})
			}
		}
		_, err = commit(ctx)
		return db.Late(err)
	})
}

// changes applies to to a cart, and returns whether that made a difference.
func changes(c *model.Cart, to func(*model.Cart) error) (bool, error) {
	items, seen := maps.Clone(c.Items), maps.Clone(c.Seen)
	err := to(c)
	return !maps.Equal(items, c.Items) || !maps.Equal(seen, c.Seen), err
}

// write adds the write of a cart that expires at a time to a batch. The commit fails unless the cart is as it was read.
func (s *Store) write(b *db.Batch, snap *firestore.DocumentSnapshot, c *model.Cart, at *time.Time) {
	c.UpdatedAt, c.ExpireAt = s.db.Time(), at
	if c.Items == nil {
		c.Items = map[string]int64{}
	}
	if !snap.Exists() {
		b.Create(snap.Ref, c)
		return
	}
	b.Update(snap.Ref, []firestore.Update{
		{Path: fields.Items, Value: c.Items}, {Path: fields.Seen, Value: db.OrDelete(c.Seen, len(c.Seen) == 0)},
		{Path: fields.UpdatedAt, Value: c.UpdatedAt}, expireAt(at),
	}, firestore.LastUpdateTime(snap.UpdateTime))
}

// cart reads a cart. An expired or missing cart is empty.
func (s *Store) cart(ctx context.Context, uid model.UserID) (*model.Cart, *firestore.DocumentSnapshot, error) {
	c, err := db.As[model.Cart](s.cartRef(uid).Get(ctx))
	return unexpired(s.db, &c.Doc), c.Snap, err
}

// unexpired returns a cart, or an empty one if the cart has expired.
func unexpired(d *db.DB, c *model.Cart) *model.Cart {
	if c.ExpireAt != nil && d.Now().After(*c.ExpireAt) {
		return &model.Cart{ExpireAt: c.ExpireAt} // the TTL deletion may be a day late
	}
	return c
}

// expiry returns when a cart expires that is used now; nil is never. A cart that does not expire never will. A cart
// that does expire belongs to a guest, or to an account that had no profile at the last use.
//
// Cost: nothing for the cart of a profile, or one that a guest has used.
func (s *Store) expiry(ctx context.Context, of Customer, snap *firestore.DocumentSnapshot, c *model.Cart) (*time.Time,
	error) {
	if snap.Exists() && c.ExpireAt == nil {
		return nil, nil
	}
	at := s.db.Time().Add(model.GuestCartWindow)
	if snap.Exists() && of.Guest {
		return &at, nil
	}
	err := s.access.MayWrite(ctx, of.ID)
	if errs.CodeOf(err) == model.ProfileRequired {
		return &at, nil
	}
	return nil, err
}

// off reports whether a cart's expiry is wrong by a day or more. Smaller errors stay, so a read of a cart seldom
// writes.
func off(is, at *time.Time) bool {
	if is == nil || at == nil {
		return is != at
	}
	return is.Before(at.Add(-24 * time.Hour))
}

// expireAt returns the update of a cart's expiry.
func expireAt(at *time.Time) firestore.Update {
	return firestore.Update{Path: fields.ExpireAt, Value: db.OrDelete(at, at == nil)}
}

func (s *Store) cartRef(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.Carts, string(uid))
}
