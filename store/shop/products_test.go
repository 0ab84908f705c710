package shop_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
)

func yen(n int64) model.Price { return model.Price{Amount: n, Currency: "JPY"} }

// add adds a product with ten pieces in stock.
func add(t *testing.T, e *storetest.Env, name string, price model.Price) *model.Product {
	t.Helper()
	p, err := e.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: name, Price: price}, 10, model.Request{})
	testenv.Must(t, err)
	return p
}

// A repeated request adds one product, and a lost answer makes no difference.
func TestAdd(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{Meter: meter.Options{Below: storetest.LoseFirst(func() {}).Lose}})
	d := model.ProductDraft{Name: "Senko", Description: "A sparkler", Price: yen(300),
		Image: "https://example.com/senko.webp"}
	r := model.Request{Key: "one", Hash: "hash"}
	var first *model.Product
	for range 2 {
		p, err := e.Shop.Add(t.Context(), "admin", d, 10, r)
		testenv.Must(t, err)
		if first == nil {
			first = p
		}
		if diff := cmp.Diff(first, p); diff != "" {
			t.Errorf("the second request (-first +second):\n%s", diff)
		}
	}
	if got := e.IDs(t, model.Products); len(got) != 1 {
		t.Errorf("%d products, want 1", len(got))
	}
	_, err := e.Shop.Add(t.Context(), "admin", d, 10, model.Request{Key: "one", Hash: "another"})
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")
	testenv.Must(t, storetest.Costs(t, "Add", 0, 1, 0, func(ctx context.Context) error {
		_, err := e.Shop.Add(ctx, "admin", d, 10, model.Request{})
		return err
	}))
	for name, bad := range map[string]struct {
		d     model.ProductDraft
		stock int64
		code  string
	}{
		"no name":   {model.ProductDraft{Price: yen(1)}, 0, "invalid_product_name"},
		"long name": {model.ProductDraft{Name: strings.Repeat("x", model.MaxProductName+1), Price: yen(1)}, 0, "too_long"},
		"long text": {model.ProductDraft{Name: "x", Description: strings.Repeat("x", model.MaxProductDescription+1),
			Price: yen(1)}, 0, "too_long"},
		"no currency": {model.ProductDraft{Name: "x"}, 0, "invalid_price"},
		"currency":    {model.ProductDraft{Name: "x", Price: model.Price{Currency: "ABC"}}, 0, "invalid_price"},
		"small":       {model.ProductDraft{Name: "x", Price: model.Price{Currency: "jpy"}}, 0, "invalid_price"},
		"negative":    {model.ProductDraft{Name: "x", Price: yen(-1)}, 0, "invalid_price"},
		"dear":        {model.ProductDraft{Name: "x", Price: yen(model.MaxPrice + 1)}, 0, "invalid_price"},
		"image":       {model.ProductDraft{Name: "x", Price: yen(1), Image: "http://example.com"}, 0, "invalid_image"},
		"stock":       {model.ProductDraft{Name: "x", Price: yen(1)}, model.MaxStock + 1, "invalid_stock"},
		"debt":        {model.ProductDraft{Name: "x", Price: yen(1)}, -1, "invalid_stock"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.Shop.Add(t.Context(), "admin", bad.d, bad.stock, model.Request{})
			storetest.WantErr(t, err, errs.Invalid, bad.code)
		})
	}
}

// A change needs the version that its administrator has read; a sale in between is no change.
func TestChange(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := add(t, e, "Senko", yen(300))
	dearer := shop.Patch{Price: new(yen(400))}
	testenv.Must(t, storetest.Costs(t, "Change", 1, 1, 0, func(ctx context.Context) error {
		got, err := e.Shop.Change(ctx, p.ID, dearer, []int{0})
		if err == nil && (got.Version != 1 || got.Price != yen(400)) {
			t.Errorf("changed to %+v", got)
		}
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "the same change", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.Shop.Change(ctx, p.ID, dearer, []int{0})
		return err
	}))
	_, err := e.Shop.Change(t.Context(), p.ID, shop.Patch{Name: new("Tsuta")}, []int{0})
	storetest.WantErr(t, err, errs.Outdated, "product_changed")
	_, err = e.Shop.Change(t.Context(), p.ID, shop.Patch{Name: new(" ")}, nil)
	storetest.WantErr(t, err, errs.Invalid, "invalid_product_name")
	_, err = e.Shop.Change(t.Context(), model.NewProductID("nobody", "x"), dearer, nil)
	storetest.WantErr(t, err, errs.NotFound, "product_not_found")
	got, err := e.Shop.Product(t.Context(), p.ID)
	testenv.Must(t, err)
	if got.Name != "Senko" || got.AmountInStock != 10 {
		t.Errorf("after it: %+v", got)
	}
}

