package erasure_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/shop"
)

// guestLeaves begins the account deletion of a guest, and ends it, with the runs of a product between its steps.
func guestLeaves(t *testing.T, e *storetest.Env, p *model.Product) {
	t.Helper()
	ctx := context.Background()
	begun, err := e.Users.Abandon(ctx, []model.UserID{"guest"}, 1)
	testenv.Must(t, err)
	if begun != 1 {
		t.Fatalf("%d account deletions began, want 1", begun)
	}
	for range 60 {
		snap, err := e.Raw.Doc("leavings/guest").Get(ctx)
		testenv.Must(t, err)
		var w model.DeletionWork
		testenv.Must(t, snap.DataTo(&w))
		if !w.ClearedAt.IsZero() {
			return
		}
		w.WrittenAt = snap.UpdateTime
		testenv.Must(t, e.AccountDeletions.Leave(ctx, w))
		testenv.Must(t, e.Orders.ServeStock(ctx, model.StockWork{ProductID: p.ID}))
	}
	t.Fatal("the account deletion does not end")
}

// The account deletion of a guest cancels the orders that hold something, gives it back, and removes every order with
// its address. An order at that moment is in time for the deletion, or is not placed.
func TestGuestWithOrdersLeaves(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"orders of before": false, "an order beside the deletion": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{LeavePause: time.Millisecond})
			p, err := e.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
				Currency: "JPY"}}, 20, model.Request{Key: "one"})
			testenv.Must(t, err)
			place := func(s *store.Store) error {
				testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: "guest", Guest: true}, p.ID, 2))
				_, err := s.Orders.Place(t.Context(), "guest", "ann@example.com", []model.WantedItem{{ProductID: p.ID, Quantity: 2,
					Price: p.Price}}, model.Request{})
				return err
			}
			testenv.Must(t, place(e.Store))
			testenv.Must(t, e.Orders.ServeStock(t.Context(), model.StockWork{ProductID: p.ID}))
			if late {
				beside := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("carts/guest"),
					func() { guestLeaves(t, e, p) })}})
				storetest.WantErr(t, place(beside), errs.Conflict, "leaving")
			} else {
				testenv.Must(t, place(e.Store))
				guestLeaves(t, e, p)
			}
			storetest.WantErr(t, place(e.Store), errs.Conflict, "leaving")
			if got := e.IDs(t, "users/guest/orders"); len(got) > 0 {
				t.Errorf("orders %v stay", got)
			}
			is, err := e.Shop.Product(t.Context(), p.ID)
			testenv.Must(t, err)
			if is.AmountInStock != 20 || is.GuestHeld != 0 {
				t.Errorf("%d pieces are in stock, and guests hold %d; want 20 and 0", is.AmountInStock, is.GuestHeld)
			}
		})
	}
}

// Whoever ordered as a guest, and made a profile since, gets the address of the order with an export.
func TestExportHasGuestOrders(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ExportBucket: t.TempDir()})
	p, err := e.Shop.Add(t.Context(), "admin", model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300,
		Currency: "JPY"}}, 20, model.Request{Key: "one"})
	testenv.Must(t, err)
	testenv.Must(t, e.Shop.Put(t.Context(), shop.Customer{ID: zoe, Guest: true}, p.ID, 2))
	_, err = e.Orders.Place(t.Context(), zoe, "zoe@example.com", []model.WantedItem{{ProductID: p.ID, Quantity: 2,
		Price: p.Price}}, model.Request{})
	testenv.Must(t, err)
	e.CreateUsers(t, zoe)
	_, err = e.Exports.Ask(t.Context(), zoe)
	testenv.Must(t, err)
	exportsSteps(t, e, e.Store, zoe, nil)
	ready, err := e.Exports.Current(t.Context(), zoe)
	testenv.Must(t, err)
	items, _ := download(t, e.Store, ready)
	if got := values(items["orders"], "email"); len(got) != 1 || got[0] != "zoe@example.com" {
		t.Errorf("the export has orders with %q", got)
	}
}
