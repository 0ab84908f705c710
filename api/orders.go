package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Order is an order of a customer.
type Order struct {
	ID        model.OrderID     `json:"id"`
	UserID    model.UserID      `json:"userId"`
	Items     []OrderItem       `json:"items" nullable:"false"`
	Total     Total             `json:"total"`
	Status    model.OrderStatus `json:"status" enum:"pending,confirmed,rejected,cancelled,shipped" doc:"pending until the stock was looked at, which takes a second or two"`
	Reason    *OrderReason      `json:"reason,omitempty" doc:"Of a rejected order"`
	Guest     bool              `json:"guest,omitempty" doc:"Whether the customer had no profile"`
	Email     string            `json:"email,omitempty" doc:"The e-mail address of a guest, until 30 days after the order was closed"`
	ShipBy    *time.Time        `json:"shipBy,omitempty" doc:"When the open order of a guest is cancelled unless it was shipped; up to a day later"`
	History   []OrderChange     `json:"history" nullable:"false" doc:"Every state of the order, oldest first"`
	CreatedAt time.Time         `json:"createdAt"`
}

// OrderItem is a product of an order with the data of the time of the order.
type OrderItem struct {
	ProductID model.ProductID `json:"productId"`
	Name      string          `json:"name"`
	Quantity  int64           `json:"quantity"`
	UnitPrice int64           `json:"unitPrice" doc:"In minor units of the total's currency"`
	Image     string          `json:"image,omitempty" doc:"URL of a small picture of the product when it was ordered; absent for none. It may be gone"`
}

// OrderReason is the reason why an order was rejected.
type OrderReason struct {
	Code      model.CartChange `json:"code" enum:"sold_out,too_few,retired,guest_share" doc:"guest_share: orders of guests hold as many pieces as they may"`
	ProductID model.ProductID  `json:"productId"`
}

// OrderChange is one change of the state of an order.
type OrderChange struct {
	Status model.OrderStatus `json:"status" enum:"pending,confirmed,rejected,cancelled,shipped"`
	At     time.Time         `json:"at"`
	By     model.UserID      `json:"by,omitempty" doc:"The customer or administrator; absent for the shop itself"`
}

func (s *service) orderOf(o *model.Order) Order {
	out := Order{
		ID: o.ID, UserID: o.UserID, Total: Total(o.Total), Status: o.Status, CreatedAt: o.CreatedAt,
		Guest: o.Guest, Email: o.Email,
		Items:   each(o.Items, s.orderItemOf),
		History: each(o.History, func(c model.OrderChange) OrderChange { return OrderChange(c) }),
	}
	if o.Open() {
		out.ShipBy = o.DueAt
	}
	if o.Reason != nil {
		out.Reason = new(OrderReason(*o.Reason))
	}
	return out
}

func (s *service) orderItemOf(i model.OrderItem) OrderItem {
	item := OrderItem{ProductID: i.ProductID, Name: i.Name, Quantity: i.Quantity, UnitPrice: i.UnitPrice}
	if i.PictureID != "" {
		picture := model.ProductPicture{ID: i.PictureID}
		item.Image = s.Media.PublicAddresses(picture.TweetMedia())[model.SizeSmall]
	}
	return item
}

type placeOrderInput struct {
	IdempotencyKey string `header:"Idempotency-Key" required:"true" maxLength:"64" pattern:"^[!-.0-~]+$" patternDescription:"printable ASCII without spaces and slashes" doc:"Makes a repeated request one order"`
	Body           struct {
		Items []wantedItem `json:"items" minItems:"1" maxItems:"50" nullable:"false" doc:"All that is in the cart, as the caller was shown it"`
		Email string       `json:"email,omitempty" maxLength:"254" doc:"Where the shop reaches the customer; needed without a profile. Kept in lower case, at most 100 characters" example:"ann@example.com"`
	}
}

