package rules

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// wrongCart writes carts directly, good ones and bad ones, and tells what the rules do not hold to.
// They check every field.
func (e *emulator) wrongCart(t *testing.T, over func() bool) string {
	t.Helper()
	for _, uid := range []string{"ann", "bob", "guest", "frozen"} {
		if status, body := e.call(t, administrator, http.MethodDelete, e.documents+"/carts/"+uid, nil); status != http.StatusOK {
			t.Errorf("delete the cart of %s: status %d: %s", uid, status, body)
		}
	}
	text := func(s string) any { return map[string]any{"stringValue": s} }
	number := func(n int) any { return map[string]any{"integerValue": fmt.Sprint(n)} }
	in := func(d time.Duration) any {
		return map[string]any{"timestampValue": time.Now().Add(d).UTC().Format(time.RFC3339)}
	}
	items := func(of map[string]any) any { return map[string]any{"mapValue": map[string]any{"fields": of}} }
	product := func(n int) string { return fmt.Sprintf("%020x", n) }
	full := func(n int) any {
		all := map[string]any{}
		for i := range n {
			all[product(i)] = number(model.MaxQuantity)
		}
		return items(all)
	}
	now, month, one := in(0), in(model.GuestCartWindow), items(map[string]any{product(1): number(1)})
	tests := []struct {
		name, by, cart string
		fields         map[string]any
		ok             bool
	}{
		{"a product", "ann", "ann", map[string]any{"items": one, "updatedAt": now}, true},
		{"nothing", "ann", "ann", map[string]any{"items": items(map[string]any{}), "updatedAt": now}, true},
		{"as many products as fit", "ann", "ann", map[string]any{"items": full(model.MaxCartItems), "updatedAt": now}, true},
		{"one product more", "ann", "ann", map[string]any{"items": full(model.MaxCartItems + 1), "updatedAt": now}, false},
		{"somebody else's", "bob", "ann", map[string]any{"items": one, "updatedAt": now}, false},
		{"signed out", signedOut, "ann", map[string]any{"items": one, "updatedAt": now}, false},
		{"a frozen account", "frozen", "frozen", map[string]any{"items": one, "updatedAt": now}, false},
		{"another field", "ann", "ann", map[string]any{"items": one, "updatedAt": now, "total": number(1)}, false},
		{"no items", "ann", "ann", map[string]any{"updatedAt": now}, false},
		{"a text for items", "ann", "ann", map[string]any{"items": text("x"), "updatedAt": now}, false},
		{"none of a product", "ann", "ann", map[string]any{"items": items(map[string]any{product(1): number(0)}), "updatedAt": now}, false},
		{"fewer than none", "ann", "ann", map[string]any{"items": items(map[string]any{product(1): number(-1)}), "updatedAt": now}, false},
		{"too many of a product", "ann", "ann", map[string]any{"items": items(map[string]any{product(1): number(model.MaxQuantity + 1)}), "updatedAt": now}, false},
		{"half of one", "ann", "ann", map[string]any{"items": items(map[string]any{product(1): map[string]any{"doubleValue": 1.5}}), "updatedAt": now}, false},
		{"a text for a quantity", "ann", "ann", map[string]any{"items": items(map[string]any{product(1): text("1")}), "updatedAt": now}, false},
		{"no id of a product", "ann", "ann", map[string]any{"items": items(map[string]any{"x": number(1)}), "updatedAt": now}, false},
		{"a good id behind a bad one", "ann", "ann", map[string]any{"items": items(map[string]any{"a/b": number(1), product(1): number(1)}), "updatedAt": now}, false},
		{"two ids in one key", "ann", "ann", map[string]any{"items": items(map[string]any{product(1) + "," + product(2): number(1)}), "updatedAt": now}, false},
		{"capital letters", "ann", "ann", map[string]any{"items": items(map[string]any{strings.Repeat("A", 20): number(1)}), "updatedAt": now}, false},
		{"no time", "ann", "ann", map[string]any{"items": one}, false},
		{"a text for the time", "ann", "ann", map[string]any{"items": one, "updatedAt": text("now")}, false},
		{"an account's cart does not expire", "ann", "ann", map[string]any{"items": one, "updatedAt": now, "expireAt": month}, false},
		{"a guest's does", "guest", "guest", map[string]any{"items": one, "updatedAt": now, "expireAt": month}, true},
		{"a guest's that does not", "guest", "guest", map[string]any{"items": one, "updatedAt": now}, false},
		{"a guest's that expires late", "guest", "guest", map[string]any{"items": one, "updatedAt": now, "expireAt": in(32 * 24 * time.Hour)}, false},
		{"a guest's that expires soon", "guest", "guest", map[string]any{"items": one, "updatedAt": now, "expireAt": in(28 * 24 * time.Hour)}, false},
		{"a price that was not seen", "bob", "bob", map[string]any{"items": one, "updatedAt": now, "seen": items(map[string]any{product(1): number(1)})}, false},
		{"a first cart", "bob", "bob", map[string]any{"items": one, "updatedAt": now}, true},
		{"a price later", "bob", "bob", map[string]any{"items": one, "updatedAt": now, "seen": items(map[string]any{product(1): number(1)})}, false},
		{"a price that the API writes", administrator, "bob", map[string]any{"items": one, "updatedAt": now, "seen": items(map[string]any{product(1): number(1)})}, true},
		{"the price that was seen", "bob", "bob", map[string]any{"items": full(2), "updatedAt": now, "seen": items(map[string]any{product(1): number(1)})}, true},
		{"another price", "bob", "bob", map[string]any{"items": one, "updatedAt": now, "seen": items(map[string]any{product(1): number(2)})}, false},
		{"orders that were not counted", "bob", "bob", map[string]any{"items": one, "updatedAt": now, "seen": items(map[string]any{product(1): number(1)}), "openAtMost": number(1)}, false},
		{"orders that the API counts", administrator, "bob", map[string]any{"items": one, "updatedAt": now, "openAtMost": number(2)}, true},
		{"as many orders", "bob", "bob", map[string]any{"items": full(2), "updatedAt": now, "openAtMost": number(2)}, true},
		{"fewer orders", "bob", "bob", map[string]any{"items": one, "updatedAt": now, "openAtMost": number(1)}, false},
		{"no orders", "bob", "bob", map[string]any{"items": one, "updatedAt": now}, false},
		{"the price that the API wrote", administrator, "bob", map[string]any{"items": one, "updatedAt": now, "seen": items(map[string]any{product(1): number(1)})}, true},
		{"the price removed", "bob", "bob", map[string]any{"items": one, "updatedAt": now}, false},
	}
	for _, test := range tests {
		if over() {
			return ""
		}
		want := http.StatusForbidden
		if test.ok {
			want = http.StatusOK
		}
		if status, body := e.call(t, test.by, http.MethodPatch, e.documents+"/carts/"+test.cart, map[string]any{"fields": test.fields}); status != want {
			return fmt.Sprintf("a cart with %s: status %d, want %d: %.300s", test.name, status, want, body)
		}
	}
	return ""
}
