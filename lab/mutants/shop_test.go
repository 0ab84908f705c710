package mutants

// shop is what customers order: it is taken from the stock once, and given back.
var shop = []mutant{
	// Carts.
	{
		file: "store/shop/carts.go", old: "if other.ExpireAt == nil || other.UpdatedAt.IsZero()",
		new: "if other.UpdatedAt.IsZero()",
		pkg: "./store/shop", test: "TestMerge",
		why: "an old token of a guest moves the cart of the account that the guest has become",
	},
	{
		file: "store/shop/carts.go", old: "		b.Delete(theirs.Snap.Ref, firestore.LastUpdateTime(theirs.Snap.UpdateTime))\n",
		new: "",
		pkg: "./store/shop", test: "TestMerge",
		why: "a guest's cart is added again with each request",
	},

	// Orders.
	{
		file: "store/shop/orders.go", old: "{model.OrderPending, model.OrderConfirmed})\n\treturn",
		new: "{model.OrderPending})\n\treturn",
		pkg: "./store/shop", test: "TestOpenOrders",
		why: "one customer reserves the whole stock",
	},
	{
		file: "store/shop/orders.go", old: "Value: open + 1}", new: "Value: open}",
		pkg: "./store/shop", test: "TestOpenOrders",
		why: "no order is counted, and one customer reserves the whole stock",
	},
	{
		file: "store/shop/recount.go", old: "w.db.Transact(", new: "w.db.Client.RunTransaction(",
		pkg: "./store/shop", test: "TestRecountAnswerLost",
		why: "hibana verify fails where an answer is lost",
	},
	{
		file: "store/shop/stock.go", old: "		return w.db.EnqueueStock(ctx, work.ProductID)\n	}\n	size",
		new: "		return nil\n	}\n	size",
		pkg: "./store/shop", test: "TestServeBeside",
		why: "a run that is killed after it took its work leaves customers without an answer",
	},
	{
		file: "store/shop/stock.go", old: " || db.TooBig(err) && size > 1", new: "",
		pkg: "./store/shop", test: "TestServeTooBig",
		why: "orders that are too many for one commit wait for ever",
	},
	{
		file: "store/shop/stock.go", old: "served.stock || !time", new: "!time",
		pkg: "./store/shop", test: "TestStockOnceASecond",
		why: "a product is written several times in a second",
	},
	{
		file: "model/orders.go", old: "known && len(changes) > 0", new: "known && len(changes) > 0 && item.ProductID == id",
		pkg: "./store/shop", test: "TestShortLater",
		why: "an order that cannot be fulfilled holds the last piece of something else",
	},
	{
		file: "store/erasure/rules.go", old: "	if o.Queue == \"\" {\n		b.Delete",
		new: "	if o.Queue == \"\" || o.Status == model.OrderCancelled {\n		b.Delete",
		pkg: "./store/erasure", test: "TestLeaveWithOrders",
		why: "the pieces of orders of somebody who leaves are lost",
	},
	{
		file: "store/internal/db/orders.go", old: "; !waits && snap.ReadTime",
		new: "; (waits || !waits) && snap.ReadTime",
		pkg: "./store/shop", test: "TestSweepFindsCarts",
		why: "the sweep writes orders that wait for a run",
	},

	// Orders of guests.
	{
		file: "store/shop/orders.go", old: "if pieces > model.MaxGuestPieces", new: "if pieces > 100*model.MaxGuestPieces",
		pkg: "./store/shop", test: "TestGuestOrders",
		why: "a guest reserves as many pieces as anybody",
	},
	{
		file: "store/shop/orders.go", old: "most = min(most, model.MaxGuestOrders)", new: "most = min(most, s.maxOpen)",
		pkg: "./store/shop", test: "TestGuestOrders",
		why: "a guest has as many open orders as anybody",
	},
	{
		file: "store/shop/orders.go", old: "if open == 0 || open >= most", new: "if open >= most",
		pkg: "./store/shop", test: "TestGuestOrders",
		why: "a guest whose cart went to an account orders without end",
	},
	{
		file: "store/shop/orders.go", old: "leaving.Exists() ||", new: "leaving.Exists() && email == \"\" ||",
		pkg: "./store/shop", test: "TestGuestLeaving",
		why: "the order of somebody whose account is deleted stays, with the address",
	},
	{
		file: "store/shop/orders.go", old: "expires = new(placed.CreatedAt.Add(model.GuestCartWindow))", new: "expires = nil",
		pkg: "./store/shop", test: "TestGuestOrderKeepsCart",
		why: "the cart of a guest who ordered stays for ever, and no account can take it over",
	},
	{
		file: "store/shop/orders.go", old: "items := unexpired(s.db, &cart.Doc)", new: "items := &cart.Doc",
		pkg: "./store/shop", test: "TestGuestOrderKeepsCart",
		why: "a cart that the customer is shown as empty is ordered",
	},
	{
		file: "store/shop/stock.go", old: "cart.ExpireAt, err = new(cart.UpdatedAt.Add(model.GuestCartWindow)), nil",
		new: "err = nil",
		pkg: "./store/shop", test: "TestGuestRestored",
		why: "the items of a rejected order are in a cart that no account can take over",
	},
	{
		file: "model/orders.go", old: "p.GuestHeld+item.Quantity > p.GuestShare()",
		new: "p.GuestHeld+item.Quantity > p.Supplied",
		pkg: "./store/shop", test: "TestGuestShare",
		why: "guests, whose sign-ins are free, reserve the whole stock",
	},
	{
		file: "model/orders.go", old: "p.GuestHeld = max(0, p.GuestHeld-n)", new: "p.GuestHeld = max(0, p.GuestHeld)",
		pkg: "./store/shop", test: "TestGuestShare",
		why: "once guests held their share, none ever orders again",
	},
	{
		file: "store/shop/stock.go", old: " || p.GuestHeld != guests", new: " || guests < 0",
		pkg: "./store/shop", test: "TestGuestShareExchanged",
		why: "what a guest gives back while others take as much counts as held for ever",
	},
	{
		file: "store/internal/db/work.go", old: "done, err = d.endDue(ctx, over)", new: "done, err = true, nil",
		pkg: "./store/shop", test: "TestGuestShare",
		why: "the orders of guests hold the stock for ever",
	},
	{
		file: "store/internal/db/orders.go", old: "}),\n\t\t\t\tfirestore.LastUpdateTime(snap.UpdateTime))", new: "}))",
		pkg: "./store/shop", test: "TestGuestDueBeside",
		why: "an order that was shipped at that moment is cancelled, and its pieces are in stock again",
	},
	{
		file: "model/orders.go", old: "o.Email, o.Request = \"\", \"\"", new: "o.Email = \"\"",
		pkg: "./store/shop", test: "TestGuestEmailForgotten",
		why: "the hash of a request says to whoever guesses the address that it is right",
	},
	{
		file: "store/shop/recount.go", old: "p.GuestHeld != want", new: "p.GuestHeld < 0",
		pkg: "./store/shop", test: "TestGuestsRecounted",
		why: "nobody finds a wrong share of guests",
	},

	// More orders than one run serves, and carts that change meanwhile.
	{
		file: "store/shop/stock.go", old: "return w.db.EnqueueStock(ctx, work.ProductID) // the next",
		new: "return nil // the next",
		pkg: "./store/shop", test: "TestServeMany",
		why: "the customers behind the first 400 wait until one of them looks",
	},
	{
		file: "store/shop/stock.go", old: "done.all = len(all) < size", new: "done.all = true",
		pkg: "./store/shop", test: "TestServeMany",
		why: "the customers behind the first 400 wait until one of them looks",
	},
	{
		file: "store/shop/stock.go", old: "size = max(1, size/2)", new: "size = max(1, size)",
		pkg: "./store/shop", test: "TestServeFewer",
		why: "in a rush runs meet each other and serve nobody",
	},
	{
		file: "store/shop/stock.go", old: "}, firestore.LastUpdateTime(had.Snap.UpdateTime))", new: "})",
		pkg: "./store/shop", test: "TestRestoreCartBeside",
		why: "what a customer puts into the cart while an order is rejected is lost",
	},
	{
		file: "store/shop/stock.go", old: "b.Create(had.Snap.Ref, cart)", new: "b.Set(had.Snap.Ref, cart)",
		pkg: "./store/shop", test: "TestRestoreCartBeside",
		why: "the first product that a customer puts into the cart while an order is rejected is lost",
	},
	{
		file: "store/shop/carts.go", old: "b.Delete(theirs.Snap.Ref, firestore.LastUpdateTime(theirs.Snap.UpdateTime))",
		new: "b.Delete(theirs.Snap.Ref)",
		pkg: "./store/shop", test: "TestMergeBeside",
		why: "what a guest puts into the cart while signing in is lost",
	},
}
