package cost

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/hibana-sns/hibana/model"
)

// The operations that the web client causes beside what a user does on purpose.
const (
	startView     = "start of the client"
	risingTags    = "rising tags"   // beside a page
	popularTags   = "popular tags"  // beside a page
	trendsView    = "trends"        // with tweets
	totalsView    = "totals"        // not in the web client; a page about the service has them
	tieView       = "relationships" // of a profile
	tagView       = "tag and its tweets"
	readAll       = "notifications read"
	bookmarkTweet = "bookmark"
	bookmarkView  = "bookmarks"
	followUser    = "follow"
	followersView = "followers"
	followingView = "followed users"
	editProfile   = "profile edit"
	signUp        = "sign-up"
	shopView      = "shop"
	productView   = "product"
	cartPut       = "cart"
	orderProducts = "order"
)

const (
	// heardAStart is how many changes a listener hears between a start of the client and its end: a user gets some 14
	// notifications a day, and has the client open during an eighth of it, in three starts.
	heardAStart = 1
	// homeHeard is the same for a baseline layout's listener to the entries of a home page, some 48 a day.
	homeHeard = 2

	products = 30 // in the shop
	shopPage = 20 // products on a page
)

// stock fills the shop.
func (r *run) stock(ctx context.Context) error {
	for n := range products {
		p, err := r.store.Shop.Add(ctx, "shopkeeper", model.ProductDraft{Name: fmt.Sprint("Sparkler ", n),
			Price: model.Price{Amount: 500, Currency: "JPY"}}, 1_000_000, model.Request{})
		if err != nil {
			return err
		}
		r.products = append(r.products, string(p.ID))
	}
	return nil
}

// unread returns how many notifications of a user are unread, 100 at most. Nobody is billed for it.
func (r *run) unread(ctx context.Context, user string) (int, error) {
	var page notificationEventList
	_, err := r.call(ctx, user, http.MethodGet, "/v1/notifications?filter=unread&pageSize=100", nil, &page)
	return len(page.Items), err
}

// begun is the start of the client: the user's own profile and cart, and a listener to the newest list of
// notifications, in a baseline layout to all unread ones. A listener's snapshot is billed a read for each document, and
// each change one more.
func (r *run) begun(ctx context.Context, me string) (b Bill, would func(baseline) Bill, err error) {
	unread, err := r.unread(ctx, me)
	if err != nil {
		return b, nil, err
	}
	var u shownUser
	if b, err = r.call(ctx, me, http.MethodGet, "/v1/users/me", nil, &u); err != nil {
		return b, nil, err
	}
	var cart shownCart
	of, err := r.call(ctx, me, http.MethodGet, "/v1/cart", nil, &cart)
	heard := int64(max(1, unread) + heardAStart + homeHeard)
	return b.plus(of).plus(Bill{Reads: 1 + heardAStart}),
		func(l baseline) Bill { return l.start(u, len(cart.Items), heard) }, err
}

