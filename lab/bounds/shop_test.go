package bounds

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestShop writes the largest product, cart and order that requests can make.
func TestLargestShop(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uid, now := model.UserID(strings.Repeat("a", 128)), e.Clock.Now()
	draft := model.ProductDraft{
		Name: wide(model.MaxProductName), Description: wide(model.MaxProductDescription),
		Price: model.Price{Amount: model.MaxPrice, Currency: "JPY"},
	}
	testenv.Must(t, draft.Validate())
	picture := &model.ProductPicture{ID: model.NewMediaID(), Width: 1600, Height: 1600,
		Blurhash: strings.Repeat("0", 54), Alt: wide(model.MaxAlt)} // longer than the address of an image
	p := model.Product{ProductDraft: draft, Picture: picture, NameLower: draft.Name, AmountInStock: 1,
		Request:   strings.Repeat("0", 64),
		CreatedAt: now, UpdatedAt: now}
	cart, products := &model.Cart{UpdatedAt: now, ExpireAt: &now}, map[model.ProductID]*model.Product{}
	var wanted []model.WantedItem
	for i := range model.MaxCartItems {
		id := model.NewProductID("admin", fmt.Sprint(i))
		if i == 0 {
			p.ID = id
		}
		p.Active, products[id] = true, &p
		testenv.Must(t, cart.Put(id, model.MaxQuantity, draft.Price))
		wanted = append(wanted, model.WantedItem{ProductID: id, Quantity: model.MaxQuantity, Price: draft.Price})
	}
	order, err := model.NewOrder(uid, model.NewOrderID(uid, "x"), wanted, cart, products, now)
	testenv.Must(t, err)
	order.Request = p.Request
	order.Reason = &model.OrderReason{Code: model.SoldOut, ProductID: p.ID}
	for _, status := range []model.OrderStatus{model.OrderConfirmed, model.OrderShipped, model.OrderRejected} {
		order.Become(status, now, uid)
	}
	order.Queue = model.OrderQueue(p.ID, 0)
	for path, doc := range map[string]any{
		model.Products + "/" + string(p.ID): p, model.Carts + "/" + string(uid): cart,
		model.Users + "/" + string(uid) + "/" + model.Orders + "/" + string(order.ID): order,
		model.StockRuns + "/" + string(p.ID): model.StockWork{ProductID: p.ID,
			ExpireAt: now},
	} {
		_, err := e.Raw.Doc(path).Set(t.Context(), doc)
		testenv.Must(t, err)
	}
	checkAll(t, e, 4)
}
