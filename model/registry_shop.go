package model

var shopCollections = []Collection{
	{
		Name: Products, Path: "products/{product}", What: "a product of the shop", Kind: KindSource, Docs: []any{Product{}},
		NotErased: "everybody's", NotExported: "everybody's",
		Access: AccessNobody,
		Bound:  Bound{28 * kB, 3, "lengths of the fields", "TestLargestShop"},
	},
	{
		Name: Carts, Path: "carts/{uid}", What: "the cart of a customer", Kind: KindSource, Docs: []any{Cart{}},
		Owners: []Owner{{By: ByKey, Erase: 460, Export: Section{"cart", 110, "the cart"}}},
		TTL:    TTL{GuestCartWindow, "the cart of a customer without a profile, after its last use"}, Access: AccessOwner,
		Bound: Bound{5 * kB, 0, "50 products, and their prices", "TestLargestShop"},
	},
	{
		Name: Orders, Path: "users/{uid}/orders/{order}", What: "an order of a customer", Kind: KindSource,
		Docs:   []any{Order{}},
		Owners: []Owner{{By: ByParent, Erase: 470, Export: Section{"orders", 120, "orders"}}},
		Access: AccessOwner,
		Bound:  Bound{30 * kB, 5, "50 products, 4 changes", "TestLargestShop"},
	},
	{
		Name: StockRuns, Path: "stockRuns/{product}", What: "orders that wait for a product, to be served", Kind: KindWork,
		Docs:      []any{StockWork{}},
		NotErased: "work for a product, which is everybody's", NotExported: "work, and everybody's",
		TTL: TTL{After: WorkWindow}, Access: AccessNobody,
		Bound: Bound{1 * kB, 20, "fixed", "TestLargestShop"},
	},
}
