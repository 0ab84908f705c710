package shop

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Recount is the stock and the open orders at one moment.
type Recount struct {
	Miscounts []Miscount
	Open      []*model.Order // that wait for a product, or owe a compensation to a cart
}

// Miscount is a product whose stock is not the total supplied, less the sold and reserved pieces, or whose field
// guestHeld is not the number of pieces that orders of guests have reserved.
type Miscount struct {
	ProductID  model.ProductID
	Field      string // amountInStock or guestHeld
	Have, Want int64
	product    *firestore.DocumentSnapshot
}

// Recount compares the stock of all products with the orders that reserve something, at one moment.
//
// Cost: 1 read for each product, and for each order that reserves, waits or owes; at least 4.
func (w *OrdersWriter) Recount(ctx context.Context) (r Recount, err error) {
	defer errs.Wrap(&err, "shop.Recount")
	all := w.db.Client.CollectionGroup(model.Orders)
	err = w.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		r = Recount{}
		held, guests := map[model.ProductID]int64{}, map[model.ProductID]int64{}
		open := map[string]bool{} // one order may both wait and owe
		for i, q := range []firestore.Query{all.Where(fields.Taken, ">", 0), all.Where(fields.Queue, ">", ""),
			all.Where(fields.OwesCart, "==", true)} {
			if i == 0 {
				q = q.Select(fields.Items, fields.Taken, fields.Guest) // there may be many
			}
			snaps, err := tx.Documents(q).GetAll()
			if err != nil {
				return err
			}
			for _, snap := range snaps {
				o, err := decode(snap)
				switch {
				case err != nil:
					return err
				case i == 0:
					for _, item := range o.Holds() {
						if held[item.ProductID] += item.Quantity; o.Guest {
							guests[item.ProductID] += item.Quantity
						}
					}
				case !open[snap.Ref.Path]:
					open[snap.Ref.Path] = true
					r.Open = append(r.Open, o)
				}
			}
		}
		snaps, err := tx.Documents(w.db.Client.Collection(model.Products)).GetAll()
		for _, snap := range snaps {
			p := model.Product{ID: model.ProductID(snap.Ref.ID)}
			if err := snap.DataTo(&p); err != nil {
				return err
			}
			if want := p.Supplied - p.Sold - held[p.ID]; p.AmountInStock != want {
				r.Miscounts = append(r.Miscounts, Miscount{p.ID, fields.AmountInStock, p.AmountInStock, want, snap})
			}
			if want := guests[p.ID]; p.GuestHeld != want {
				r.Miscounts = append(r.Miscounts, Miscount{p.ID, fields.GuestHeld, p.GuestHeld, want, snap})
			}
		}
		return err
	}, firestore.ReadOnly)
	return r, err
}

// Mend enqueues a run of the product that an order waits for, or puts the items of a rejected order back into the cart.
//
// Cost: what [Orders.RestoreCart] costs, or 1 write.
func (w *OrdersWriter) Mend(ctx context.Context, o *model.Order) (err error) {
	defer errs.Wrap(&err, "shop.Mend(%q)", o.ID)
	if o.OwesCart {
		err = w.RestoreCart(ctx, o.UserID, o.ID)
	}
	if o.Queue != "" && err == nil {
		err = w.db.EnqueueStock(ctx, o.Waits())
	}
	return err
}

// MendGuests writes how many pieces orders of guests have reserved of a product, unless its stock changed since the
// recount. A run that changes the number writes the product in the same commit.
//
// Cost: 1 write.
func (w *OrdersWriter) MendGuests(ctx context.Context, m Miscount) (err error) {
	defer errs.Wrap(&err, "shop.MendGuests(%q)", m.ProductID)
	_, err = m.product.Ref.Update(ctx, []firestore.Update{
		{Path: fields.GuestHeld, Value: db.OrDelete(m.Want, m.Want == 0)}},
		firestore.LastUpdateTime(m.product.UpdateTime))
	if db.Outdated(err) {
		return nil // the next recount sees it
	}
	return err
}

// Path returns the path of an order below the database.
func (w *OrdersWriter) Path(o *model.Order) string { return db.Path(w.db.Order(o.UserID, o.ID)) }
