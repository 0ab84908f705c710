package api_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A card is for everybody, and caches keep it for an hour; that there is none, for a minute.
func TestLinkCard(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	const address = "https://example.com/a?b=c"
	type answer struct {
		Card *struct {
			URL, Host, Title, Description string
			FetchedAt                     time.Time
			Picture                       *struct {
				ContentType   string
				Width, Height int
				Data          []byte
			}
		}
	}
	get := func(url, cache string) (got answer) {
		t.Helper()
		a := e.do(t, "GET", "/v1/linkCards?url="+url, "", nil)
		a.want(t, http.StatusOK, &got)
		if is := a.header.Get("Cache-Control"); is != cache {
			t.Errorf("%s has Cache-Control %q, want %q", url, is, cache)
		}
		return got
	}
	if got := get("https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc", "public, max-age=60"); got.Card != nil {
		t.Errorf("an unknown address has the card %+v", got.Card)
	}
	put := func(c *model.LinkCard) {
		t.Helper()
		_, err := e.admin.Doc("linkCards/"+model.LinkKey(address)).Set(t.Context(), c)
		testenv.Must(t, err)
	}
	page := model.LinkPage{Title: "<b>T</b>", Description: "D",
		Picture: &model.LinkPicture{ContentType: "image/jpeg", Width: 4, Height: 2, Data: []byte{1, 2, 3}}}
	put(page.Card(address, nil, e.now()))
	got := get("https%3A%2F%2FEXAMPLE.com%3A443%2Fa%3Fb%3Dc%23d", "public, max-age=3600").Card
	if got == nil || got.URL != address || got.Host != "example.com" || got.Title != "<b>T</b>" ||
		got.Description != "D" ||
		got.Picture == nil || got.Picture.Width != 4 || !bytes.Equal(got.Picture.Data, []byte{1, 2, 3}) {
		t.Errorf("the card is %+v", got)
	}
}
