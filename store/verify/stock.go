package verify

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// stock compares the stock with the orders that reserve something, and finds stuck orders: a second snapshot finds them
// in the same state. A stock is not repaired automatically. Orders and stock are written together, so an operator has
// to examine a difference. The number of pieces that orders of guests hold is repaired.
//
// Cost: 1 read for each product and open order.
func (v *verifier) stock() *unit {
	return &unit{read: func(ctx context.Context) (ds []Difference, err error) {
		found, err := v.orders.Recount(ctx)
		for _, m := range found.Miscounts {
			path := model.Products + "/" + string(m.ProductID)
			var f *fix
			if m.Field == fields.GuestHeld {
				f = &fix{"guests of " + path, func(ctx context.Context) error { return v.orders.MendGuests(ctx, m) }}
			}
			add(&ds, model.Products, path, m.Field, m.Have, m.Want, f)
		}
		for _, o := range found.Open {
			path, f := v.orders.Path(o), &fix{"order " + string(o.UserID) + " " + string(o.ID), func(ctx context.Context) error {
				return v.orders.Mend(ctx, o)
			}}
			if o.Queue != "" {
				add(&ds, model.Orders, path, "queue", o.Queue, nil, f)
			}
			if o.OwesCart {
				add(&ds, model.Orders, path, "owesCart", true, nil, f)
			}
		}
		return ds, err
	}}
}
