package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/shop"
)

// Price is an amount of money.
type Price struct {
	Amount   int64  `json:"amount" minimum:"0" maximum:"999999999" doc:"In minor units of the currency: yen, or cents" example:"1980"`
	Currency string `json:"currency" maxLength:"3" pattern:"^[A-Z]{3}$" patternDescription:"a currency code of ISO 4217" doc:"ISO 4217" example:"JPY"`
}

// Total is the price of several products.
type Total struct {
	Amount   int64  `json:"amount" doc:"In minor units of the currency"`
	Currency string `json:"currency" example:"JPY"`
}

// Product is what the shop sells.
type Product struct {
	ID            model.ProductID `json:"id"`
	Name          string          `json:"name" example:"Senko hanabi"`
	Description   string          `json:"description" doc:"Plain text"`
	Image         string          `json:"image" doc:"URL, of an uploaded picture that of its large size; empty for none"`
	Picture       *ProductPicture `json:"picture,omitempty" doc:"Absent unless the image is an uploaded picture"`
	Price         Price           `json:"price"`
	AmountInStock int64           `json:"amountInStock" doc:"Pieces that can be ordered; what an order holds is not among them"`
	Active        bool            `json:"active" doc:"false for a product that is sold no more"`
	Version       int             `json:"version" doc:"How often administrators changed the product; stock does not count"`
	CreatedAt     time.Time       `json:"createdAt"`
	UpdatedAt     time.Time       `json:"updatedAt" doc:"Time of the last change by an administrator"`
}

// ProductPicture is an uploaded picture of a product.
type ProductPicture struct {
	ID       model.MediaID `json:"id"`
	Width    int           `json:"width" doc:"Of the large size, in pixels"`
	Height   int           `json:"height"`
	Blurhash string        `json:"blurhash" doc:"A few colors to be shown until the picture is there (blurha.sh)"`
	Alt      string        `json:"alt" doc:"What the picture shows, in words"`
	URLs     MediaURLs     `json:"urls"`
}

