package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// atOnce sends n requests at once, each again while the database is busy, and counts their answers
// by status.
func atOnce(n int, send func(n int) reply) map[string]int {
	answers := make([]reply, n)
	testenv.AtOnce(n, func(i int) error {
		if answers[i] = send(i); answers[i].status == http.StatusServiceUnavailable {
			return errs.New(errs.Unavailable, "", "busy")
		}
		return nil
	})
	counts := map[string]int{}
	for _, r := range answers {
		counts[fmt.Sprint(r.status)]++
	}
	return counts
}

// A hostile customer orders, cancels and ships twice at once, guesses ids, and orders more than the stock. Every answer
// is an error with its reason, and no piece is lost, doubled or kept.
func TestHostileOrders(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	admin, ann, bob := shopAdmin(t), e.join(t, "ann"), e.join(t, "bob")
	p := e.sell(t, admin, "Senko", 300, 5)
	item := func(quantity, amount any) map[string]any {
		return map[string]any{"productId": p.ID, "quantity": quantity, "price": map[string]any{"amount": amount,
			"currency": "JPY"}}
	}
	place := func(who person, key string, items ...any) reply {
		return e.do(t, "POST", "/v1/orders", who.token, map[string]any{"items": items}, "Idempotency-Key", key)
	}
	fill := func(who person) {
		t.Helper()
		e.do(t, "PUT", "/v1/cart/items/"+string(p.ID), who.token, map[string]any{"quantity": 2}).
			want(t, http.StatusNoContent, nil)
	}
	stock := func(want int64) {
		t.Helper()
		for range 2 { // a run that finds nothing changes nothing
			testenv.Must(t, e.db.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
		}
		var is api.Product
		e.do(t, "GET", "/v1/products/"+string(p.ID), "", nil).want(t, http.StatusOK, &is)
		if is.AmountInStock != want {
			t.Errorf("%d pieces are in stock, want %d", is.AmountInStock, want)
		}
	}
	last := func(who person) (o api.Order, n int) {
		t.Helper()
		var page struct {
			Items         []api.Order
			NextPageToken string
		}
		e.do(t, "GET", "/v1/orders", who.token, nil).want(t, http.StatusOK, &page)
		if len(page.Items) > 0 {
			o = page.Items[0]
		}
		return o, len(page.Items)
	}

	fill(ann)
	for _, quantity := range []any{0, -2, 100, int64(1) << 62, 2.5, "2", nil} {
		place(ann, "q", item(quantity, 300)).problem(t, http.StatusBadRequest, "invalid_request")
	}
	for _, amount := range []any{-1, 1_000_000_000, "300"} {
		place(ann, "a", item(2, amount)).problem(t, http.StatusBadRequest, "invalid_request")
	}
	place(ann, "many", make([]any, 51)...).problem(t, http.StatusBadRequest, "invalid_request")
	place(ann, "twice", item(2, 300), item(2, 300)).problem(t, http.StatusConflict, "cart_changed")
	place(ann, "other", map[string]any{"productId": "00000000000000000000", "quantity": 2,
		"price": map[string]any{"amount": 300, "currency": "JPY"}}).problem(t, http.StatusConflict, "cart_changed")
	place(ann, "odd", map[string]any{"productId": "../orders", "quantity": 2, "price": map[string]any{"amount": 300,
		"currency": "JPY"}}).problem(t, http.StatusBadRequest, "invalid_product_id")
	if _, n := last(ann); n != 0 {
		t.Errorf("%d orders were made of bad requests", n)
	}

	// The cart is ordered once, whatever keys come at once; and the key of somebody else is nobody's.
	if got := atOnce(6, func(n int) reply { return place(ann, fmt.Sprint("key", n), item(2, 300)) }); got["201"] != 1 ||
		got["409"] != 5 {
		t.Errorf("6 requests at once for one cart answer %v, want one 201", got)
	}
	stock(3)
	o, n := last(ann)
	if n != 1 || o.Status != model.OrderConfirmed {
		t.Fatalf("%d orders, the last is %+v; want one that is confirmed", n, o)
	}
	for i := range 6 {
		place(bob, fmt.Sprint("key", i), item(2, 300)).problem(t, http.StatusConflict, "cart_changed")
	}

	path := "/v1/orders/" + string(o.ID)
	of := func(uid, id, act string) string { return "/v1/admin/users/" + uid + "/orders/" + id + "/" + act }
	for _, act := range []string{"ship", "cancel"} {
		e.do(t, "POST", of(string(ann.id), string(o.ID), act), ann.token, nil).problem(t, http.StatusForbidden, "not_admin")
		e.do(t, "POST", of(string(bob.id), string(o.ID), act), admin, nil).problem(t, http.StatusNotFound, "order_not_found")
		e.do(t, "POST", of("nobody", string(o.ID), act), admin, nil).problem(t, http.StatusNotFound, "order_not_found")
		e.do(t, "POST", of(string(ann.id), "FF"+string(o.ID[2:]), act), admin, nil).
			problem(t, http.StatusBadRequest, "invalid_order_id")
		e.do(t, "POST", of("..", string(o.ID), act), admin, nil).problem(t, http.StatusBadRequest, "invalid_user_id")
	}
	e.do(t, "GET", path, bob.token, nil).problem(t, http.StatusNotFound, "order_not_found")
	e.do(t, "POST", path+"/cancel", bob.token, nil).problem(t, http.StatusNotFound, "order_not_found")
	stock(3)

	// Orders are canceled once, however many requests ask for it at once.
	if got := atOnce(6, func(n int) reply {
		if n%2 == 0 {
			return e.do(t, "POST", of(string(ann.id), string(o.ID), "cancel"), admin, nil)
		}
		return e.do(t, "POST", path+"/cancel", ann.token, nil)
	}); got["200"] != 6 {
		t.Errorf("6 cancellations at once answer %v", got)
	}
	stock(5)
	if o, _ = last(ann); len(o.History) != 3 {
		t.Errorf("the history is %+v", o.History)
	}

	// Of a cancellation and a shipment at once, one wins.
	fill(ann)
	place(ann, "again", item(2, 300)).want(t, http.StatusCreated, &o)
	stock(3)
	got := atOnce(2, func(n int) reply {
		if n == 0 {
			return e.do(t, "POST", of(string(ann.id), string(o.ID), "ship"), admin, nil)
		}
		return e.do(t, "POST", "/v1/orders/"+string(o.ID)+"/cancel", ann.token, nil)
	})
	if got["200"] != 1 || got["409"] != 1 {
		t.Errorf("a shipment and a cancellation at once answer %v", got)
	}
	if o, _ = last(ann); o.Status == model.OrderShipped {
		stock(3)
	} else {
		stock(5)
	}
}
