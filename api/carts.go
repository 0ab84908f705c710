package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/shop"
)

// Cart is the list of products that the caller wants to order, with current prices.
type Cart struct {
	Items  []CartItem `json:"items" nullable:"false"`
	Totals []Total    `json:"totals" nullable:"false" doc:"What all products that are for sale cost together, one for each currency"`
}

// CartItem is a product in a cart with its current data.
type CartItem struct {
	ProductID model.ProductID    `json:"productId"`
	Quantity  int64              `json:"quantity"`
	Product   *Product           `json:"product,omitempty" doc:"Absent for a product that there is not"`
	Changes   []model.CartChange `json:"changes" nullable:"false" doc:"What is not as the caller has seen it: price_up, price_down, currency_changed; or keeps it from being ordered: sold_out, too_few (in stock), retired"`
}

func (s *service) cartOf(v *shop.View) Cart {
	return Cart{
		Items: each(v.Lines, func(l shop.Line) CartItem {
			item := CartItem{ProductID: l.ProductID, Quantity: l.Quantity, Changes: l.Changes}
			if l.Product != nil {
				p := s.productOf(l.Product)
				item.Product = &p
			}
			return item
		}),
		Totals: each(v.Totals, func(p model.Price) Total { return Total(p) }),
	}
}

type cartOutput struct{ Body Cart }

type putItemInput struct {
	ProductPath
	Body struct {
		Quantity int64 `json:"quantity" minimum:"1" maximum:"99"`
	}
}

// changesCart has the marks of an operation that changes a cart, which guests have, too.
var changesCart = map[string]any{server.ForGuests: true}

type seeCartInput struct {
	Body struct {
		Prices map[string]Price `json:"prices" maxProperties:"50" nullable:"false" doc:"The prices that the caller was shown, by the ids of their products"`
	}
}

type mergeInput struct {
	Body struct {
		GuestToken string `json:"guestToken" minLength:"1" maxLength:"8192" doc:"The ID token of the guest that the caller was before"`
	}
}

// carts adds the operations on the cart of the caller. The caller may be a guest.
func (s *service) carts() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/cart", OperationID: "getCart", Tags: []string{"shop"},
		Summary: "Read the cart of the caller, with what its products cost now",
		Description: "Guests, who are signed in without an account, have a cart too. It expires 30 days after its last " +
			"use; when the guest links an account, it stays. " +
			"A change is told until PUT /v1/cart/seen or PUT /v1/cart/items/{id} says that the caller has seen the price.",
	}, func(ctx context.Context, _ *nothing) (*cartOutput, error) { return s.cart(ctx) })
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/cart/items/{id}", OperationID: "putCartItem", Tags: []string{"shop"},
		Summary: "Put a quantity of a product into the cart, in the place of the quantity that is there",
		Description: "A cart has 50 products at most; one more answers 409 cart_full. Whether there are so many in stock " +
			"is looked at when they are ordered.",
		Errors: []int{http.StatusNotFound, http.StatusConflict}, Metadata: changesCart,
	}, ofProduct(func(ctx context.Context, in *putItemInput, id model.ProductID) (*nothing, error) {
		return nil, s.Shop.Put(ctx, customer(ctx), id, in.Body.Quantity)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/cart/items/{id}", OperationID: "removeCartItem", Tags: []string{"shop"},
		Summary: "Take a product out of the cart", Metadata: changesCart,
	}, ofProduct(func(ctx context.Context, _ *ProductPath, id model.ProductID) (*nothing, error) {
		return nil, s.Shop.Remove(ctx, customer(ctx), id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/cart/seen", OperationID: "seeCart", Tags: []string{"shop"},
		Summary: "Say which prices the caller was shown", Description: "From then on GET /v1/cart tells what differs from " +
			"these.", Metadata: changesCart,
	}, func(ctx context.Context, in *seeCartInput) (*nothing, error) {
		prices := map[model.ProductID]model.Price{}
		for text, price := range in.Body.Prices {
			id, err := model.ParseProductID(text)
			if err != nil {
				return nil, err
			}
			prices[id] = model.Price(price)
		}
		return nil, s.Shop.See(ctx, customer(ctx), prices)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/cart/merge", OperationID: "mergeCarts", Tags: []string{"shop"},
		Summary: "Take over the cart of the guest that the caller was before",
		Description: "For a guest who signed in to an account that was there before. What is in the guest's cart is added " +
			"to the caller's, and the guest's cart is gone: " +
			"it is added once, however often the request is sent. If the cart would have more than 50 products, the answer " +
			"is 409 cart_full, and both carts stay as they are.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *mergeInput) (*cartOutput, error) {
		guest, err := s.Verifier.Verify(ctx, in.Body.GuestToken)
		if kind := errs.KindOf(err); err != nil && kind != errs.Unauthenticated {
			return nil, err
		}
		if err != nil || !guest.Anonymous {
			return nil, errs.New(errs.Invalid, "invalid_guest_token",
				"guestToken is not the ID token of a guest, or has expired")
		}
		if of := customer(ctx); guest.UID != of.ID {
			if err := s.Shop.Merge(ctx, of, guest.UID); err != nil {
				return nil, err
			}
		}
		return s.cart(ctx)
	})
}

// cart returns the answer with the caller's cart.
func (s *service) cart(ctx context.Context) (*cartOutput, error) {
	v, err := s.Shop.View(ctx, customer(ctx))
	if err != nil {
		return nil, err
	}
	return &cartOutput{s.cartOf(v)}, nil
}

// customer returns the caller as the owner of a cart.
func customer(ctx context.Context) shop.Customer {
	c := server.Caller(ctx)
	return shop.Customer{ID: c.UID, Guest: c.Anonymous}
}
