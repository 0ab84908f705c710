package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// order decodes the created or updated order and its earlier version. Both are nil if the order no longer exists.
func order(e *Event) (before, after *model.Order, err error) {
	if _, err := document[model.Order](e); err != nil {
		return nil, nil, err
	}
	if before, after, err = versions[model.Order](e); err != nil || after == nil {
		return nil, nil, err
	}
	if after.ID, err = model.ParseOrderID(e.DocumentID); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	return before, after, nil
}

// queueOrder enqueues a run of the product for which an order waits.
func (h *handlers) queueOrder(ctx context.Context, e *Event) error {
	before, after, err := order(e)
	if err != nil || after == nil || before != nil && before.Queue == after.Queue && before.Taken == after.Taken &&
		before.Status == after.Status {
		return err
	}
	return h.store.Orders.Queue(ctx, after)
}

// restoreCart returns the items of a rejected order to the cart, once the order reserves no stock anymore. Before that,
// the write would contend with a run that releases stock.
func (h *handlers) restoreCart(ctx context.Context, e *Event) error {
	_, after, err := order(e)
	if err != nil || after == nil || !after.OwesCart || after.Queue != "" {
		return err
	}
	return h.store.Orders.RestoreCart(ctx, after.UserID, after.ID)
}

// notifyOrder notifies the customer of each new state of an order. Customers are not notified of their own actions.
func (h *handlers) notifyOrder(ctx context.Context, e *Event) error {
	before, after, err := order(e)
	if err != nil || after == nil {
		return err
	}
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
