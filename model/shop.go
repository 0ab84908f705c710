package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"golang.org/x/text/currency"

	"github.com/hibana-sns/hibana/internal/errs"
)

// ProductID names a product of the shop.
type ProductID string

// Price is an amount of money: of a product, or of several.
type Price struct {
	Amount   int64  `firestore:"amount" json:"amount"`     // in minor units of the currency: yen, or cents
	Currency string `firestore:"currency" json:"currency"` // ISO 4217, such as "JPY"
}

// Validate refuses an amount below 0 or above MaxPrice, and a currency that is not in ISO 4217.
func (p Price) Validate() error {
	if p.Amount < 0 || p.Amount > MaxPrice {
		return errs.New(errs.Invalid, "invalid_price", "an amount is from 0 to %d, in minor units of its currency", MaxPrice)
	}
	if _, err := currency.ParseISO(p.Currency); err != nil || p.Currency != strings.ToUpper(p.Currency) {
		return errs.New(errs.Invalid, "invalid_price", "a currency is one of ISO 4217, in capital letters, such as JPY")
	}
	return nil
}

// ProductDraft is an administrator's description of a product.
type ProductDraft struct {
	Name        string `firestore:"name"`
	Description string `firestore:"description,omitempty"`
	Price       Price  `firestore:"price"`
	Image       string `firestore:"image,omitempty"` // a URL; empty for none, and for an uploaded picture
	// PictureID is the upload that shows a new product; empty for none.
	PictureID MediaID `firestore:"-"`
}

// ProductPicture is an uploaded picture of a product, as lists show it.
type ProductPicture struct {
	ID       MediaID `firestore:"id"`
	Width    int     `firestore:"width"` // of the large size, in pixels
	Height   int     `firestore:"height"`
	Blurhash string  `firestore:"blurhash"`
	Alt      string  `firestore:"alt,omitempty"` // what it shows, in words
}

// TweetMedia is the picture as posts have theirs.
func (p *ProductPicture) TweetMedia() TweetMedia {
	return TweetMedia{ID: p.ID, Type: MediaImage, Width: p.Width, Height: p.Height, Blurhash: p.Blurhash, Alt: p.Alt}
}

// IsAt reports whether an address is that of the picture's large size, with any base.
func (p *ProductPicture) IsAt(address string) bool {
	return p != nil && IsMediaAddress(address) && strings.HasSuffix(address, MediaAddress("", p.ID, SizeLarge))
}

// OfProduct is the part of a ready picture that a product carries.
func (m *Media) OfProduct() *ProductPicture {
	return &ProductPicture{ID: m.ID, Width: m.Width, Height: m.Height, Blurhash: m.Blurhash, Alt: m.Alt}
}

// Validate cleans the texts, and refuses invalid fields.
func (d *ProductDraft) Validate() (err error) {
	if d.Name, err = cleanText("name", d.Name, MaxProductName); err != nil {
		return err
	}
	if !hasVisible(d.Name) || strings.TrimSpace(d.Name) != d.Name {
		return errs.New(errs.Invalid, "invalid_product_name", "a product has a name of 1 to %d characters, with no space "+
			"at its ends", MaxProductName)
	}
	if d.Description, err = cleanText("description", d.Description, MaxProductDescription); err != nil {
		return err
	}
	if d.PictureID != "" {
		if _, err := ParseMediaID(string(d.PictureID)); err != nil {
			return err
		}
		if d.Image != "" {
			return errs.New(errs.Invalid, "two_images", "image and imageMedia exclude each other")
		}
	}
	if err := validateAvatar(d.Image); err != nil {
		return errs.New(errs.Invalid, "invalid_image", "an image is a URL that begins with https:// and has %d characters "+
			"at most, or nothing", MaxAvatar)
	}
	return d.Price.Validate()
}

// Product is a product of the shop: products/{productId}. At every moment Supplied is the sum of AmountInStock, Sold
// and the pieces that orders have reserved, see [Order.Held].
type Product struct {
	ProductDraft
	Picture       *ProductPicture `firestore:"picture,omitempty"`
	ID            ProductID       `firestore:"-"`
	NameLower     string          `firestore:"nameLower"` // the order of lists by name
	AmountInStock int64           `firestore:"amountInStock"`
	// pieces that ever came into stock, less pieces that were removed by hand
	Supplied  int64     `firestore:"supplied"`
	Sold      int64     `firestore:"sold"`                // pieces that were shipped
	GuestHeld int64     `firestore:"guestHeld,omitempty"` // pieces that orders of guests have reserved
	Active    bool      `firestore:"active"`              // false for a retired product, which cannot be ordered
	Version   int       `firestore:"version"`             // number of changes by administrators; stock does not count
	Request   string    `firestore:"request,omitempty"`   // a hash of the request that made the product
	CreatedAt time.Time `firestore:"createdAt"`
	UpdatedAt time.Time `firestore:"updatedAt"` // of the last change by an administrator
}

// GuestShare is how many pieces of the product all orders of guests together may have reserved.
func (p *Product) GuestShare() int64 { return max(0, p.Supplied-p.Sold) / GuestShare }

// ProductOrder is the order of a list of products.
type ProductOrder string

// The orders of lists of products.
const (
	ProductsByName  ProductOrder = "name"
	ProductsByPrice ProductOrder = "price" // by currency, then by amount
)

// ProductCursor is the position after a product in a list. The zero ProductCursor is the beginning.
type ProductCursor struct {
	Name     string
	Currency string
	Amount   int64
	ID       ProductID
}