type wantedItem struct {
	ProductID string `json:"productId"`
	Quantity  int64  `json:"quantity" minimum:"1" maximum:"99"`
	Price     Price  `json:"price" doc:"The price of one piece that the caller was shown"`
}

// OrderPath is the part of a request that names an order.
type OrderPath struct {
	ID string `path:"id" doc:"Id of the order: 18 lower-case hexadecimal digits"`
}

type orderOutput struct{ Body Order }

type createdOrder struct {
	Location string `header:"Location"`
	Body     Order
}

// emailOfOrder returns the address with which the caller orders. A guest without one is errs.Invalid (email_required).
func emailOfOrder(ctx context.Context, email string) (string, error) {
	if email == "" && server.Caller(ctx).Anonymous {
		return "", errs.New(errs.Invalid, "email_required", "a guest orders with an e-mail address")
	}
	if email == "" {
		return "", nil
	}
	return model.ParseEmail(email)
}

// orders adds the operations on orders of customers.
func (s *service) orders() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/orders", OperationID: "placeOrder", Tags: []string{"shop"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Order what is in the cart",
		Description: "The order is pending, the cart is empty, and the prices are frozen. Within about two seconds for " +
			"each product in it the order is confirmed, or rejected for the stock; then its items are in the cart again, as " +
			"far as the cart has room for them. " +
			"Whoever listens to users/{uid}/orders/{id}, or reads the order, learns it, and gets a notification. " +
			"If the cart or a price is not as items say, the answer is 409 cart_changed, product_retired or prices_changed, " +
			"with what is new in the detail, and new prices in prices. " +
			"A caller may have 20 orders that are pending or confirmed; beyond that the answer is 409 too_many_orders, until " +
			"one is shipped or cancelled. A different request with the same key answers 409 idempotency_key_reused. " +
			"A guest, and a caller who has not made a profile yet, orders with an e-mail address: it is 400 email_required " +
			"for a guest and 403 profile_required for others without one. Such a caller may have 3 open orders, each of 10 " +
			"pieces; more answers 409 too_many_pieces. All guests together hold half of a product's pieces at most; beyond " +
			"that an order is rejected with the reason guest_share. An order that was not shipped after 72 hours is " +
			"cancelled within a day. The caller and administrators see the address, until 30 days after the order was " +
			"closed. The address of a caller with a profile is not kept. The orders of a guest stay with the guest's uid: an " +
			"account that is linked to it has them, and another account does not.",
		Errors: []int{http.StatusConflict}, Metadata: map[string]any{server.ForGuests: true},
	}, func(ctx context.Context, in *placeOrderInput) (*createdOrder, error) {
		email, err := emailOfOrder(ctx, in.Body.Email)
		if err != nil {
			return nil, err
		}
		var wanted []model.WantedItem
		for _, w := range in.Body.Items {
			id, err := model.ParseProductID(w.ProductID)
			if err != nil {
				return nil, err
			}
			wanted = append(wanted, model.WantedItem{ProductID: id, Quantity: w.Quantity, Price: model.Price(w.Price)})
		}
		asked := hashOf(wanted)
		if email != "" {
			asked = hashOf([]any{wanted, email})
		}
		o, err := s.Orders.Place(ctx, server.Caller(ctx).UID, email, wanted,
			model.Request{Key: in.IdempotencyKey, Hash: asked})
		if err != nil {
			return nil, err
		}
		return &createdOrder{Location: "/v1/orders/" + string(o.ID), Body: s.orderOf(o)}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/orders", OperationID: "listOrders", Tags: []string{"shop"},
		Summary: "List the orders of the caller, newest first",
	}, func(ctx context.Context, in *server.Paging) (*server.ListOutput[Order], error) {
		uid := server.Caller(ctx).UID
		found, err := server.CursorPage(s.Server, "orders of "+string(uid), *in,
			func(from model.Cursor) (model.Page[*model.Order], error) {
				return s.Orders.Of(ctx, uid, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, func(o *model.Order) (Order, bool) { return s.orderOf(o), true }), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/orders/{id}", OperationID: "getOrder", Tags: []string{"shop"},
		Summary: "Read an order of the caller", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *OrderPath) (*orderOutput, error) {
		id, err := model.ParseOrderID(in.ID)
		if err != nil {
			return nil, err
		}
		return s.orderOutputOf(s.Orders.Order(ctx, server.Caller(ctx).UID, id))
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/orders/{id}/cancel", OperationID: "cancelOrder", Tags: []string{"shop"},
		Summary: "Cancel an order of the caller that was not shipped",
		Description: "What it holds is in stock again within about two seconds for each product. An order that is " +
			"cancelled stays so, and the answer is 200 again. " +
			"One that was rejected or shipped answers 409 order_state.",
		Errors:   []int{http.StatusNotFound, http.StatusConflict},
		Metadata: map[string]any{server.ForGuests: true},
	}, func(ctx context.Context, in *OrderPath) (*orderOutput, error) {
		id, err := model.ParseOrderID(in.ID)
		if err != nil {
			return nil, err
		}
		return s.orderOutputOf(s.Orders.Cancel(ctx, server.Caller(ctx).UID, id, server.Caller(ctx).UID))
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/orders", OperationID: "listAllOrders", Tags: []string{"shop"},
		Summary:     "List the orders of all users that have a state, oldest first",
		Description: "The confirmed ones are those to ship.",
	}, func(ctx context.Context, in *struct {
		server.Paging
		Status model.OrderStatus `query:"status" enum:"pending,confirmed,rejected,cancelled,shipped" default:"confirmed" doc:"The state that the orders have"`
	}) (*server.ListOutput[Order], error) {
		found, err := server.CursorPage(s.Server, string(in.Status)+" orders", in.Paging,
			func(from model.Cursor) (model.Page[*model.Order], error) {
				return s.Orders.InState(ctx, in.Status, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, func(o *model.Order) (Order, bool) { return s.orderOf(o), true }), nil
	})
	for _, act := range []struct {
		act                            model.Act
		path, id, summary, description string
		do                             func(context.Context, model.UserID, model.OrderID, model.UserID) (*model.Order, error)
	}{
		{model.ActShip, "ship", "shipOrder", "Note that a confirmed order of a user was shipped",
			"An order that is shipped stays so, and the answer is 200 again. Any other answers 409 order_state.", s.Orders.Ship},
		{model.ActCancel, "cancel", "cancelOrderOf", "Cancel an order of a user that was not shipped",
			"As the user could, and also of a user who is frozen or suspended. What it holds is in stock again within about " +
				"two seconds for each product.", s.Orders.Cancel},
	} {
		server.Register(s.Server, server.Admins, huma.Operation{
			Method: http.MethodPost, Path: "/v1/admin/users/{uid}/orders/{id}/" + act.path, OperationID: act.id,
			Tags:    []string{"shop"},
			Summary: act.summary, Description: act.description,
			Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, func(ctx context.Context, in *struct {
			UID string `path:"uid" doc:"User id"`
			OrderPath
		}) (*orderOutput, error) {
			uid, err := model.ParseUserID(in.UID)
			if err != nil {
				return nil, err
			}
			id, err := model.ParseOrderID(in.ID)
			if err != nil {
				return nil, err
			}
			if err := s.Moderation.Log(ctx, actorOf(server.Caller(ctx), ""), model.Action{Act: act.act, UserID: uid,
				OrderID: id}); err != nil {
				return nil, err
			}
			return s.orderOutputOf(act.do(ctx, uid, id, server.Caller(ctx).UID))
		})
	}
}

// orderOutputOf returns the answer with an order.
func (s *service) orderOutputOf(o *model.Order, err error) (*orderOutput, error) {
	if err != nil {
		return nil, err
	}
	return &orderOutput{s.orderOf(o)}, nil
}
