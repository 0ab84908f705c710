package shop

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// addShown adds a product with a picture, as [Store.Add] does. The upload belongs to the product from then on, and no
// longer expires. An upload that the product cannot take has the errors of [model.Media.Usable].
//
// Cost: 2 reads and 2 writes.
func (s *Store) addShown(ctx context.Context, by model.UserID, p *model.Product) (added *model.Product, err error) {
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		is, picture := db.Find[model.Product](&l, s.ref(p.ID)), db.Find[model.Media](&l, s.db.Media(p.PictureID))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		if is.Found {
			is.Doc.ID, added = p.ID, &is.Doc
			return sameRequest(added, p)
		}
		b := s.db.Batch()
		if p.Picture, err = s.take(b, by, picture, p.PictureID, p.ID); err != nil {
			return err
		}
		added = p
		b.Create(s.ref(p.ID), p)
		_, err = b.Commit(ctx)
		return db.Late(err)
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

// take adds to a batch that an upload shows a product, and returns what the product has of it.
func (s *Store) take(b *db.Batch, by model.UserID, upload *db.Found[model.Media], id model.MediaID,
	product model.ProductID) (*model.ProductPicture, error) {
	upload.Doc.ID = id
	if err := upload.Doc.Usable(by, model.MediaProduct, s.db.Now()); err != nil {
		return nil, err
	}
	b.Update(upload.Snap.Ref, []firestore.Update{{Path: fields.ProductID, Value: product},
		{Path: fields.ExpireAt, Value: firestore.Delete}}, firestore.LastUpdateTime(upload.Snap.UpdateTime))
	return upload.Doc.OfProduct(), nil
}

// show applies the changes of the pictures of a product. A new upload has its id alone until [Store.swap] reads it.
func (c *Patch) show(p *model.Product) error {
	if c.Image != nil && !p.Picture.IsAt(*c.Image) { // a client may send back what it has read
		if p.Image = *c.Image; model.IsMediaAddress(p.Image) {
			return errs.New(errs.Invalid, "invalid_image", "an uploaded picture becomes the image by imageMedia")
		}
		if p.Image != "" {
			p.Picture = nil
		}
	}
	switch {
	case c.Picture == nil || p.Picture != nil && *c.Picture == p.Picture.ID:
	case *c.Picture == "":
		p.Picture = nil
	case c.Image != nil && *c.Image != "":
		return errs.New(errs.Invalid, "two_images", "image and imageMedia exclude each other")
	default:
		if _, err := model.ParseMediaID(string(*c.Picture)); err != nil {
			return err
		}
		p.Image, p.Picture = "", &model.ProductPicture{ID: *c.Picture}
	}
	if c.PictureAlt == nil {
		return nil
	}
	if p.Picture == nil {
		return errs.New(errs.Invalid, "invalid_image", "imageAlt describes an uploaded picture, and the product has none")
	}
	alt, err := model.CleanAlt(*c.PictureAlt)
	if err != nil {
		return err
	}
	shown := *p.Picture
	shown.Alt, p.Picture = alt, &shown
	return nil
}

// samePicture reports whether two states of a product show the same.
func samePicture(a, b *model.Product) bool {
	if a.Picture == nil || b.Picture == nil {
		return a.Picture == b.Picture
	}
	return a.Picture.ID == b.Picture.ID && a.Picture.Alt == b.Picture.Alt
}

// swap adds to the batch of a change what happens to the uploads: a new one belongs to the product, and the former one
// expires after [model.MediaWindow], because orders and caches of browsers show it for a while.
//
// Cost: nothing for the same picture; 1 read and 1 write for each upload that comes or goes.
func (s *Store) swap(ctx context.Context, b *db.Batch, by model.UserID, is, after *model.Product) error {
	var was, id model.MediaID
	if is.Picture != nil {
		was = is.Picture.ID
	}
	if after.Picture != nil {
		id = after.Picture.ID
	}
	if was == id {
		return nil
	}
	var l db.Lookup
	former, next := &db.Found[model.Media]{}, &db.Found[model.Media]{}
	if was != "" {
		former = db.Find[model.Media](&l, s.db.Media(was))
	}
	if id != "" {
		next = db.Find[model.Media](&l, s.db.Media(id))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	if id != "" {
		alt := after.Picture.Alt
		taken, err := s.take(b, by, next, id, after.ID)
		if err != nil {
			return err
		}
		if after.Picture = taken; alt != "" {
			taken.Alt = alt
		}
	}
	if former.Found { // it went with the account of the administrator who uploaded it otherwise
		b.Update(former.Snap.Ref, []firestore.Update{{Path: fields.ExpireAt,
			Value: s.db.Time().Add(model.MediaWindow)}}, firestore.LastUpdateTime(former.Snap.UpdateTime))
	}
	return nil
}
