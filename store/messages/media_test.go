package messages_test

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A message has all of the description of a picture, since no other page shows the rest.
func TestLongDescription(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	picture, alt := model.NewMediaID(), strings.Repeat("é", model.MaxAlt)
	_, err := e.Raw.Doc("media/"+string(picture)).Create(t.Context(), model.Media{OwnerID: "ann", Kind: model.MediaTweet,
		State: model.MediaReady, Type: model.MediaImage, Width: 1, Height: 1, Alt: alt})
	testenv.Must(t, err)
	_, err = e.Messages.Send(t.Context(), "ann", id, model.NewMessage{Media: []model.MediaID{picture}}, model.Request{})
	testenv.Must(t, err)
	page, err := e.Messages.Messages(t.Context(), "bob", id, "")
	testenv.Must(t, err)
	shown := page.Messages[0].Media[0]
	want(t, "the description", shown.Alt, alt)
	want(t, "whether it is cut", shown.AltCut, false)
}
