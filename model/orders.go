package model

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// OrderID names an order of a user. It has the length of the id of a tweet, so that a
// notification may be of either.
type OrderID string

// OrderStatus is the state of an order.
type OrderStatus string

// The states of an order. A pending order becomes confirmed or rejected by the stock, or cancelled by its customer. A
// confirmed one becomes cancelled or shipped. The other three are final.
const (
	OrderPending   OrderStatus = "pending"
	OrderConfirmed OrderStatus = "confirmed"
	OrderRejected  OrderStatus = "rejected"
	OrderCancelled OrderStatus = "cancelled"
	OrderShipped   OrderStatus = "shipped"
)

// OrderItem is a product of an order, at its price at the time of the order.
type OrderItem struct {
	ProductID ProductID `firestore:"productId" json:"productId"`
	Name      string    `firestore:"name" json:"name"` // of the product when it was ordered
	Quantity  int64     `firestore:"quantity" json:"quantity"`
	UnitPrice int64     `firestore:"unitPrice" json:"unitPrice"` // in minor units of the order's currency
	// the uploaded picture of the product when it was ordered; empty for none. Its file may be gone.
	PictureID MediaID `firestore:"picture,omitempty" json:"picture,omitempty"`
}

// OrderChange is one change of the state of an order.
type OrderChange struct {
	Status OrderStatus `firestore:"status" json:"status"`
	At     time.Time   `firestore:"at" json:"at"`
	By     UserID      `firestore:"by,omitempty" json:"by,omitempty"` // empty for the shop itself
}

// OrderReason says why an order was rejected.
type OrderReason struct {
	Code      CartChange `firestore:"code" json:"code"` // sold_out, too_few, retired or guest_share
	ProductID ProductID  `firestore:"productId" json:"productId"`
}

// Order is an order of a user: users/{uid}/orders/{orderId}.
//
// An order reserves pieces of one product after the other. Items[:Taken] are its reserved items. While the order waits
// for a product, Queue names the product. It waits for one of three steps: to reserve its next item; to return its last
// reserved item, if it will not be delivered; or to book that item as sold, if it is shipped. A run for a product
// therefore needs only the product and the orders in its queue. Every step is in one commit with the product's stock,
// and the order itself has its progress.
type Order struct {
	ID        OrderID       `firestore:"-"`
	UserID    UserID        `firestore:"userId"`
	Items     []OrderItem   `firestore:"items"` // in the order of their products
	Total     Price         `firestore:"total"`
	Status    OrderStatus   `firestore:"status"`
	History   []OrderChange `firestore:"history"`          // oldest first; the last is Status
	Reason    *OrderReason  `firestore:"reason,omitempty"` // of a rejected order
	Taken     int           `firestore:"taken"`
	Queue     string        `firestore:"queue,omitempty"`    // absent if the order waits for no product, see OrderQueue
	OwesCart  bool          `firestore:"owesCart,omitempty"` // a rejected order whose items are not back in the cart
	Request   string        `firestore:"request,omitempty"`  // a hash of the request that made the order
	Guest     bool          `firestore:"guest,omitempty"`    // the customer had no profile when the order was placed
	Email     string        `firestore:"email,omitempty"`    // where the shop reaches a guest; absent once it is forgotten
	DueAt     *time.Time    `firestore:"dueAt,omitempty"`    // when [Order.EndDue] has something to do; absent for never
	CreatedAt time.Time     `firestore:"createdAt"`          // orders are served in this order
}

// OfGuest makes the order that of a guest, with an e-mail address.
func (o *Order) OfGuest(email string) {
	o.Guest, o.Email = true, email
	o.Reconcile()
}

// Open reports whether the order may still be delivered, and was not.
func (o *Order) Open() bool { return o.Status == OrderPending || o.Status == OrderConfirmed }

// EndDue ends what the order of a guest may keep no longer. An open order is cancelled GuestOrderWindow after it was
// placed, so that its pieces go back into the stock. A closed order forgets the e-mail address GuestEmailWindow after
// it was closed, and with it the hash of the request, which had the address. It reports whether something was due.
func (o *Order) EndDue(now time.Time) bool {
	was := o.DueAt
	o.Reconcile() // a version that does not know DueAt may have closed the order
	switch {
	case o.DueAt == nil || o.DueAt.After(now):
		return was != nil && (o.DueAt == nil || !was.Equal(*o.DueAt))
	case o.Open():
		o.Become(OrderCancelled, now, "")
	default:
		o.Email, o.Request = "", ""
		o.Reconcile()
	}
	return true
}

