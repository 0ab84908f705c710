package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// LinkCard is what a web page says of itself. Its texts are those of another site: plain texts that anybody may have
// written.
type LinkCard struct {
	URL         string       `json:"url" doc:"Address of the page, as its card has it: without a fragment"`
	Host        string       `json:"host" doc:"Host of the address" example:"example.com"`
	Title       string       `json:"title" doc:"At most 200 characters"`
	Description string       `json:"description,omitempty" doc:"At most 500 characters"`
	SiteName    string       `json:"siteName,omitempty"`
	Author      string       `json:"author,omitempty"`
	Language    string       `json:"language,omitempty" doc:"BCP 47 tag"`
	Picture     *LinkPicture `json:"picture,omitempty" doc:"Absent from a page without"`
	FetchedAt   time.Time    `json:"fetchedAt"`
}

// LinkPicture is a small picture of a page. The answer has it, so that no reader asks the page's site.
type LinkPicture struct {
	ContentType string `json:"contentType" enum:"image/jpeg,image/png"`
	Width       int    `json:"width" doc:"At most 400"`
	Height      int    `json:"height" doc:"At most 400"`
	Data        []byte `json:"data" doc:"The file in base64, at most 48 KiB before that"`
}

// LinkCardFound has the card of an address, if there is one.
type LinkCardFound struct {
	Card *LinkCard `json:"card,omitempty" doc:"Absent if the address has none, or not yet"`
}

type linkCardOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         LinkCardFound
}

// For how long browsers and caches keep a card, and that there is none.
const (
	cardKept   = "public, max-age=3600"
	noCardKept = "public, max-age=60"
)

// linkCards adds the operation that reads cards of links.
func (s *service) linkCards() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/linkCards", OperationID: "getLinkCard", Tags: []string{"links"},
		Summary: "Read the card of a linked web page",
		Description: "A public or unlisted tweet without media has the card of the first web link in its snippet. The page " +
			"is " +
			"fetched after the tweet is posted, and again when a tweet is posted after the max-age of the page, an hour to 30 " +
			"days; this request fetches nothing. Pages that forbid copies (robots noarchive) have no card.",
	}, func(ctx context.Context, in *struct {
		URL string `query:"url" required:"true" minLength:"1" maxLength:"1000" doc:"Address of the page: http or https" example:"https://example.com/"`
	}) (*linkCardOutput, error) {
		c, err := s.Links.Card(ctx, in.URL)
		if errs.KindOf(err) == errs.NotFound {
			return &linkCardOutput{CacheControl: noCardKept}, nil
		}
		if err != nil {
			return nil, err
		}
		return &linkCardOutput{cardKept, LinkCardFound{linkCardOf(c)}}, nil
	})
}

func linkCardOf(c *model.LinkCard) *LinkCard {
	is := &LinkCard{URL: c.Address, Host: c.Host(), Title: c.Title, Description: c.Description, SiteName: c.SiteName,
		Author: c.Author, Language: c.Language, FetchedAt: c.FetchedAt}
	if p := c.Picture; p != nil {
		is.Picture = &LinkPicture{p.ContentType, p.Width, p.Height, p.Data}
	}
	return is
}
