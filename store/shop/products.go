// This file keeps the products of the shop. File carts.go has the carts of its customers, and orders.go their orders.
// Only orders take from the stock.

package shop

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Store keeps products and carts. Its methods may be called concurrently. Their errors are errors of package errs.
type Store struct {
	db     *db.DB
	access *access.Store
}

// New returns the shop of a database. Only packages below store have a [db.DB].
func New(d *db.DB, a *access.Store) *Store { return &Store{d, a} }

// Add adds a product with stock pieces. An invalid product is errs.Invalid. A second request of the administrator with
// the same key gets the product of the first, as the product is then. With another hash it is errs.Conflict.
//
// Cost: 1 write; 1 read more if the request is repeated. With a picture 2 reads and 2 writes.
func (s *Store) Add(ctx context.Context, by model.UserID, d model.ProductDraft, stock int64,
	r model.Request) (_ *model.Product, err error) {
	defer errs.Wrap(&err, "shop.Add")
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if stock < 0 || stock > model.MaxStock {
		return nil, badStock(stock)
	}
	key := r.Key
	if key == "" {
		key = rand.Text()
	}
	now := s.db.Time()
	p := &model.Product{
		ProductDraft: d, ID: model.NewProductID(by, key), NameLower: strings.ToLower(d.Name), AmountInStock: stock,
		Supplied: stock,
		Active:   true, Request: r.Hash, CreatedAt: now, UpdatedAt: now,
	}
	if d.PictureID != "" {
		return s.addShown(ctx, by, p)
	}
	_, err = s.ref(p.ID).Create(ctx, p)
	if !db.AlreadyExists(err) {
		return p, err
	}
	is, _, err := s.read(ctx, p.ID)
	if err == nil {
		err = sameRequest(is, p)
	}
	return is, err
}

// sameRequest returns an error unless a product was made by the same request.
func sameRequest(is, p *model.Product) error {
	if is.Request != p.Request {
		return errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
	}
	return nil
}

func badStock(n int64) error {
	return errs.New(errs.Invalid, "invalid_stock", "the stock of a product would be %d; it is from 0 to %d pieces", n,
		model.MaxStock)
}

// Patch is a change of a product. A nil field stays. Image and Picture exclude each other, and each takes the place of
// the other.
type Patch struct {
	Name, Description, Image *string
	Picture                  *model.MediaID // an upload of By, which shows the product; empty for none
	PictureAlt               *string        // what the picture shows, in words
	Price                    *model.Price
	Active                   *bool

	By model.UserID // who changes the product
}

// apply returns the product after the change.
func (c *Patch) apply(p model.Product) (*model.Product, error) {
	set := func(field *string, to *string) {
		if to != nil {
			*field = *to
		}
	}
	set(&p.Name, c.Name)
	set(&p.Description, c.Description)
	if err := c.show(&p); err != nil {
		return nil, err
	}
	if c.Price != nil {
		p.Price = *c.Price
	}
	if c.Active != nil {
		p.Active = *c.Active
	}
	err := p.Validate()
	p.NameLower = strings.ToLower(p.Name)
	return &p, err
}

