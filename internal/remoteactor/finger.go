package remoteactor

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

const (
	// maxFinger is how many bytes an answer of WebFinger has.
	maxFinger = 64 << 10
	// maxLinks is how many of its links count.
	maxLinks = 50
)

// Finger asks WebFinger of a host what a resource is, such as acct:bob@example.org. template is the address for that
// which [Fetcher.Template] found; empty for the usual one. Requests are not signed. A redirect may lead to another
// host: the host of the handle decides who answers for it. The errors are those of [Fetcher.Fetch].
func (f *Fetcher) Finger(ctx context.Context, host, template, resource string) (is model.Finger, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	if template == "" {
		template = f.scheme(host) + "://" + host + "/.well-known/webfinger?resource={uri}"
	}
	if strings.Count(template, "{uri}") != 1 {
		return is, refused("its server has no address for WebFinger")
	}
	data, age, err := f.text(ctx, strings.Replace(template, "{uri}", url.QueryEscape(resource), 1),
		"application/jrd+json, application/json")
	if err != nil {
		return is, err
	}
	var said struct {
		Subject string `json:"subject"`
		Links   []struct {
			Rel  string `json:"rel"`
			Type string `json:"type"`
			Href string `json:"href"`
		} `json:"links"`
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return is, refused("its server does not answer WebFinger in JSON")
	}
	is = model.Finger{Subject: said.Subject, MaxAge: age}
	for i, link := range said.Links {
		if i < maxLinks && link.Rel == "self" && activitypub.Accepts(link.Type) && len(link.Href) <= model.MaxIRI {
			is.Type, is.Href = link.Type, link.Href
			break
		}
	}
	if is.Href == "" || len(is.Subject) > model.MaxIRI || len(is.Type) > maxType {
		return is, refused("WebFinger names no actor")
	}
	return is, nil
}

// maxType is how many bytes the type of a link has.
const maxType = 200

// Template returns the address for WebFinger that the host-meta of a host names: lrdd.
func (f *Fetcher) Template(ctx context.Context, host string) (template string, age time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	data, age, err := f.text(ctx, f.scheme(host)+"://"+host+"/.well-known/host-meta", "application/xrd+xml")
	if err != nil {
		return "", 0, err
	}
	var said struct {
		Links []struct {
			Rel      string `xml:"rel,attr"`
			Template string `xml:"template,attr"`
		} `xml:"Link"`
	}
	if err := xml.Unmarshal(data, &said); err != nil {
		return "", 0, refused("its host-meta is no XRD")
	}
	for i, link := range said.Links {
		if i < maxLinks && link.Rel == "lrdd" && strings.Count(link.Template, "{uri}") == 1 &&
			f.check(strings.Replace(link.Template, "{uri}", "a", 1)) == nil {
			return link.Template, age, nil
		}
	}
	return "", 0, refused("its host-meta has no template")
}

// scheme is that of a host: https, but http for this computer itself where it may be asked.
func (f *Fetcher) scheme(host string) string {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if ip := net.ParseIP(name); f.loopback && (name == "localhost" || ip != nil && ip.IsLoopback()) {
		return "http"
	}
	return "https"
}

// text gets a small text of a host, without a signature.
func (f *Fetcher) text(ctx context.Context, address, accept string) ([]byte, time.Duration, error) {
	for range redirects + 1 {
		if err := f.check(address); err != nil {
			return nil, 0, err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, 0, refused("it has no address of the web")
		}
		r.Header.Set("Accept", accept)
		answer, err := f.client.Do(r)
		if err != nil {
			return nil, 0, unavailable(err)
		}
		next, data, err := readText(answer)
		_ = answer.Body.Close()
		if next == "" {
			return data, maxAge(answer.Header), err
		}
		address = next
	}
	return nil, 0, refused("it redirects too often")
}

// readText returns the body of an answer, or where it redirects.
func readText(answer *http.Response) (next string, data []byte, err error) {
	if to := answer.Header.Get("Location"); answer.StatusCode/100 == 3 && to != "" {
		u, err := answer.Request.URL.Parse(to)
		if err != nil {
			return "", nil, refused("it redirects to nowhere")
		}
		return u.String(), nil, nil
	}
	switch code := answer.StatusCode; {
	case code == http.StatusOK:
	case code/100 == 4 && code != http.StatusTooManyRequests:
		return "", nil, refused(fmt.Sprintf("its server answers %d", code))
	default:
		return "", nil, unavailable(fmt.Errorf("its server answers %d", code))
	}
	data, whole, err := outbound.Read(io.Reader(answer.Body), maxFinger)
	if err != nil {
		return "", nil, unavailable(err)
	}
	if !whole {
		return "", nil, refused("it is too large")
	}
	return "", data, nil
}
