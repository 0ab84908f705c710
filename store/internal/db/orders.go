package db

import (
	"context"
	"fmt"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Order names an order of a user.
func (d *DB) Order(uid model.UserID, id model.OrderID) *firestore.DocumentRef {
	return d.User(uid).Collection(model.Orders).Doc(string(id))
}

// EnqueueStock leaves the work document that serves the orders that wait for a product, or finds it there, see
// [DB.Ask].
//
// Cost: what Ask costs.
func (d *DB) EnqueueStock(ctx context.Context, id model.ProductID) error {
	_, err := d.Ask(ctx, d.Doc(model.StockRuns, string(id)), model.StockWork{ProductID: id, ExpireAt: d.WorkExpiry()})
	return err
}

// askStocks enqueues a run of each product that orders wait for, after a product, until over returns true: the event
// that should have enqueued it may be lost. It returns the last product, and whether there is no other.
//
// Cost: for each product 1 read, and what EnqueueStock costs; 1 read more at the end.
func (d *DB) askStocks(ctx context.Context, after string, over func() bool) (last string, done bool, err error) {
	for {
		q := d.Client.CollectionGroup(model.Orders).OrderBy(fields.Queue, firestore.Asc).Select(fields.Queue)
		if after != "" {
			q = q.Where(fields.Queue, ">", after+"_\uf8ff") // after all parts of the product's queue
		}
		o, err := First[model.Order](ctx, q)
		if err != nil || !o.Found {
			return after, err == nil, err
		}
		if err := d.EnqueueStock(ctx, o.Doc.Waits()); err != nil {
			return after, false, err
		}
		if after = string(o.Doc.Waits()); over() {
			return after, false, nil
		}
	}
}

// askCarts rewrites rejected orders whose compensation of a cart is due and that wait for no product, after a path,
// until over returns true: the event that should have filled the cart may be lost. An order that was written a moment
// ago is left to its event. It returns the last path, and whether there is no other.
//
// Cost: 1 read for each order that owes, at least 1, and 1 write for each that is written.
func (d *DB) askCarts(ctx context.Context, after string, over func() bool) (last string, done bool, err error) {
	const pageSize = 50
	from := d.Client.CollectionGroup(model.Orders).Where(fields.OwesCart, "==", true).
		OrderBy(firestore.DocumentID, firestore.Asc).Select(fields.Queue).Limit(pageSize)
	for {
		q := from
		if after != "" {
			q = from.StartAfter(d.Client.Doc(after))
		}
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return after, false, err
		}
		for _, snap := range snaps {
			_, err := snap.DataAt(fields.Queue)
			if waits := err == nil; !waits && snap.ReadTime.Sub(snap.UpdateTime) >= d.work.staleAfter {
				_, err := snap.Ref.Update(ctx, []firestore.Update{{Path: fields.AskedAt, Value: firestore.ServerTimestamp}},
					firestore.LastUpdateTime(snap.UpdateTime))
				if err != nil && !Outdated(err) && !NotFound(err) {
					return after, false, err
				}
			}
			after = Path(snap.Ref)
		}
		if len(snaps) < pageSize {
			return after, true, nil
		}
		if over() {
			return after, false, nil
		}
	}
}

// endDue cancels the open orders of guests that are due, and takes the addresses out of closed ones, the longest due
// first, until over returns true. It reports whether no other is due. An order that another process changes at that
// moment is left to the next call.
//
// Cost: 1 read and 1 write for each order, at least 1 read.
func (d *DB) endDue(ctx context.Context, over func() bool) (done bool, err error) {
	const pageSize = 50
	now := d.Time()
	from := d.Client.CollectionGroup(model.Orders).Where(fields.DueAt, "<=", now).OrderBy(fields.DueAt, firestore.Asc).
		Limit(pageSize)
	for q := from; ; {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return false, err
		}
		for _, snap := range snaps {
			o := model.Order{ID: model.OrderID(snap.Ref.ID)}
			if err := snap.DataTo(&o); err != nil {
				return false, fmt.Errorf("%s: %w", snap.Ref.Path, err)
			}
			if !o.EndDue(now) {
				continue
			}
			_, err := snap.Ref.Update(ctx, append(OrderUpdates(&o),
				firestore.Update{Path: fields.Email, Value: OrDelete(o.Email, o.Email == "")},
				firestore.Update{Path: fields.Request, Value: OrDelete(o.Request, o.Request == "")}),
				firestore.LastUpdateTime(snap.UpdateTime))
			if err != nil && !Outdated(err) && !NotFound(err) {
				return false, err
			}
		}
		if len(snaps) < pageSize {
			return true, nil
		}
		if over() {
			return false, nil
		}
		q = from.StartAfter(snaps[len(snaps)-1])
	}
}

// OrderUpdates returns all fields of an order that change after it was created.
func OrderUpdates(o *model.Order) []firestore.Update {
	return []firestore.Update{
		{Path: fields.Status, Value: o.Status}, {Path: fields.History, Value: o.History},
		{Path: fields.Reason, Value: OrDelete(o.Reason, o.Reason == nil)},
		{Path: fields.Taken, Value: o.Taken}, {Path: fields.Queue, Value: OrDelete(o.Queue, o.Queue == "")},
		{Path: fields.OwesCart, Value: OrDelete(o.OwesCart, !o.OwesCart)},
		{Path: fields.DueAt, Value: OrDelete(o.DueAt, o.DueAt == nil)},
	}
}