// Change changes a product. If from is not empty, it must have the number of administrators' changes of the product, or
// Change is errs.Outdated. A change without a difference succeeds and writes nothing, whatever from has. An unknown
// product is errs.NotFound.
//
// Cost: 1 read and 1 write; no write if nothing changes. For another picture, 1 read and 1 write more for each upload
// that comes or goes.
func (s *Store) Change(ctx context.Context, id model.ProductID, to Patch, from []int) (changed *model.Product,
	err error) {
	defer errs.Wrap(&err, "shop.Change(%q)", id)
	err = s.db.Update(ctx, func(ctx context.Context) error {
		is, snap, err := s.read(ctx, id)
		if err != nil {
			return err
		}
		after, err := to.apply(*is)
		if err != nil {
			return err
		}
		if after.ProductDraft == is.ProductDraft && after.Active == is.Active && samePicture(after, is) {
			changed = is
			return nil
		}
		if len(from) > 0 && !slices.Contains(from, is.Version) {
			return errs.New(errs.Outdated, "product_changed", "product %q was changed since you read it; it has changed %d "+
				"times now", id, is.Version)
		}
		after.Version, after.UpdatedAt = is.Version+1, s.db.Time()
		b := s.db.Batch()
		if err := s.swap(ctx, b, to.By, is, after); err != nil {
			return err
		}
		b.Update(snap.Ref, []firestore.Update{
			{Path: fields.Name, Value: after.Name}, {Path: fields.NameLower, Value: after.NameLower},
			{Path: fields.Price, Value: after.Price},
			{Path: fields.Description, Value: db.OrDelete(after.Description, after.Description == "")},
			{Path: fields.Image, Value: db.OrDelete(after.Image, after.Image == "")},
			{Path: fields.Picture, Value: db.OrDelete(after.Picture, after.Picture == nil)},
			{Path: fields.Active, Value: after.Active}, {Path: fields.Version, Value: after.Version},
			{Path: fields.UpdatedAt, Value: after.UpdatedAt},
		}, firestore.LastUpdateTime(snap.UpdateTime))
		_, err = b.Commit(ctx)
		changed = after
		return db.Late(err) // the stock or the product changed in between, or the answer to this commit was lost
	})
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// restock is the record of a request that changed a stock, written in the same commit.
type restock struct {
	Hash     string    `firestore:"hash"`
	ExpireAt time.Time `firestore:"expireAt"`
}

// Restock adds pieces to the stock of a product, or removes some, and returns the changed product. A stock below 0 or
// above MaxStock is errs.Conflict. A second request of the administrator with the same key, within
// model.IdempotencyWindow, changes nothing. With another hash it is errs.Conflict.
//
// Cost: 2 reads and 2 writes. Each write by another process that comes in between costs 2 reads more.
func (s *Store) Restock(ctx context.Context, by model.UserID, id model.ProductID, pieces int64,
	r model.Request) (p *model.Product, err error) {
	defer errs.Wrap(&err, "shop.Restock(%q)", id)
	if pieces == 0 || max(pieces, -pieces) > model.MaxStock {
		return nil, errs.New(errs.Invalid, "invalid_stock", "a change of a stock is of 1 to %d pieces, in or out",
			model.MaxStock)
	}
	record := s.db.Doc(model.Idempotency, model.IdempotencyKey(by, r.Key))
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		is, was := db.Find[model.Product](&l, s.ref(id)), db.Find[restock](&l, record)
		if err := s.db.Read(ctx, &l); err != nil || !is.Found {
			return notThere(err, id)
		}
		p, is.Doc.ID = &is.Doc, id
		if was.Found && s.db.Now().Before(was.Doc.ExpireAt) {
			if was.Doc.Hash != r.Hash {
				return errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
			}
			return nil
		}
		p.AmountInStock, p.Supplied = p.AmountInStock+pieces, p.Supplied+pieces
		if p.AmountInStock < 0 || p.AmountInStock > model.MaxStock {
			return errs.New(errs.Conflict, "stock_out_of_range",
				"the stock of product %q would be %d; it is from 0 to %d pieces", id, p.AmountInStock, model.MaxStock)
		}
		b := s.db.Batch()
		b.Update(is.Snap.Ref, []firestore.Update{
			{Path: fields.AmountInStock, Value: p.AmountInStock}, {Path: fields.Supplied, Value: p.Supplied},
		}, firestore.LastUpdateTime(is.Snap.UpdateTime))
		if now := (restock{r.Hash, s.db.Time().Add(model.IdempotencyWindow)}); was.Found {
			b.Update(record, []firestore.Update{
				{Path: fields.Hash, Value: now.Hash}, {Path: fields.ExpireAt, Value: now.ExpireAt},
			}, firestore.LastUpdateTime(was.Snap.UpdateTime))
		} else {
			b.Create(record, now)
		}
		_, err := b.Commit(ctx)
		return db.Late(err)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Product reads a product, which may be retired. An unknown product is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) Product(ctx context.Context, id model.ProductID) (_ *model.Product, err error) {
	defer errs.Wrap(&err, "shop.Product(%q)", id)
	p, _, err := s.read(ctx, id)
	return p, err
}

// Products lists the products that are for sale, in an order, after a position. It returns the next position, which is
// zero at the end.
//
// Cost: 1 read for each product, at least 1.
func (s *Store) Products(ctx context.Context, by model.ProductOrder, from model.ProductCursor,
	limit int) (_ []*model.Product, next model.ProductCursor, err error) {
	defer errs.Wrap(&err, "shop.Products(%q)", by)
	q := s.db.Client.Collection(model.Products).Where(fields.Active, "==", true)
	if by == model.ProductsByPrice {
		q = q.OrderBy(fields.Price+".currency", firestore.Asc).OrderBy(fields.Price+".amount", firestore.Asc)
	} else {
		q = q.OrderBy(fields.NameLower, firestore.Asc)
	}
	q = q.OrderBy(firestore.DocumentID, firestore.Asc).Limit(limit)
	switch {
	case from == model.ProductCursor{}:
	case by == model.ProductsByPrice:
		q = q.StartAfter(from.Currency, from.Amount, string(from.ID))
	default:
		q = q.StartAfter(from.Name, string(from.ID))
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return nil, next, err
	}
	all := make([]*model.Product, len(snaps))
	for i, snap := range snaps {
		all[i] = &model.Product{ID: model.ProductID(snap.Ref.ID)}
		if err := snap.DataTo(all[i]); err != nil {
			return nil, next, err
		}
	}
	if len(all) == limit {
		last := all[len(all)-1]
		next = model.ProductCursor{Name: last.NameLower, Currency: last.Price.Currency, Amount: last.Price.Amount,
			ID: last.ID}
	}
	return all, next, nil
}

// read reads a product.
func (s *Store) read(ctx context.Context, id model.ProductID) (*model.Product, *firestore.DocumentSnapshot, error) {
	p, err := db.As[model.Product](s.ref(id).Get(ctx))
	if err != nil || !p.Found {
		return nil, nil, notThere(err, id)
	}
	p.Doc.ID = id
	return &p.Doc, p.Snap, nil
}

// notThere returns the error of an unknown product.
func notThere(err error, id model.ProductID) error {
	if err != nil {
		return err
	}
	return model.NoProduct(id)
}

func (s *Store) ref(id model.ProductID) *firestore.DocumentRef {
	return s.db.Doc(model.Products, string(id))
}
