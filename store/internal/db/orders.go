package db

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// Order names an order of a user.
func (d *DB) Order(uid model.UserID, id model.OrderID) *firestore.DocumentRef {
	return d.User(uid).Collection(model.Orders).Doc(string(id))
}

// AskStock leaves the work document that serves the orders that wait for a product, or sees that
// it is there, see [DB.Ask].
//
// Cost: what Ask costs.
func (d *DB) AskStock(ctx context.Context, id model.ProductID) error {
	_, err := d.Ask(ctx, d.Doc(model.StockRuns, string(id)), model.StockWork{ProductID: id, ExpireAt: d.WorkExpiry()})
	return err
}

// OrderUpdates are all fields of an order that change after it was made.
func OrderUpdates(o *model.Order) []firestore.Update {
	return []firestore.Update{
		{Path: "status", Value: o.Status}, {Path: "history", Value: o.History}, {Path: "reason", Value: OrDelete(o.Reason, o.Reason == nil)},
		{Path: "taken", Value: o.Taken}, {Path: "queue", Value: OrDelete(o.Queue, o.Queue == "")},
		{Path: "owesCart", Value: OrDelete(o.OwesCart, !o.OwesCart)},
	}
}
