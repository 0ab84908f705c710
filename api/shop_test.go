package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// shopAdmin signs an administrator up.
func shopAdmin(t *testing.T) string {
	t.Helper()
	return testenv.Token(emulators.DefaultProject, map[string]any{"sub": testenv.SignUp(t, "").UID, "admin": true})
}

// sell adds a product with a stock.
func (e *env) sell(t *testing.T, admin, name string, amount, stock int64) (p api.Product) {
	t.Helper()
	e.do(t, "POST", "/v1/products", admin, map[string]any{
		"name": name, "price": map[string]any{"amount": amount, "currency": "JPY"}, "stock": stock,
	}).want(t, http.StatusCreated, &p)
	return p
}

// Administrators keep the products, under the ETags that they have read; everybody sees them.
func TestProducts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	admin := shopAdmin(t)
	p := e.sell(t, admin, "Senko", 300, 5)
	var first api.Product
	for range 2 {
		var got api.Product
		r := e.do(t, "POST", "/v1/products", admin, map[string]any{"name": "Tsuta", "price": map[string]any{"amount": 1,
			"currency": "JPY"}, "stock": 0}, "Idempotency-Key", "k")
		r.want(t, http.StatusCreated, &got)
		if first.ID == "" {
			first = got
		}
		if got != first || r.header.Get("Location") != "/v1/products/"+string(got.ID) {
			t.Errorf("a repeated request made %+v at %q, want %+v", got, r.header.Get("Location"), first)
		}
	}
	e.do(t, "POST", "/v1/products", admin, map[string]any{"name": "Other", "price": map[string]any{"amount": 1,
		"currency": "JPY"}, "stock": 0}, "Idempotency-Key", "k").
		problem(t, http.StatusConflict, "idempotency_key_reused")

	path := "/v1/products/" + string(p.ID)
	tag := e.do(t, "GET", path, "", nil).want(t, http.StatusOK, nil).header.Get("ETag")
	e.do(t, "PATCH", path, admin, map[string]any{"price": map[string]any{"amount": 350, "currency": "JPY"}}, "If-Match",
		tag).want(t, http.StatusOK, &p)
	if p.Price.Amount != 350 || p.Version != 1 {
		t.Errorf("changed to %+v", p)
	}
	e.do(t, "PATCH", path, admin, map[string]any{"name": "late"}, "If-Match", tag).
		problem(t, http.StatusPreconditionFailed, "product_changed")
	e.do(t, "PATCH", path, admin, map[string]any{}).problem(t, http.StatusBadRequest, "empty_patch")
	e.do(t, "PATCH", path, admin, `{"name":null}`).problem(t, http.StatusBadRequest, "invalid_request")
	for range 2 {
		e.do(t, "POST", path+"/restock", admin, map[string]any{"pieces": 3}, "Idempotency-Key", "r").
			want(t, http.StatusOK, &p)
		if p.AmountInStock != 8 {
			t.Errorf("%d in stock, want 8", p.AmountInStock)
		}
	}
	e.do(t, "POST", path+"/restock", admin, map[string]any{"pieces": 3}).
		problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "POST", path+"/restock", admin, map[string]any{"pieces": -9}, "Idempotency-Key", "s").
		problem(t, http.StatusConflict, "stock_out_of_range")

	var page struct {
		Items         []api.Product
		NextPageToken string
	}
	e.do(t, "GET", "/v1/products?sort=price&pageSize=1", "", nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].ID != first.ID || page.NextPageToken == "" {
		t.Errorf("the cheapest is on %+v", page)
	}
	e.do(t, "GET", "/v1/products?sort=price&pageSize=1&pageToken="+page.NextPageToken, "", nil).
		want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].ID != p.ID {
		t.Errorf("the next is on %+v", page)
	}
	e.do(t, "PATCH", path, admin, map[string]any{"active": false}).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/products", "", nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 {
		t.Errorf("%d products are for sale, want 1", len(page.Items))
	}
	e.do(t, "GET", path, "", nil).want(t, http.StatusOK, &p)
	if p.Active {
		t.Error("the retired product is active")
	}
	e.do(t, "GET", "/v1/products/x", "", nil).problem(t, http.StatusBadRequest, "invalid_product_id")
	e.do(t, "GET", "/v1/products/00000000000000000000", "", nil).problem(t, http.StatusNotFound, "product_not_found")
}

