package verify

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// stock recounts what is in stock by the orders that hold something, and finds orders that hang:
// a second snapshot finds them in the same state. A stock is not mended by itself, since orders
// and stock are written together: a person has to look.
//
// Cost: 1 read for each product and open order.
func (v *verifier) stock() *unit {
	return &unit{read: func(ctx context.Context) (ds []Difference, err error) {
		found, err := v.orders.Recount(ctx)
		for _, m := range found.Miscounts {
			add(&ds, model.Products, model.Products+"/"+string(m.ProductID), "amountInStock", m.Have, m.Want, nil)
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