// due is when EndDue has something to do; nil for never.
func (o *Order) due() *time.Time {
	if !o.Guest || o.Email == "" {
		return nil
	}
	at := o.CreatedAt.Add(GuestOrderWindow)
	if !o.Open() {
		at = o.ChangedAt().Add(GuestEmailWindow)
	}
	return &at
}

// OrderShards is the number of parts of the index of orders that wait for a product. Each part
// takes about 500 new orders a second.
const OrderShards = 4

// OrderQueue is the value of Queue of an order that waits for a product.
func OrderQueue(id ProductID, shard int) string { return string(id) + "_" + strconv.Itoa(shard) }

// OrderQueues are the values of Queue of all orders that wait for a product.
func OrderQueues(id ProductID) (all []string) {
	for shard := range OrderShards {
		all = append(all, OrderQueue(id, shard))
	}
	return all
}

// Waits is the product that the order waits for; empty for none.
func (o *Order) Waits() ProductID {
	id, _, _ := strings.Cut(o.Queue, "_")
	return ProductID(id)
}

// Holds lists the reserved items.
func (o *Order) Holds() []OrderItem { return o.Items[:min(o.Taken, len(o.Items))] }

// Held is how many pieces of a product the order has reserved.
func (o *Order) Held(id ProductID) (n int64) {
	for _, item := range o.Holds() {
		if item.ProductID == id {
			n += item.Quantity
		}
	}
	return n
}

// at is the index of the item that the order waits for; -1 for none.
func (o *Order) at() int {
	switch {
	case o.Status == OrderPending && o.Taken < len(o.Items):
		return o.Taken
	case o.Status != OrderPending && o.Status != OrderConfirmed && o.Taken > 0:
		return o.Taken - 1
	}
	return -1
}

// Reconcile makes Queue and DueAt agree with the rest of the order.
func (o *Order) Reconcile() {
	o.Queue, o.DueAt = "", o.due()
	if i := o.at(); i >= 0 {
		o.Queue = OrderQueue(o.Items[i].ProductID, int(hashByte(string(o.UserID)+string(o.ID)))%OrderShards)
	}
}

// Become changes the state of the order.
func (o *Order) Become(to OrderStatus, at time.Time, by UserID) {
	o.Status = to
	o.History = append(slices.Clip(o.History), OrderChange{to, at, by})
	o.OwesCart = to == OrderRejected
	o.Reconcile()
}

// ChangedAt is when the order got its present state.
func (o *Order) ChangedAt() time.Time {
	if n := len(o.History); n > 0 {
		return o.History[n-1].At
	}
	return o.CreatedAt
}

// MayBecome refuses a change of the state of an order that has none of some states.
func (o *Order) MayBecome(to OrderStatus, from ...OrderStatus) error {
	if !slices.Contains(from, o.Status) {
		return errs.New(errs.Conflict, "order_state", "order %q is %s, and cannot become %s", o.ID, o.Status, to)
	}
	return nil
}

// Serve does the next step of an order that waits for a product, with the product's stock. It reserves the pieces and
// confirms the order if that was the last item, or rejects the order. Otherwise it returns reserved pieces, or books
// them as sold. An order that does not wait for this product stays as it is.
//
// products has the product, and others as they were after the order was placed; nil for an unknown one. The order is
// also rejected if another product that it still needs is short, for everybody or for guests.
func (o *Order) Serve(id ProductID, products map[ProductID]*Product, now time.Time) (changed bool) {
	i := o.at()
	if i < 0 || o.Items[i].ProductID != id {
		return false
	}
	p, n := products[id], o.Items[i].Quantity
	if o.Status != OrderPending {
		o.Taken = i
		if p != nil && o.Status == OrderShipped {
			p.Sold += n
		} else if p != nil {
			p.AmountInStock += n
		}
		if p != nil && o.Guest {
			p.GuestHeld = max(0, p.GuestHeld-n) // a version that does not count may have reserved them
		}
		o.Reconcile()
		return true
	}
	for _, item := range o.Items[i:] {
		p, known := products[item.ProductID]
		changes := p.ChangesSince(nil, item.Quantity)
		if known && len(changes) == 0 && o.Guest && p.GuestHeld+item.Quantity > p.GuestShare() {
			changes = []CartChange{GuestShareHeld}
		}
		if known && len(changes) > 0 {
			o.Reason = &OrderReason{changes[0], item.ProductID}
			o.Become(OrderRejected, now, "")
			return true
		}
	}
	p.AmountInStock -= n
	if o.Guest {
		p.GuestHeld += n
	}
	if o.Taken++; o.Taken == len(o.Items) {
		o.Become(OrderConfirmed, now, "")
	} else {
		o.Reconcile()
	}
	return true
}