func (s *service) productOf(p *model.Product) Product {
	out := Product{
		ID: p.ID, Name: p.Name, Description: p.Description, Image: p.Image, Price: Price(p.Price),
		AmountInStock: p.AmountInStock,
		Active:        p.Active, Version: p.Version, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	if is := p.Picture; is != nil {
		out.Picture = &ProductPicture{ID: is.ID, Width: is.Width, Height: is.Height, Blurhash: is.Blurhash, Alt: is.Alt,
			URLs: mediaURLsOf(s.Media.PublicAddresses(is.TweetMedia()))}
		out.Image = out.Picture.URLs.Large
	}
	return out
}

type newProduct struct {
	Name        string `json:"name" maxLength:"100" doc:"1 to 100 characters"`
	Description string `json:"description,omitempty" maxLength:"5000" doc:"Plain text, at most 5000 characters"`
	Image       string `json:"image,omitempty" maxLength:"2048" doc:"An https URL"`
	ImageMedia  string `json:"imageMedia,omitempty" maxLength:"24" doc:"Id of an upload of the caller, of kind product, which is the image instead"`
	Price       Price  `json:"price"`
	Stock       int64  `json:"stock" minimum:"0" maximum:"1000000" doc:"Pieces in stock"`
}

type productPatch struct {
	Name        *string `json:"name,omitempty" maxLength:"100"`
	Description *string `json:"description,omitempty" maxLength:"5000"`
	Image       *string `json:"image,omitempty" maxLength:"2048" doc:"An https URL; it takes the place of an uploaded picture"`
	ImageMedia  *string `json:"imageMedia,omitempty" maxLength:"24" doc:"Id of an upload of the caller, of kind product, which is the image from now on; empty to remove the picture"`
	ImageAlt    *string `json:"imageAlt,omitempty" maxLength:"1500" doc:"What the uploaded picture shows, in words"`
	Price       *Price  `json:"price,omitempty"`
	Active      *bool   `json:"active,omitempty" doc:"false retires the product: nobody can order it, and orders that wait for it are rejected"`
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (p *productPatch) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain productPatch
	return json.Unmarshal(text, (*plain)(p))
}

// ProductPath is the part of a request that names a product.
type ProductPath struct {
	ID string `path:"id" doc:"Id of the product: 20 lower-case hexadecimal digits"`
}

func (p ProductPath) productID() (model.ProductID, error) { return model.ParseProductID(p.ID) }

type productsInput struct {
	Sort string `query:"sort" enum:"name,price" default:"name" doc:"Prices are in the order of their currencies, and then of their amounts"`
	server.Paging
}

type createProductInput struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"64" pattern:"^[!-.0-~]+$" patternDescription:"printable ASCII without spaces and slashes" doc:"Lets the caller repeat the request"`
	Body           newProduct
}

type changeProductInput struct {
	ProductPath
	IfMatch string `header:"If-Match" doc:"The ETag of the product that the caller has read, or *"`
	Body    productPatch
}

type restockInput struct {
	ProductPath
	IdempotencyKey string `header:"Idempotency-Key" required:"true" maxLength:"64" pattern:"^[!-.0-~]+$" patternDescription:"printable ASCII without spaces and slashes" doc:"Makes a repeated request change the stock once"`
	Body           struct {
		Pieces int64 `json:"pieces" minimum:"-1000000" maximum:"1000000" doc:"How many come into stock; below 0 they are taken out"`
	}
}

type productOutput struct {
	ETag string `header:"ETag" doc:"For If-Match; a change by an administrator changes its beginning"`
	Body Product
}

type createdProduct struct {
	Location string `header:"Location"`
	ETag     string `header:"ETag"`
	Body     Product
}

// products adds the operations on products of the shop.
func (s *service) products() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/products", OperationID: "listProducts", Tags: []string{"shop"},
		Summary: "List the products that are for sale",
	}, func(ctx context.Context, in *productsInput) (*server.ListOutput[Product], error) {
		by := model.ProductOrder(in.Sort)
		found, err := server.Page(s.Server, "products by "+in.Sort, in.Paging,
			func(from model.ProductCursor) ([]*model.Product, model.ProductCursor, error) {
				return s.Shop.Products(ctx, by, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, func(p *model.Product) (Product, bool) { return s.productOf(p), true }), nil
	})
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/products/{id}", OperationID: "getProduct", Tags: []string{"shop"},
		Summary: "Read a product, which may be retired", Errors: []int{http.StatusNotFound},
	}, ofProduct(func(ctx context.Context, _ *ProductPath, id model.ProductID) (*productOutput, error) {
		return s.productOutputOf(ctx)(s.Shop.Product(ctx, id))
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/products", OperationID: "createProduct", Tags: []string{"shop"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Add a product to the shop",
		Description: "A request with an Idempotency-Key may be repeated. A different request with the same key answers " +
			"409 idempotency_key_reused.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *createProductInput) (*createdProduct, error) {
		d := model.ProductDraft{Name: in.Body.Name, Description: in.Body.Description, Image: in.Body.Image,
			Price: model.Price(in.Body.Price), PictureID: model.MediaID(in.Body.ImageMedia)}
		if err := d.Validate(); err != nil {
			return nil, err
		}
		r := model.Request{Key: cmp.Or(in.IdempotencyKey, rand.Text()), Hash: hashOf(in.Body)}
		act := model.Action{Act: model.ActAddProduct, ProductID: model.NewProductID(server.Caller(ctx).UID, r.Key),
			After: asked(&d.Name, &d.Description, &d.Image, &in.Body.Price)}
		if d.PictureID != "" {
			act.After["imageMedia"] = string(d.PictureID)
		}
		act.After["stock"] = strconv.FormatInt(in.Body.Stock, 10)
		if in.IdempotencyKey != "" {
			act.After["key"] = in.IdempotencyKey
		}
		if err := s.Moderation.Log(ctx, actorOf(server.Caller(ctx), ""), act); err != nil {
			return nil, err
		}
		p, err := s.Shop.Add(ctx, server.Caller(ctx).UID, d, in.Body.Stock, r)
		if err != nil {
			return nil, err
		}
		return &createdProduct{Location: "/v1/products/" + string(p.ID), ETag: versionTag(ctx, p.Version),
			Body: s.productOf(p)}, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/products/{id}", OperationID: "changeProduct", Tags: []string{"shop"},
		Summary: "Change a product, retire it, or sell it again",
		Description: "With If-Match and the ETag of a product, a change of a product that an administrator changed since " +
			"answers 412 product_changed. " +
			"A change that changes nothing answers 200, whatever If-Match says.",
		Errors: []int{http.StatusNotFound, http.StatusPreconditionFailed},
	}, ofProduct(func(ctx context.Context, in *changeProductInput, id model.ProductID) (*productOutput, error) {
		from, err := parseIfMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		to := shop.Patch{Name: in.Body.Name, Description: in.Body.Description, Image: in.Body.Image,
			Picture: (*model.MediaID)(in.Body.ImageMedia), PictureAlt: in.Body.ImageAlt,
			Price: (*model.Price)(in.Body.Price), Active: in.Body.Active}
		if to == (shop.Patch{}) {
			return nil, errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
		}
		act := model.Action{Act: model.ActChangeProduct, ProductID: id, After: asked(in.Body.Name, in.Body.Description,
			in.Body.Image, in.Body.Price)}
		if in.Body.Active != nil {
			act.After["active"] = strconv.FormatBool(*in.Body.Active)
		}
		for field, text := range map[string]*string{"imageMedia": in.Body.ImageMedia, "imageAlt": in.Body.ImageAlt} {
			if text != nil {
				act.After[field] = *text
			}
		}
		if err := s.Moderation.Log(ctx, actorOf(server.Caller(ctx), ""), act); err != nil {
			return nil, err
		}
		to.By = server.Caller(ctx).UID
		return s.productOutputOf(ctx)(s.Shop.Change(ctx, id, to, from))
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/products/{id}/restock", OperationID: "restockProduct", Tags: []string{"shop"},
		Summary: "Add pieces to the stock of a product, or take some out",
		Description: "A stock below 0, or above 1,000,000, answers 409 stock_out_of_range. A request that is repeated " +
			"within 24 hours changes the stock once.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofProduct(func(ctx context.Context, in *restockInput, id model.ProductID) (*productOutput, error) {
		act := model.Action{Act: model.ActRestock, ProductID: id,
			After: map[string]string{"pieces": strconv.FormatInt(in.Body.Pieces, 10), "key": in.IdempotencyKey}}
		if err := s.Moderation.Log(ctx, actorOf(server.Caller(ctx), ""), act); err != nil {
			return nil, err
		}
		return s.productOutputOf(ctx)(s.Shop.Restock(ctx, server.Caller(ctx).UID, id, in.Body.Pieces, model.Request{
			Key: in.IdempotencyKey, Hash: hashOf(struct {
				ID     model.ProductID
				Pieces int64
			}{id, in.Body.Pieces}),
		}))
	}))
}

// asked returns the requested changes of a product for the audit log. It leaves out nil values.
func asked(name, description, image *string, price *Price) map[string]string {
	all := map[string]string{}
	for field, text := range map[string]*string{"name": name, "description": description, "image": image} {
		if text != nil {
			all[field] = *text
		}
	}
	if price != nil {
		all["price"] = fmt.Sprint(price.Amount, " ", price.Currency)
	}
	return all
}

// ofProduct passes the product id of the path to a handler.
func ofProduct[I interface {
	productID() (model.ProductID, error)
}, O any](handler func(context.Context, I, model.ProductID) (*O, error)) func(context.Context, I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		id, err := in.productID()
		if err != nil {
			return nil, err
		}
		return handler(ctx, in, id)
	}
}

// productOutputOf returns the answer with a product.
func (s *service) productOutputOf(ctx context.Context) func(*model.Product, error) (*productOutput, error) {
	return func(p *model.Product, err error) (*productOutput, error) {
		if err != nil {
			return nil, err
		}
		return &productOutput{ETag: versionTag(ctx, p.Version), Body: s.productOf(p)}, nil
	}
}
