package shop_test

import (
	"context"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 2)
	place(t, e, "ann", p)
	serve(t, e, p)
	hangs := place(t, e, "ann", p) // nobody hears of it
	differences := func(o verify.Options) map[string]any {
		t.Helper()
		o.Wait = func(context.Context) error { return nil }
		found, err := e.Audit.All(t.Context(), o)
		testenv.Must(t, err)
		all := map[string]any{}
		for _, d := range found {
			if d.Kind != model.Products && d.Kind != model.Orders {
				continue
			}
			if all[d.Field] != nil {
				t.Errorf("%s of %s was found twice", d.Field, d.Document)
			}
			all[d.Field] = []any{d.Have, d.Want, d.Repaired}
		}
		return all
	}
	if diff := cmp.Diff(map[string]any{"queue": []any{hangs.Queue, nil, true}},
		differences(verify.Options{Repair: true})); diff != "" {
		t.Errorf("an order that hangs (-want +got):\n%s", diff)
	}
	if e.Doc(t, model.StockRuns+"/"+string(p.ID)) == nil {
		t.Error("the repair asked for no run")
	}
	serve(t, e, p)
	if diff := cmp.Diff(map[string]any{"owesCart": []any{true, nil, true}},
		differences(verify.Options{Repair: true})); diff != "" {
		t.Errorf("a cart that is owed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{}, differences(verify.Options{})); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}

	// An order that is rejected at its second product waits to give back the first, and owes its cart.
	a, b := ordersAdd(t, e, 2), ordersAdd(t, e, 2)
	if a.ID > b.ID {
		a, b = b, a
	}
	e.CreateUsers(t, "bob")
	both := place(t, e, "bob", a, b)
	serve(t, e, a)
	_, err := e.Shop.Restock(t.Context(), "admin", b.ID, -2, model.Request{Key: "gone"})
	testenv.Must(t, err)
	serve(t, e, b)
	both = check(t, e, both, model.OrderRejected, 1, true)
	if diff := cmp.Diff(map[string]any{"queue": []any{both.Queue, nil, true}, "owesCart": []any{true, nil, true}},
		differences(verify.Options{Repair: true})); diff != "" {
		t.Errorf("an order that hangs and owes (-want +got):\n%s", diff)
	}
	serve(t, e, a)
	check(t, e, both, model.OrderRejected, 0, false)

	_, err = e.Raw.Collection(model.Products).Doc(string(p.ID)).
		Update(t.Context(), []firestore.Update{{Path: "amountInStock", Value: 7}})
	testenv.Must(t, err)
	if diff := cmp.Diff(map[string]any{"amountInStock": []any{int64(7), int64(0), false}},
		differences(verify.Options{Repair: true})); diff != "" {
		t.Errorf("a wrong stock (-want +got):\n%s", diff)
	}
}

func TestRecountAnswerLost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	p := ordersAdd(t, e, 5)
	o := place(t, e, "ann", p)
	losses := storetest.LoseFirst(func() {})
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	r, err := lossy.Orders.Recount(t.Context())
	testenv.Must(t, err)
	if len(r.Miscounts) != 0 || len(r.Open) != 1 || r.Open[0].ID != o.ID || losses.SentAgain() != 1 {
		t.Errorf("the recount is %+v, after %d lost answers; want the order %s as open", r, losses.SentAgain(), o.ID)
	}
}