// A stock stays between zero and the limit, and a repeated request, also one whose answer was
// lost, changes it once. Another write between reading and writing loses nothing.
func TestRestock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	p := add(t, e, "Senko", yen(300))
	other := e.Again(t, store.Options{
		Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(model.Products+"/"+string(p.ID)), func() {
			_, err := e.Shop.Restock(context.Background(), "admin", p.ID, 5, model.Request{Key: "between", Hash: "b"})
			testenv.Must(t, err)
		})}})
	got, err := other.Shop.Restock(t.Context(), "admin", p.ID, 3, model.Request{Key: "one", Hash: "a"})
	testenv.Must(t, err)
	if got.AmountInStock != 18 || got.Supplied != 18 {
		t.Errorf("stock %d of %d, want 18 of 18", got.AmountInStock, got.Supplied)
	}
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.LoseFirst(func() {}).Lose}})
	for range 2 {
		got, err = lossy.Shop.Restock(t.Context(), "admin", p.ID, -8, model.Request{Key: "two", Hash: "c"})
		testenv.Must(t, err)
		if got.AmountInStock != 10 || got.Supplied != 10 {
			t.Errorf("stock %d of %d, want 10 of 10", got.AmountInStock, got.Supplied)
		}
	}
	for pieces, code := range map[int64]string{-11: "stock_out_of_range", model.MaxStock: "stock_out_of_range"} {
		_, err := e.Shop.Restock(t.Context(), "admin", p.ID, pieces, model.Request{Key: fmt.Sprint(pieces)})
		storetest.WantErr(t, err, errs.Conflict, code)
	}
	for _, pieces := range []int64{0, model.MaxStock + 1, -model.MaxStock - 1} {
		_, err := e.Shop.Restock(t.Context(), "admin", p.ID, pieces, model.Request{Key: "bad"})
		storetest.WantErr(t, err, errs.Invalid, "invalid_stock")
	}
	_, err = e.Shop.Restock(t.Context(), "admin", p.ID, 1, model.Request{Key: "two", Hash: "another"})
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")
	testenv.Must(t, storetest.Costs(t, "Restock", 2, 2, 0, func(ctx context.Context) error {
		_, err := e.Shop.Restock(ctx, "admin", p.ID, 1, model.Request{Key: "three"})
		return err
	}))
	e.Clock.Add(model.IdempotencyWindow + time.Second) // the record has expired, and is still there
	got, err = e.Shop.Restock(t.Context(), "admin", p.ID, 1, model.Request{Key: "three"})
	testenv.Must(t, err)
	if got.AmountInStock != 12 {
		t.Errorf("stock %d, want 12", got.AmountInStock)
	}
}

// Lists have every product that is for sale once, in order, whatever the size of a page.
func TestProducts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	names := map[model.ProductID]string{}
	for i, price := range []model.Price{yen(300), {Amount: 250, Currency: "EUR"}, yen(100), yen(300),
		{Amount: 9, Currency: "USD"}} {
		name := fmt.Sprintf("%c product", 'e'-rune(i))
		if i == 2 {
			name = strings.ToUpper(name)
		}
		names[add(t, e, name, price).ID] = name
	}
	retired := add(t, e, "a retired one", yen(1))
	_, err := e.Shop.Change(t.Context(), retired.ID, shop.Patch{Active: new(false)}, nil)
	testenv.Must(t, err)
	for by, want := range map[model.ProductOrder][]string{
		model.ProductsByName:  {"a product", "b product", "C PRODUCT", "d product", "e product"},
		model.ProductsByPrice: {"d product", "C PRODUCT", "b product", "e product", "a product"},
	} {
		for size := 1; size < 7; size++ {
			var got []string
			for from := (model.ProductCursor{}); ; {
				page, next, err := e.Shop.Products(t.Context(), by, from, size)
				testenv.Must(t, err)
				for _, p := range page {
					got = append(got, p.Name)
				}
				if from = next; next == (model.ProductCursor{}) {
					break
				}
			}
			if by == model.ProductsByPrice && len(got) == 5 && got[2] == "e product" {
				got[2], got[3] = got[3], got[2] // the two have one price, and the order of their ids
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("by %s, %d a page (-want +got):\n%s", by, size, diff)
			}
		}
	}
	testenv.Must(t, storetest.Costs(t, "Products", 5, 0, 0, func(ctx context.Context) error {
		_, _, err := e.Shop.Products(ctx, model.ProductsByName, model.ProductCursor{}, 20)
		return err
	}))
}
