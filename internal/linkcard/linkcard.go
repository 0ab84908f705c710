// Package linkcard reads what web pages say of themselves: OpenGraph, then Twitter's names, then title and description.
// Pages are hostile: everything of them is bounded, and nothing of them is kept but short texts and pixels.
package linkcard

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html/charset"

	"github.com/hibana-sns/hibana/internal/media"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

// Limits of a fetch. A function has 8 s for an event.
const (
	pageTime     = 4 * time.Second
	pictureTime  = 2 * time.Second
	pageBytes    = 512 << 10 // after decompression; the head of a page is at its beginning
	pictureBytes = 3 << 20
)

// pictureLimits bound a picture beside an upload, which may be in work in the same process.
var pictureLimits = media.Limits{
	PictureBytes: pictureBytes, Side: 6000, Pixels: 8_000_000, Frames: 200, FramePixels: 8_000_000, GIFSide: 1600,
	Memory: 48 << 20,
}

// Fetcher fetches pages. Its methods may be called concurrently; it decodes one picture at a time.
type Fetcher struct {
	client   *http.Client
	pictures *media.Processor
}

// New returns a fetcher that asks by a client of package outbound.
func New(client *http.Client) *Fetcher { return &Fetcher{client, media.New(pictureLimits)} }

// Fetch fetches the page of an address, and its picture. Whatever the site does wrong is a failure in the page. The
// error is that of a context that ended. Fetch takes 6 s at most, and the time to decode a picture of 8 megapixels.
func (f *Fetcher) Fetch(ctx context.Context, address string) (model.LinkPage, error) {
	found, err := f.page(ctx, address)
	if err != nil || found.Failure != "" || found.picture == nil {
		return found.LinkPage, err
	}
	found.Picture = f.picture(ctx, found.picture)
	return found.LinkPage, ctx.Err()
}

// page is a page, and the address of its picture; nil for none.
type page struct {
	model.LinkPage
	picture *url.URL
}

func failed(why string, maxAge time.Duration) page {
	return page{LinkPage: model.LinkPage{Failure: why, MaxAge: maxAge}}
}

func (f *Fetcher) page(ctx context.Context, address string) (page, error) {
	within, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	answer, err := f.get(within, address, "text/html,application/xhtml+xml;q=0.9")
	if err != nil {
		return failed(model.LinkUnreachable, 0), ctx.Err()
	}
	defer answer.Body.Close()
	age := maxAge(answer.Header)
	if answer.StatusCode != http.StatusOK {
		return failed(model.LinkRefused, age), nil
	}
	contentType := answer.Header.Get("Content-Type")
	if t, _, err := mime.ParseMediaType(contentType); err != nil || t != "text/html" && t != "application/xhtml+xml" {
		return failed(model.LinkNoPage, age), nil
	}
	// A page that is cut off, or whose server stops in the middle, may have its head.
	data, _, err := outbound.Read(answer.Body, pageBytes)
	if err != nil && len(data) == 0 {
		return failed(model.LinkUnreachable, 0), ctx.Err()
	}
	text, err := charset.NewReader(bytes.NewReader(data), contentType)
	if err != nil {
		return failed(model.LinkNoPage, age), nil
	}
	h := &head{}
	h.robots(strings.Join(answer.Header.Values("X-Robots-Tag"), ","))
	h.read(io.LimitReader(text, 4*pageBytes))
	found := h.page(answer.Request.URL)
	found.MaxAge = age
	return found, ctx.Err()
}

func (f *Fetcher) get(ctx context.Context, address, accept string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", accept)
	return f.client.Do(r)
}

// picture fetches and encodes a picture anew; nil if it is none, or too large, or if its turn among those that are
// decoded does not come within pictureTime.
func (f *Fetcher) picture(ctx context.Context, at *url.URL) *model.LinkPicture {
	within, cancel := context.WithTimeout(ctx, pictureTime)
	defer cancel()
	answer, err := f.get(within, at.String(), "image/webp,image/jpeg,image/png,image/gif")
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil
	}
	data, whole, err := outbound.Read(answer.Body, pictureBytes)
	if err != nil || !whole {
		return nil
	}
	made, err := f.pictures.Process(within, bytes.NewReader(data), int64(len(data)), media.Thumbnail)
	if err != nil || len(made.Small.Data) > model.MaxLinkPicture {
		return nil
	}
	p := made.Small
	return &model.LinkPicture{ContentType: string(p.Type), Width: p.Width, Height: p.Height, Data: p.Data}
}

// maxAge returns for how long an answer may be kept, by the first max-age in Cache-Control; 0 if it says nothing.
func maxAge(h http.Header) time.Duration {
	for _, line := range h.Values("Cache-Control") {
		for part := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			seconds, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 31)
			if strings.EqualFold(name, "max-age") && err == nil {
				return time.Duration(seconds) * time.Second
			}
		}
	}
	return 0
}