// A guest's cart lists what changed, and an account takes it over once.
func TestCart(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	admin, guest, ann := shopAdmin(t), signUpAnonymously(t), e.join(t, "ann")
	a, b := e.sell(t, admin, "Senko", 300, 5), e.sell(t, admin, "Tsuta", 500, 1)
	put := func(token string, id model.ProductID, n int) reply {
		return e.do(t, "PUT", "/v1/cart/items/"+string(id), token, map[string]any{"quantity": n})
	}
	put(guest, a.ID, 2).want(t, http.StatusNoContent, nil)
	put(guest, b.ID, 2).want(t, http.StatusNoContent, nil)
	e.do(t, "PATCH", "/v1/products/"+string(a.ID), admin,
		map[string]any{"price": map[string]any{"amount": 310, "currency": "JPY"}}).want(t, http.StatusOK, nil)
	look := func(token string) map[string]string {
		t.Helper()
		var c api.Cart
		e.do(t, "GET", "/v1/cart", token, nil).want(t, http.StatusOK, &c)
		all := map[string]string{"total": fmt.Sprint(c.Totals)}
		for _, item := range c.Items {
			all[item.Product.Name] = fmt.Sprint(item.Quantity, item.Changes)
		}
		return all
	}
	check := func(token, senko, tsuta, total string) {
		t.Helper()
		got := look(token)
		if got["Senko"] != senko || got["Tsuta"] != tsuta || got["total"] != total {
			t.Errorf("cart %v, want %s, %s, %s", got, senko, tsuta, total)
		}
	}
	check(guest, "2 [price_up]", "2 [too_few]", "[{1620 JPY}]")
	e.do(t, "PUT", "/v1/cart/seen", guest,
		map[string]any{"prices": map[string]any{string(a.ID): map[string]any{"amount": 310, "currency": "JPY"}}}).
		want(t, http.StatusNoContent, nil)
	check(guest, "2 []", "2 [too_few]", "[{1620 JPY}]")
	put(ann.token, a.ID, 1).want(t, http.StatusNoContent, nil)
	for range 2 {
		e.do(t, "POST", "/v1/cart/merge", ann.token, map[string]any{"guestToken": guest}).want(t, http.StatusOK, nil)
		check(ann.token, "3 []", "2 [too_few]", "[{1930 JPY}]")
	}
	check(guest, "", "", "[]")
	for _, token := range []string{"x", ann.token, testenv.SignUp(t, "").IDToken} {
		e.do(t, "POST", "/v1/cart/merge", ann.token, map[string]any{"guestToken": token}).
			problem(t, http.StatusBadRequest, "invalid_guest_token")
	}
	e.do(t, "DELETE", "/v1/cart/items/"+string(b.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	check(ann.token, "3 []", "", "[{930 JPY}]")
	for _, n := range []int{0, 100, -1} {
		put(ann.token, a.ID, n).problem(t, http.StatusBadRequest, "invalid_request")
	}
	put(ann.token, "x", 1).problem(t, http.StatusBadRequest, "invalid_product_id")
	put(ann.token, "00000000000000000000", 1).problem(t, http.StatusNotFound, "product_not_found")
	e.do(t, "PUT", "/v1/cart/seen", ann.token,
		map[string]any{"prices": map[string]any{"x": map[string]any{"amount": 1, "currency": "JPY"}}}).
		problem(t, http.StatusBadRequest, "invalid_product_id")
	e.do(t, "PUT", "/v1/cart/seen", ann.token,
		map[string]any{"prices": map[string]any{string(a.ID): map[string]any{"amount": 1, "currency": "XYZ"}}}).
		problem(t, http.StatusBadRequest, "invalid_price")
}

// An order of what the caller was shown is placed once for a key, and followed and cancelled by
// its customer alone; administrators ship what is confirmed.
func TestOrders(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	admin, ann, bob := shopAdmin(t), e.join(t, "ann"), e.join(t, "bob")
	p := e.sell(t, admin, "Senko", 300, 5)
	e.do(t, "PUT", "/v1/cart/items/"+string(p.ID), ann.token, map[string]any{"quantity": 2}).
		want(t, http.StatusNoContent, nil)
	order := func(amount int64, key string) reply {
		return e.do(t, "POST", "/v1/orders", ann.token, map[string]any{"items": []any{
			map[string]any{"productId": p.ID, "quantity": 2, "price": map[string]any{"amount": amount, "currency": "JPY"}},
		}}, "Idempotency-Key", key)
	}
	if got := order(299, "a").problem(t, http.StatusConflict, "prices_changed"); !strings.Contains(got.Detail,
		"300 JPY") ||
		!slices.Equal(got.Prices, []api.NewPrice{{ProductID: p.ID, Price: api.Price{Amount: 300, Currency: "JPY"}}}) {
		t.Errorf("the detail is %q, and the prices are %v; want the new price", got.Detail, got.Prices)
	}
	var first, again api.Order
	r := order(300, "b").want(t, http.StatusCreated, &first)
	order(300, "b").want(t, http.StatusCreated, &again)
	if first.ID != again.ID || first.Total != (api.Total{Amount: 600, Currency: "JPY"}) ||
		first.Status != model.OrderPending || r.header.Get("Location") != "/v1/orders/"+string(first.ID) {
		t.Errorf("ordered %+v, and then %+v", first, again)
	}
	order(299, "b").problem(t, http.StatusConflict, "idempotency_key_reused")
	order(300, "c").problem(t, http.StatusConflict, "cart_changed")
	path, ship := "/v1/orders/"+string(first.ID), "/v1/admin/users/"+string(ann.id)+"/orders/"+string(first.ID)+"/ship"
	e.do(t, "POST", ship, admin, nil).problem(t, http.StatusConflict, "order_state")
	testenv.Must(t, e.db.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
	e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &first)
	if n := len(first.History); first.Status != model.OrderConfirmed || n != 2 || first.History[0].By != ann.id ||
		first.History[1].By != "" {
		t.Errorf("the order is %+v", first)
	}
	e.do(t, "GET", path, bob.token, nil).problem(t, http.StatusNotFound, "order_not_found")
	e.do(t, "POST", path+"/cancel", bob.token, nil).problem(t, http.StatusNotFound, "order_not_found")
	for range 2 {
		e.do(t, "POST", ship, admin, nil).want(t, http.StatusOK, &first)
	}
	if first.Status != model.OrderShipped || len(first.History) != 3 {
		t.Errorf("shipped to %+v", first)
	}
	e.do(t, "POST", path+"/cancel", ann.token, nil).problem(t, http.StatusConflict, "order_state")
	var page struct {
		Items         []api.Order
		NextPageToken string
	}
	e.do(t, "GET", "/v1/admin/orders?status=shipped", admin, nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].ID != first.ID || page.Items[0].UserID != ann.id {
		t.Errorf("shipped orders %+v", page.Items)
	}
	e.do(t, "GET", "/v1/admin/orders", admin, nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 0 {
		t.Errorf("orders to ship %+v", page.Items)
	}
	e.do(t, "GET", "/v1/admin/orders?status=lost", admin, nil).problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "GET", "/v1/admin/orders", ann.token, nil).problem(t, http.StatusForbidden, "not_admin")
	e.do(t, "GET", "/v1/orders", ann.token, nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].ID != first.ID {
		t.Errorf("orders %+v", page.Items)
	}
	e.do(t, "GET", "/v1/orders/x", ann.token, nil).problem(t, http.StatusBadRequest, "invalid_order_id")
	e.do(t, "POST", "/v1/orders", ann.token, map[string]any{"items": []any{}}, "Idempotency-Key", "d").
		problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "POST", "/v1/orders", ann.token, map[string]any{"items": []any{}}).
		problem(t, http.StatusBadRequest, "invalid_request")
}

// A guest orders with an e-mail address, and sees and cancels the order. Others see nothing of it; the shop sees the
// address.
func TestGuestOrders(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	admin, guest, other := shopAdmin(t), signUpAnonymously(t), signUpAnonymously(t)
	p := e.sell(t, admin, "Senko", 300, 5)
	e.do(t, "PUT", "/v1/cart/items/"+string(p.ID), guest, map[string]any{"quantity": 2}).want(t, http.StatusNoContent, nil)
	place := func(token, email string) reply {
		body := map[string]any{"items": []any{map[string]any{"productId": p.ID, "quantity": 2,
			"price": map[string]any{"amount": 300, "currency": "JPY"}}}}
		if email != "" {
			body["email"] = email
		}
		return e.do(t, "POST", "/v1/orders", token, body, "Idempotency-Key", "one")
	}
	place(guest, "").problem(t, http.StatusBadRequest, "email_required")
	place(guest, "nobody").problem(t, http.StatusBadRequest, "invalid_email")
	place(guest, strings.Repeat("a", 100)+"@x.example").problem(t, http.StatusBadRequest, "email_too_long")
	var made, again, seen api.Order
	place(guest, "Ann@Example.com").want(t, http.StatusCreated, &made)
	place(guest, "ann@example.com").want(t, http.StatusCreated, &again)
	place(guest, "bob@example.com").problem(t, http.StatusConflict, "idempotency_key_reused")
	if made.Email != "ann@example.com" || again.ID != made.ID || !made.Guest ||
		made.ShipBy == nil || !made.ShipBy.Equal(made.CreatedAt.Add(model.GuestOrderWindow)) {
		t.Errorf("the orders are %+v and %+v", made, again)
	}
	path := "/v1/orders/" + string(made.ID)
	e.do(t, "GET", path, guest, nil).want(t, http.StatusOK, &seen)
	e.do(t, "GET", path, other, nil).problem(t, http.StatusNotFound, "order_not_found")
	e.do(t, "POST", path+"/cancel", other, nil).problem(t, http.StatusNotFound, "order_not_found")
	var list struct {
		Items         []api.Order
		NextPageToken string
	}
	e.do(t, "GET", "/v1/admin/orders?status=pending", admin, nil).want(t, http.StatusOK, &list)
	if len(list.Items) != 1 || list.Items[0].Email != "ann@example.com" || !list.Items[0].Guest {
		t.Errorf("the shop sees %+v", list.Items)
	}
	seen = api.Order{}
	e.do(t, "POST", path+"/cancel", guest, nil).want(t, http.StatusOK, &seen)
	if seen.Status != model.OrderCancelled || seen.ShipBy != nil {
		t.Errorf("the order is %+v", seen)
	}
	e.do(t, "PUT", "/v1/cart/items/"+string(p.ID), guest, map[string]any{"quantity": 11}).
		want(t, http.StatusNoContent, nil)
	e.do(t, "POST", "/v1/orders", guest, map[string]any{"email": "ann@example.com", "items": []any{map[string]any{
		"productId": p.ID, "quantity": 11, "price": map[string]any{"amount": 300, "currency": "JPY"}}}}, "Idempotency-Key",
		"many").problem(t, http.StatusConflict, "too_many_pieces")
}

// All guests of an address share a number of orders a day: an anonymous sign-in is free.
func TestLimitsOfGuestOrders(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withLimits(t, "visitor-orders=1/day"))
	p := e.sell(t, shopAdmin(t), "Senko", 300, 50)
	order := func(token, address string) reply {
		t.Helper()
		e.do(t, "PUT", "/v1/cart/items/"+string(p.ID), token, map[string]any{"quantity": 1}, "X-Forwarded-For", address).
			want(t, http.StatusNoContent, nil)
		return e.do(t, "POST", "/v1/orders", token, map[string]any{"email": "ann@example.com", "items": []any{map[string]any{
			"productId": p.ID, "quantity": 1, "price": map[string]any{"amount": 300, "currency": "JPY"}}}},
			"Idempotency-Key", "one", "X-Forwarded-For", address)
	}
	order(signUpAnonymously(t), "192.0.2.1").want(t, http.StatusCreated, nil)
	order(signUpAnonymously(t), "192.0.2.1").limited(t, "visitor-orders-day")
	order(signUpAnonymously(t), "192.0.2.2").want(t, http.StatusCreated, nil)
	order(e.join(t, "ann").token, "192.0.2.1").want(t, http.StatusCreated, nil)
}
