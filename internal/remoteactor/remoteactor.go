// Package remoteactor fetches actors of other servers, for the keys by which these sign, other objects, and what
// WebFinger says of a handle. Their documents are hostile: everything of them is bounded, and only what their own host
// may say is believed.
package remoteactor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/httpsig"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

const (
	fetchTime = 6 * time.Second
	// redirects is how many redirects of one request are followed, on the same host. Each is signed anew.
	redirects = 2
)

// Fetcher fetches actors. Its methods may be called concurrently.
type Fetcher struct {
	client   *http.Client
	origin   string // of this server, which it never asks
	loopback bool
	keyID    func(id string) string
}

// New returns a fetcher of a server with an origin, such as https://hibana.example. keyID returns the address of a key
// of the server's own actor.
func New(o outbound.Options, origin string, keyID func(id string) string) *Fetcher {
	o.HTTPSOnly, o.Redirects, o.Timeout = !o.AllowLoopback, 0, fetchTime
	return &Fetcher{outbound.Client(o), origin, o.AllowLoopback, keyID}
}

// Fetch fetches the actor of an address, which is its own or that of one of its keys. The request is signed by a key.
// An actor that is not there, or not as it must be, is errs.NotFound; a server that does not answer is
// errs.Unavailable.
//
// A document counts if it names itself by the address at which it was found. Where it names another address of its
// host, that one is asked: so a host speaks for itself alone, and no file of a user passes for an actor of the host
// unless the host sends it as ActivityPub. Of its keys those count that say the actor owns them, and that are of use.
func (f *Fetcher) Fetch(ctx context.Context, address string, by model.SigningKey) (a model.RemoteActor,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	o, _, age, err := f.find(ctx, address, by)
	if err != nil {
		return a, err
	}
	if !o.IsActor() {
		return a, refused("it is no actor")
	}
	a = model.RemoteActor{ID: o.ID, MaxAge: age, Keys: keysOf(o)}
	if len(a.Keys) == 0 {
		return a, refused("it has no key of use")
	}
	return a, nil
}

// Object fetches the object of an address: an actor, a post, or a part of one. The errors and the rules are those of
// [Fetcher.Fetch]. Where the address is that of a page, and the object names another one of its host, the object is
// that of the other address.
func (f *Fetcher) Object(ctx context.Context, address string, by model.SigningKey) (is model.RemoteObject,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	o, data, age, err := f.find(ctx, address, by)
	if err != nil {
		return is, err
	}
	return model.RemoteObject{Address: address, ID: o.ID, JSON: string(data), MaxAge: age}, nil
}

// find gets the document of an address that names itself by the address at which it was found.
func (f *Fetcher) find(ctx context.Context, address string, by model.SigningKey) (o *activitypub.Object, data []byte,
	age time.Duration, err error) {
	if o, data, age, err = f.get(ctx, address, by); err != nil {
		return nil, nil, 0, err
	}
	id := o.ID
	if o.Type == "Key" && len(o.PublicKeys) > 0 {
		id = o.PublicKeys[0].Owner
	}
	if id == address {
		return o, data, age, nil
	}
	if !sameHost(id, address) {
		return nil, nil, 0, refused("it names an object of another host")
	}
	if o, data, age, err = f.get(ctx, id, by); err != nil {
		return nil, nil, 0, err
	}
	if o.ID != id {
		return nil, nil, 0, refused("it names another object than itself")
	}
	return o, data, age, nil
}

// keysOf returns the keys of use of an actor.
func keysOf(o *activitypub.Object) (all []model.RemoteKey) {
	for _, k := range slices.Concat(o.PublicKeys, o.Multikeys) {
		_, err := httpsig.ParseKey(k.Text)
		if err != nil {
			_, err = httpsig.ParseMultikey(k.Text)
		}
		if err == nil && k.ID != "" && k.Owner == o.ID && sameHost(k.ID, o.ID) && len(k.Text) <= model.MaxRemoteKey &&
			len(all) < model.MaxRemoteKeys {
			all = append(all, model.RemoteKey{ID: k.ID, Text: k.Text})
		}
	}
	return all
}