// Begins reports whether the order waits for its first item: it has reserved nothing yet.
func (o *Order) Begins() bool { return o.Status == OrderPending && o.Taken == 0 }

// Gives reports whether the order waits to return pieces or to book them as sold, and not to reserve some.
func (o *Order) Gives() bool { return o.Status != OrderPending }

// NewOrderID returns the id of an order. A request with a key that is repeated gets the same id.
func NewOrderID(uid UserID, requestKey string) OrderID {
	return OrderID(hashedID(orderIDLength, "order", string(uid), requestKey))
}

// ParseOrderID checks the form of the id of an order. Any other text is errs.Invalid.
func ParseOrderID(s string) (OrderID, error) {
	if !isHex(s, orderIDLength) {
		return "", errs.New(errs.Invalid, "invalid_order_id", "the id of an order is %d lower-case hexadecimal digits",
			orderIDLength)
	}
	return OrderID(s), nil
}

// NoOrder returns the error of an id under which the user has no order.
func NoOrder(id OrderID) error {
	return errs.New(errs.NotFound, "order_not_found", "there is no order %q", id)
}

// WantedItem is an item as a customer orders it, with the price that the customer has seen.
type WantedItem struct {
	ProductID ProductID
	Quantity  int64
	Price     Price
}

// PricesChanged is the error of an order whose customer has not seen the present prices.
type PricesChanged []NewPrice

// NewPrice is the present price of a product.
type NewPrice struct {
	ProductID ProductID
	Price     Price
}

// Error lists the prices.
func (c PricesChanged) Error() string {
	all := make([]string, len(c))
	for i, n := range c {
		all[i] = fmt.Sprintf("%q is %d %s now", n.ProductID, n.Price.Amount, n.Price.Currency)
	}
	return "prices have changed: " + strings.Join(all, ", ")
}

// NewOrder makes an order of 1 to MaxCartItems products. The cart must have the same products, at the prices that the
// customer has seen. products has the existing ones.
func NewOrder(uid UserID, id OrderID, wanted []WantedItem, cart *Cart, products map[ProductID]*Product,
	now time.Time) (*Order, error) {
	if len(wanted) != len(cart.Items) {
		return nil, errs.New(errs.Conflict, "cart_changed", "the cart has %d products, and the order %d; read the cart again",
			len(cart.Items), len(wanted))
	}
	o := &Order{ID: id, UserID: uid, CreatedAt: now}
	var changed PricesChanged
	twice := map[ProductID]bool{}
	for _, w := range wanted {
		if twice[w.ProductID] {
			return nil, errs.New(errs.Invalid, "product_twice", "the order names product %q twice", w.ProductID)
		}
		twice[w.ProductID] = true
		if cart.Items[string(w.ProductID)] != w.Quantity {
			return nil, errs.New(errs.Conflict, "cart_changed", "the cart has %d of product %q, and the order %d; read the "+
				"cart again", cart.Items[string(w.ProductID)], w.ProductID, w.Quantity)
		}
		p := products[w.ProductID]
		if p == nil || !p.Active {
			return nil, errs.New(errs.Conflict, "product_retired", "product %q is sold no more; take it out of the cart",
				w.ProductID)
		}
		if p.Price != w.Price {
			changed = append(changed, NewPrice{w.ProductID, p.Price})
			continue
		}
		if o.Total.Currency != "" && o.Total.Currency != p.Price.Currency {
			return nil, errs.New(errs.Conflict, "mixed_currencies", "an order is in one currency; order products in %s and "+
				"%s one after the other", o.Total.Currency, p.Price.Currency)
		}
		o.Total.Currency = p.Price.Currency
		o.Total.Amount += p.Price.Amount * w.Quantity
		item := OrderItem{ProductID: w.ProductID, Name: p.Name, Quantity: w.Quantity, UnitPrice: p.Price.Amount}
		if p.Picture != nil {
			item.PictureID = p.Picture.ID
		}
		o.Items = append(o.Items, item)
	}
	if len(changed) > 0 {
		return nil, &errs.Error{Kind: errs.Conflict, Code: "prices_changed", Msg: changed.Error(), Err: changed}
	}
	slices.SortFunc(o.Items, func(a, b OrderItem) int { return cmp.Compare(a.ProductID, b.ProductID) })
	o.Become(OrderPending, now, uid)
	return o, nil
}

// StockWork asks ServeStock to serve the orders that wait for a product: stockRuns/{productId}.
type StockWork struct {
	ProductID ProductID `firestore:"productId"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}
