package mastodon

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// call is a request of a client.
type call struct {
	context.Context
	api     *API
	request *http.Request
	params  params
	header  http.Header // of the answer
	status  int         // of the answer

	streamed bool // the body comes yet, and has the parameters

	pictures map[string]model.MediaID // of a profile that were uploaded, by kind: avatar or header

	longTexts, polls, quoted int // read so far, see maxLongTexts, maxPolls and maxQuotes
}

// goOnReads is how many reads a request may be billed before it reads no further page of a native list, where those so
// far had nothing for it.
const goOnReads = 150

// mayGoOn reports whether a request that has nothing yet may read one more page of a native list.
func (c *call) mayGoOn() bool { return meter.Of(c).Reads < goOnReads }

// path returns a parameter of the path.
func (c *call) path(name string) string { return server.Param(c, name) }

// caller is who asks.
func (c *call) caller() model.Caller { return server.Caller(c) }

// site makes addresses.
func (c *call) site() fediverse.Site {
	s := c.api.Site
	if s.URL == "" {
		scheme := "http"
		if c.request.TLS != nil || c.request.Header.Get("X-Forwarded-Proto") == "https" {
			scheme = "https"
		}
		s.URL = scheme + "://" + c.request.Host
	}
	return s
}

// native joins segments to a path of the native API, each escaped.
func native(segments ...string) string {
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return "/v1/" + strings.Join(segments, "/")
}

// get reads from the native API.
func (c *call) get(path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.do(http.MethodGet, path, nil, nil, out)
}

// send changes something by the native API. in is the body, or nil; out is what the answer is read into, or nil.
func (c *call) send(method, path string, in, out any) error { return c.do(method, path, nil, in, out) }

func (c *call) do(method, path string, header http.Header, in, out any) error {
	_, err := c.answer(method, path, header, in, out)
	return err
}

// answer is [call.do] that returns the header of the answer.
func (c *call) answer(method, path string, header http.Header, in, out any) (http.Header, error) {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return nil, err
		}
	}
	a := c.api.Native.Within(c, method, path, header, body)
	if err := a.Err(); err != nil {
		return nil, err
	}
	if out == nil || len(a.Body) == 0 {
		return a.Header, nil
	}
	return a.Header, json.Unmarshal(a.Body, out)
}

// idempotency returns the header of a request that a client may repeat: native keys are shorter than those of some
// clients. attempt tells native requests apart that differ in what they ask for; it is empty for the first one.
func (c *call) idempotency(attempt string) http.Header {
	key := c.request.Header.Get("Idempotency-Key")
	if key == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(key + attempt))
	return http.Header{"Idempotency-Key": {hex.EncodeToString(sum[:])}}
}

// limit returns how many items the client asks for.
func (c *call) limit(usual, most int) int {
	n := c.params.number("limit", usual)
	return max(1, min(n, most))
}

// page is a page of a native list.
type page[T any] struct {
	Items         []T    `json:"items"`
	NextPageToken string `json:"nextPageToken"`
}

// pages adds the header Link of a list whose pages have tokens of the native API: the token stands in max_id, as the
// documentation lets it have any value that clients only pass on.
func (c *call) pages(next string) {
	if next != "" {
		c.link("next", "max_id", next)
	}
}

// link adds a part of the header Link: this request with another parameter.
func (c *call) link(rel, name, value string) {
	at := *c.request.URL
	query := at.Query()
	for _, other := range []string{"max_id", "min_id", "since_id", "access_token"} {
		query.Del(other)
	}
	query.Set(name, value)
	target := c.site().URL + at.Path + "?" + query.Encode()
	text := "<" + target + `>; rel="` + rel + `"`
	if before := c.header.Get("Link"); before != "" {
		text = before + ", " + text
	}
	c.header.Set("Link", text)
}

// listed reads a page of a native list whose Link has tokens. It has the items that keep accepts, or all. As clients
// take an empty page for the end of a list, it goes on reading until it has an item, mostPages native pages far, or
// until it has cost goOnReads.
func listed[T any](c *call, path string, query url.Values, usual, most int, keep ...func(T) bool) (some []T,
	err error) {
	if query == nil {
		query = url.Values{}
	}
	query.Set("pageSize", strconv.Itoa(c.limit(usual, most)))
	if token := c.params.text("max_id"); token != "" {
		query.Set("pageToken", token)
	}
	if c.params.has("min_id") || c.params.has("since_id") {
		return nil, nil // what is newer than a page: such a list has no places of its items
	}
	next := ""
	for range mostPages {
		var found page[T]
		if err := c.get(path, query, &found); err != nil {
			return nil, err
		}
		for _, item := range found.Items {
			if len(keep) == 0 || keep[0](item) {
				some = append(some, item)
			}
		}
		if next = found.NextPageToken; next == "" || len(some) > 0 || !c.mayGoOn() {
			break
		}
		query.Set("pageToken", next)
	}
	c.pages(next)
	if len(some) > 0 {
		// Clients of such a list ask for what is newer, and some go on for ever without a Link on the last page.
		c.link("prev", "since_id", cmp.Or(c.params.text("max_id"), "0"))
	}
	return some, nil
}

// walked reads a native list from an offset on, mostPages native pages far, or until it has cost goOnReads.
func walked[T any](c *call, path string, query url.Values, offset, limit int) ([]T, error) {
	if query == nil {
		query = url.Values{}
	}
	all := []T{}
	for n := 0; n < mostPages && len(all) < offset+limit; n++ {
		query.Set("pageSize", strconv.Itoa(offset+limit-len(all)))
		var found page[T]
		if err := c.get(path, query, &found); err != nil {
			return nil, err
		}
		if all = append(all, found.Items...); found.NextPageToken == "" || !c.mayGoOn() {
			break
		}
		query.Set("pageToken", found.NextPageToken)
	}
	return part(all, offset, limit), nil
}

// part is a part of a list.
func part[T any](all []T, offset, limit int) []T {
	all = all[min(offset, len(all)):]
	return all[:min(limit, len(all))]
}

// offset returns how many items of a list the client passes over.
func (c *call) offset() int { return max(0, min(c.params.number("offset", 0), maxOffset)) }

// maxOffset is beyond the end of all lists that have an offset.
const maxOffset = 1_000

// invalid is the error of a parameter.
func invalid(format string, args ...any) error {
	return errs.New(errs.Invalid, "invalid_request", format, args...)
}

// stamp is a time as Mastodon writes it; null for the zero time.
type stamp time.Time

// MarshalJSON implements [json.Marshaler].
func (s stamp) MarshalJSON() ([]byte, error) {
	t := time.Time(s)
	if t.IsZero() {
		return []byte("null"), nil
	}
	return []byte(t.UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

// date is the day of a time.
func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }
