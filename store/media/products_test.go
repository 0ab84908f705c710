package media_test

import (
	"context"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/media"
	"github.com/hibana-sns/hibana/store/shop"
	"github.com/hibana-sns/hibana/store/verify"
)

// A product shows an upload of the administrator who adds or changes it. Everybody may see it until a day after another
// takes its place.
func TestProduct(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	first, second := e.ready(t, "ann", model.MediaProduct, "A red lantern"), e.ready(t, "ann", model.MediaProduct, "")
	draft := model.ProductDraft{Name: "Lantern", Price: model.Price{Amount: 300, Currency: "JPY"}, PictureID: first}
	seen := func(what string, id model.MediaID, want bool) {
		t.Helper()
		if _, err := e.Media.Serve(ctx, id, model.SizeSmall, media.Signature{}); (err == nil) != want {
			t.Errorf("%s: %v", what, err)
		}
	}
	request := model.Request{Key: "one", Hash: "hash"}
	var p *model.Product
	testenv.Must(t, storetest.Costs(t, "adding", 2, 2, 0, func(ctx context.Context) (err error) {
		p, err = e.Shop.Add(ctx, "ann", draft, 5, request)
		return err
	}))
	if p.Picture == nil || p.Picture.ID != first || p.Picture.Alt != "A red lantern" || p.Picture.Width != 60 ||
		p.Picture.Blurhash == "" {
		t.Fatalf("the product has %+v", p.Picture)
	}
	seen("the picture of a product", first, true)
	again, err := e.Shop.Add(ctx, "ann", draft, 5, request)
	testenv.Must(t, err)
	if again.ID != p.ID || again.Picture.ID != first {
		t.Errorf("the repeated request gets %+v", again)
	}
	_, err = e.Shop.Add(ctx, "ann", draft, 5, model.Request{Key: "one", Hash: "another"})
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")

	address := func(id model.MediaID) *string { return new("https://media.test/media/" + string(id) + "/large") }
	for _, bad := range []struct {
		to   shop.Patch
		kind errs.Kind
		code string
	}{
		{shop.Patch{Picture: new(e.ready(t, "bob", model.MediaProduct, ""))}, errs.NotFound, "media_not_found"},
		{shop.Patch{Picture: new(e.ready(t, "ann", model.MediaTweet, ""))}, errs.Invalid, "wrong_media_kind"},
		{shop.Patch{Picture: new(model.MediaID("x"))}, errs.Invalid, "invalid_media_id"},
		{shop.Patch{Picture: &second, Image: new("https://example.com/x.png")}, errs.Invalid, "two_images"},
		{shop.Patch{Image: address(second)}, errs.Invalid, "invalid_image"},
	} {
		bad.to.By = "ann"
		_, err := e.Shop.Change(ctx, p.ID, bad.to, nil)
		storetest.WantErr(t, err, bad.kind, bad.code)
	}
	// A client may send back the address that it has read, with another description.
	p, err = e.Shop.Change(ctx, p.ID, shop.Patch{Image: address(first), PictureAlt: new("A lantern"), By: "ann"}, nil)
	testenv.Must(t, err)
	if p.Picture == nil || p.Picture.ID != first || p.Picture.Alt != "A lantern" || p.Image != "" {
		t.Errorf("the product has %+v and %q", p.Picture, p.Image)
	}

	testenv.Must(t, storetest.Costs(t, "another picture", 3, 3, 0, func(ctx context.Context) (err error) {
		p, err = e.Shop.Change(ctx, p.ID, shop.Patch{Picture: &second, By: "ann"}, nil)
		return err
	}))
	if p.Picture.ID != second || p.Picture.Alt != "" || e.record(t, second)["expireAt"] != nil {
		t.Errorf("the product has %+v, and the record is %v", p.Picture, e.record(t, second))
	}
	seen("the former picture, at first", first, true)
	e.Clock.Add(day)
	seen("the former picture, a day later", first, false)
	seen("the present picture", second, true)
	// Verification knows whom a picture belongs to, and finds one that its product does not show.
	audit := func(want int) {
		t.Helper()
		if ds, err := e.Audit.All(ctx, verify.Options{}); err != nil || len(ds) != want {
			t.Errorf("verification finds %+v, %v; want %d", ds, err, want)
		}
	}
	audit(0)
	shown := e.Raw.Doc("products/" + string(p.ID))
	_, err = shown.Update(ctx, []firestore.Update{{Path: "picture.id", Value: model.NewMediaID()}})
	testenv.Must(t, err)
	audit(1)
	_, err = shown.Update(ctx, []firestore.Update{{Path: "picture.id", Value: second}})
	testenv.Must(t, err)
	p, err = e.Shop.Change(ctx, p.ID, shop.Patch{Image: new("https://example.com/x.png"), By: "ann"}, nil)
	testenv.Must(t, err)
	if p.Picture != nil || e.record(t, second)["expireAt"] == nil {
		t.Errorf("with an address the product has %+v, and the record is %v", p.Picture, e.record(t, second))
	}
}