// get reads a document of an address, and how long it may be kept.
func (f *Fetcher) get(ctx context.Context, address string, by model.SigningKey) (*activitypub.Object, []byte,
	time.Duration, error) {
	for range redirects + 1 {
		if err := f.check(address); err != nil {
			return nil, nil, 0, err
		}
		answer, err := f.ask(ctx, address, by)
		if err != nil {
			return nil, nil, 0, unavailable(err)
		}
		if to := answer.Header.Get("Location"); answer.StatusCode/100 == 3 && to != "" {
			_ = answer.Body.Close()
			next, err := answer.Request.URL.Parse(to)
			if err != nil || !sameHost(next.String(), address) {
				return nil, nil, 0, refused("it redirects to another host")
			}
			address = next.String()
			continue
		}
		o, data, age, err := read(answer)
		_ = answer.Body.Close()
		return o, data, age, err
	}
	return nil, nil, 0, refused("it redirects too often")
}

func read(answer *http.Response) (*activitypub.Object, []byte, time.Duration, error) {
	switch code := answer.StatusCode; {
	case code == http.StatusNotFound || code == http.StatusGone:
		return nil, nil, 0, refused("it is not there")
	case code != http.StatusOK:
		return nil, nil, 0, unavailable(fmt.Errorf("its server answers %d", code))
	case !activitypub.Accepts(answer.Header.Get("Content-Type")):
		return nil, nil, 0, refused("its server sends something else")
	}
	data, whole, err := outbound.Read(answer.Body, activitypub.MaxBytes)
	if err != nil {
		return nil, nil, 0, unavailable(err)
	}
	if !whole {
		return nil, nil, 0, refused("it is too large")
	}
	o, err := activitypub.Decode(data)
	if err != nil {
		return nil, nil, 0, refused(err.Error())
	}
	return o, data, maxAge(answer.Header), nil
}

func (f *Fetcher) ask(ctx context.Context, address string, by model.SigningKey) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", activitypub.ContentType+
		`, application/ld+json; profile="https://www.w3.org/ns/activitystreams"`)
	key := httpsig.Key{ID: f.keyID(by.ID), Private: by.Private}
	if err := httpsig.Sign(httpsig.Of(r, nil), key, httpsig.Draft, time.Now()); err != nil {
		return nil, err
	}
	return f.client.Do(r)
}

// check refuses an address that no actor has, and those of this server.
func (f *Fetcher) check(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > model.MaxIRI || model.HostOf(address) == "" || u.Fragment != "",
		u.Scheme != "https" && (!f.loopback || u.Scheme != "http"):
		return refused("it has no address of the web")
	case sameHost(address, f.origin):
		return refused("it is on this server")
	}
	return nil
}

// sameHost reports whether two addresses are of one scheme, host and port.
func sameHost(a, b string) bool {
	u, err := url.Parse(a)
	if err != nil || u.Host == "" {
		return false
	}
	v, err := url.Parse(b)
	return err == nil && u.Scheme == v.Scheme && strings.EqualFold(u.Host, v.Host)
}

// maxAge is how long the answer may be kept; 0 if its server does not say.
func maxAge(h http.Header) time.Duration {
	for one := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		if text, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(one)), "max-age="); ok {
			if n, err := strconv.ParseInt(strings.Trim(text, `"`), 10, 32); err == nil && n > 0 {
				return time.Duration(n) * time.Second
			}
		}
	}
	return 0
}

func refused(why string) error {
	return errs.New(errs.NotFound, "no_remote_actor", "there is nothing of the fediverse at this address: %s", why)
}

func unavailable(err error) error {
	if errors.Is(err, outbound.ErrForbidden) {
		return refused("its address is not of the public web")
	}
	return &errs.Error{Kind: errs.Unavailable, Code: "remote_unavailable",
		Msg: "The other server does not answer.", Err: err}
}