// beside performs an operation of this file. ok is false for any other.
func (r *run) beside(ctx context.Context, op operation, n int) (b Bill, would func(baseline) Bill, ok bool, err error) {
	me := r.names[op.user]
	get := func(path string, answer any) (Bill, error) { return r.call(ctx, me, http.MethodGet, path, nil, answer) }
	put := func(path string, body any) (Bill, error) { return r.call(ctx, me, http.MethodPut, path, body, nil) }
	product := func() string { return r.products[r.rand.IntN(len(r.products))] }
	switch op.name {
	case startView:
		b, would, err = r.begun(ctx, me)
	case risingTags:
		b, err = get("/v1/trends?only=tags", nil)
		would = func(baseline) Bill { return Bill{Reads: 10} }
	case popularTags:
		b, err = get("/v1/tags?pageSize=8", nil)
		would = func(baseline) Bill { return Bill{Reads: 8} }
	case trendsView:
		var shown struct{ Tweets []struct{ Tweet shownTweet } }
		b, err = get("/v1/trends", &shown)
		var tweets []shownTweet
		for _, t := range shown.Tweets {
			tweets = append(tweets, t.Tweet)
		}
		would = func(l baseline) Bill { return l.tweets(tweets).plus(Bill{Reads: 10}) }
	case totalsView:
		b, err = get("/v1/totals", nil)
		would = func(baseline) Bill { return Bill{Reads: 5} }
	case tieView:
		b, err = get("/v1/relationships?ids="+r.names[r.other(op.user)], nil)
		would = func(baseline) Bill { return Bill{Reads: 2} }
	case tagView:
		path := fmt.Sprintf("/v1/tags/tag%d", r.tags.draw(r.rand)%popularOfTags)
		var page tweetList
		var of Bill
		if b, err = get(path, nil); err == nil {
			of, err = get(path+"/tweets", &page)
		}
		b = b.plus(of)
		would = func(l baseline) Bill { return l.tweets(page.Items).plus(Bill{Reads: 1}) }
	case readAll:
		var unread int
		if unread, err = r.unread(ctx, me); err == nil {
			b, err = put("/v1/notifications/read", map[string]string{})
		}
		would = func(baseline) Bill { return Bill{Reads: int64(max(1, unread)), Writes: int64(unread)} }
	case bookmarkTweet:
		b, err = put("/v1/tweets/"+r.tweet(op.user)+"/bookmark", nil)
		would = func(baseline) Bill { return Bill{Reads: 1, Writes: 1} }
	case bookmarkView:
		var page tweetList
		b, err = get("/v1/users/me/bookmarks", &page)
		would = func(l baseline) Bill { return l.home(page.Items) }
	case followersView, followingView:
		list := map[string]string{followersView: "followers", followingView: "following"}[op.name]
		var page struct{ Items []struct{} }
		b, err = get("/v1/users/"+r.names[r.other(op.user)]+"/"+list, &page)
		would = func(baseline) Bill { return Bill{Reads: int64(max(1, 2*len(page.Items)))} }
	case followUser:
		whom := r.stranger(op.user)
		b, err = put("/v1/users/"+r.names[whom]+"/follow", nil)
		would = func(l baseline) Bill { return l.follow(len(r.tweets[whom])) }
	case editProfile:
		b, err = r.call(ctx, me, http.MethodPatch, "/v1/users/me",
			map[string]string{"introduction": fmt.Sprintf("Spark %d.", n)}, nil)
		would = func(baseline) Bill { return Bill{Reads: 1, Writes: 1} }
	case signUp:
		r.joined++
		b, err = r.call(ctx, fmt.Sprint("newcomer_", r.joined), http.MethodPost, "/v1/users",
			map[string]string{"username": fmt.Sprint("newcomer_", r.joined)}, nil)
		would = func(baseline) Bill { return Bill{Reads: 1, Writes: 2} }
	case shopView:
		b, err = get("/v1/products", nil)
		would = func(baseline) Bill { return Bill{Reads: shopPage} }
	case productView:
		b, err = get("/v1/products/"+product(), nil)
		would = func(baseline) Bill { return Bill{Reads: 1} }
	case cartPut:
		b, err = put("/v1/cart/items/"+product(), map[string]int{"quantity": 1})
		would = func(baseline) Bill { return Bill{Reads: 1, Writes: 1} }
	case orderProducts:
		b, would, err = r.order(ctx, me, product(), n)
	default:
		return b, nil, false, nil
	}
	return b, would, true, err
}

// stranger chooses a user whom i follows from now on, if possible one whom i does not follow yet.
func (c *crowd) stranger(i int) int {
	whom := c.other(i)
	for range 1000 {
		if slices.Contains(c.follows[i], whom) {
			whom = c.other(i)
		}
	}
	if !slices.Contains(c.follows[i], whom) {
		c.follows[i] = append(c.follows[i], whom)
		c.followers[whom]++
	}
	return whom
}

// order puts a product into the cart and orders all that is there.
func (r *run) order(ctx context.Context, me, product string, n int) (b Bill, would func(baseline) Bill, err error) {
	one := map[string]int{"quantity": 1}
	if b, err = r.call(ctx, me, http.MethodPut, "/v1/cart/items/"+product, one, nil); err != nil {
		return b, nil, err
	}
	var cart shownCart
	of, err := r.call(ctx, me, http.MethodGet, "/v1/cart", nil, &cart)
	if err != nil {
		return b, nil, err
	}
	var wanted []map[string]any
	for _, i := range cart.Items {
		wanted = append(wanted, map[string]any{"productId": i.ProductID, "quantity": i.Quantity, "price": i.Product.Price})
	}
	placed, err := r.callKeyed(ctx, me, http.MethodPost, "/v1/orders", fmt.Sprint("order-", n),
		map[string]any{"items": wanted}, nil)
	return b.plus(of).plus(placed), func(l baseline) Bill { return l.order(len(cart.Items)) }, err
}
