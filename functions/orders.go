package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// orderChanged does what a new or changed order causes. It enqueues a run of the product for which the order waits,
// returns the items of a rejected order to the cart, and notifies the customer of each new state. Customers are not
// notified of their own actions.
func (h *handlers) orderChanged(ctx context.Context, e *Event) error {
	if _, err := document[model.Order](e); err != nil {
		return err
	}
	before, after, err := versions[model.Order](e)
	if err != nil || after == nil {
		return err
	}
	if after.ID, err = model.ParseOrderID(e.DocumentID); err != nil {
		return fmt.Errorf("%w: %w", errPoison, err)
	}
	var parts []func() error
	if before == nil || before.Queue != after.Queue || before.Taken != after.Taken || before.Status != after.Status {
		parts = append(parts, func() error { return h.store.Orders.Queue(ctx, after) })
	}
	if before != nil && after.OwesCart && after.Queue == "" { // a reservation would contend with a run
		parts = append(parts, func() error { return h.store.Orders.RestoreCart(ctx, after.UserID, after.ID) })
	}
	return all(append(parts, func() error { return h.notifyOrder(ctx, before, after) })...)
}

func (h *handlers) notifyOrder(ctx context.Context, before, after *model.Order) error {
	known := 0
	if before != nil {
		known = len(before.History)
	}
	for _, change := range after.History[min(known, len(after.History)):] {
		if change.By == after.UserID {
			continue
		}
		if err := h.store.NotificationEvents.Notify(ctx, model.OrderNotificationEvent(after, change)); err != nil {
			return err
		}
	}
	return nil
}

// serveStock serves the orders that wait for stock of a product.
func (h *handlers) serveStock(ctx context.Context, e *Event) error {
	work, err := document[model.StockWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Orders.ServeStock(ctx, *work)
}