// NewProductID returns the id of a product that an administrator adds. A request with a key
// that is repeated gets the same id.
func NewProductID(uid UserID, requestKey string) ProductID {
	return ProductID(hashedID(productIDLength, "product", string(uid), requestKey))
}

const productIDLength, orderIDLength = 20, 18

// hashedID is an id of lower-case hexadecimal digits, computed from texts.
func hashedID(length int, texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])[:length]
}

// isHex reports whether a text is length lower-case hexadecimal digits.
func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

// ParseProductID checks the form of the id of a product. Any other text is errs.Invalid.
func ParseProductID(s string) (ProductID, error) {
	if !isHex(s, productIDLength) {
		return "", errs.New(errs.Invalid, "invalid_product_id", "the id of a product is %d lower-case hexadecimal digits",
			productIDLength)
	}
	return ProductID(s), nil
}

// NoProduct returns the error of an id without a product.
func NoProduct(id ProductID) error {
	return errs.New(errs.NotFound, "product_not_found", "there is no product %q", id)
}

// Cart is the cart of a customer: carts/{uid}. It has only quantities; its readers add the present prices of the
// products.
type Cart struct {
	Items map[string]int64 `firestore:"items"` // product → quantity, from 1 to MaxQuantity
	// product → the price that the customer has seen; may have products that are no longer in the cart
	Seen map[string]Price `firestore:"seen,omitempty"`
	// OpenAtMost is an upper bound of the open orders of its owner: the last count, and each order since. In a cart
	// without it nobody has counted: an earlier cart of the owner may have expired, or gone to an account.
	OpenAtMost int64     `firestore:"openAtMost,omitempty"`
	UpdatedAt  time.Time `firestore:"updatedAt"`
	// of a guest's cart, GuestCartWindow after its last use; absent otherwise. It alone marks the cart of a guest.
	ExpireAt *time.Time `firestore:"expireAt,omitempty"`
}

// CheckQuantity refuses a quantity that is not valid for a cart.
func CheckQuantity(n int64) error {
	if n < 1 || n > MaxQuantity {
		return errs.New(errs.Invalid, "invalid_quantity", "a cart takes 1 to %d of a product", MaxQuantity)
	}
	return nil
}

// CartFull returns the error of a cart without room for one more product.
func CartFull(n int) error {
	return errs.New(errs.Conflict, "cart_full", "the cart would have %d products; the limit is %d", n, MaxCartItems)
}

// Put sets the quantity of a product in the cart. For a product that is new in the cart, or that was written there
// without the API, Put records the price that the customer has seen. Another quantity of a product keeps the recorded
// price, so that a later change of the price is still shown. The cart has no price of a product that it does not have.
func (c *Cart) Put(id ProductID, quantity int64, seen Price) error {
	if err := CheckQuantity(quantity); err != nil {
		return err
	}
	_, has := c.Items[string(id)]
	_, noted := c.Seen[string(id)]
	if !has && len(c.Items) >= MaxCartItems {
		return CartFull(len(c.Items) + 1)
	}
	if c.Items == nil {
		c.Items = map[string]int64{}
	}
	if c.Seen == nil {
		c.Seen = map[string]Price{}
	}
	if c.Items[string(id)] = quantity; !has || !noted {
		c.Seen[string(id)] = seen
	}
	c.Tidy()
	return nil
}

// Tidy removes prices of products that are not in the cart.
func (c *Cart) Tidy() {
	for id := range c.Seen {
		if _, has := c.Items[id]; !has {
			delete(c.Seen, id)
		}
	}
}

// Merge adds the products of another cart. A product in both then has the sum of both quantities, MaxQuantity at most.
// More than MaxCartItems products are errs.Conflict, and change nothing.
func (c *Cart) Merge(other *Cart) error {
	n := len(c.Items)
	for id := range other.Items {
		if _, has := c.Items[id]; !has {
			n++
		}
	}
	if n > MaxCartItems {
		return CartFull(n)
	}
	if c.Items == nil {
		c.Items = map[string]int64{}
	}
	if c.Seen == nil {
		c.Seen = map[string]Price{}
	}
	for id, quantity := range other.Items {
		c.Items[id] = min(c.Items[id]+quantity, MaxQuantity)
		if price, seen := other.Seen[id]; seen {
			c.Seen[id] = price
		}
	}
	return nil
}

// CartChange is a difference of a product in a cart from what the customer has seen, or a reason why it cannot be
// ordered.
type CartChange string

// The changes.
const (
	PriceUp   CartChange = "price_up"
	PriceDown CartChange = "price_down"
	Repriced  CartChange = "currency_changed"
	SoldOut   CartChange = "sold_out"
	TooFew    CartChange = "too_few" // the stock is smaller than the quantity
	Retired   CartChange = "retired" // it is no longer sold

	// GuestShareHeld is the reason why an order of a guest is rejected although the stock would do.
	GuestShareHeld CartChange = "guest_share"
)

// ChangesSince lists the differences of a product for a customer who wants a quantity of it. A nil product is an
// unknown one. A nil price was not seen.
func (p *Product) ChangesSince(seen *Price, quantity int64) []CartChange {
	all := []CartChange{}
	if p == nil || !p.Active {
		return append(all, Retired)
	}
	switch {
	case p.AmountInStock <= 0:
		all = append(all, SoldOut)
	case p.AmountInStock < quantity:
		all = append(all, TooFew)
	}
	switch {
	case seen == nil || *seen == p.Price:
	case seen.Currency != p.Price.Currency:
		all = append(all, Repriced)
	case seen.Amount < p.Price.Amount:
		all = append(all, PriceUp)
	default:
		all = append(all, PriceDown)
	}
	return all
}
