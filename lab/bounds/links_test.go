package bounds

import (
	"context"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The largest card is within its bound.
func TestLargestLinkCard(t *testing.T) {
	t.Parallel()
	longest := "https://example.com/" + strings.Repeat("x", model.MaxLinkAddress-20)
	largest := model.LinkPage{Title: wide(model.MaxLinkTitle), Description: wide(model.MaxLinkDescription),
		SiteName: wide(model.MaxLinkName), Author: wide(model.MaxLinkName), Language: "zh-Hant-TW",
		Picture: &model.LinkPicture{ContentType: "image/jpeg", Width: 400, Height: 400,
			Data: make([]byte, model.MaxLinkPicture)}}
	e := storetest.Open(t, store.Options{FetchLink: func(context.Context, string) (model.LinkPage, error) {
		return largest, nil
	}})
	testenv.Must(t, e.Links.Want(t.Context(), longest))
	if got, err := model.LinkAddress(longest); err != nil || got != longest {
		t.Fatal(got, err)
	}
	snap, err := e.Raw.Doc("linkFetches/" + model.LinkKey(longest)).Get(t.Context())
	testenv.Must(t, err)
	if n, most := sizeOf(snap), model.Row(model.LinkFetches).Bound.Bytes; n > most {
		t.Errorf("a work document has %d bytes, want %d at most", n, most)
	}
	testenv.Must(t, e.Links.Fetch(t.Context(), model.LinkKey(longest)))
	snap, err = e.Raw.Doc("linkCards/" + model.LinkKey(longest)).Get(t.Context())
	testenv.Must(t, err)
	most := model.Row(model.LinkCards).Bound.Bytes
	if n := sizeOf(snap); n > most || n < most*4/5 {
		t.Errorf("a card has %d bytes, want %d at most, and not much less", n, most)
	}
}
