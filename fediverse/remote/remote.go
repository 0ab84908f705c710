// Package remote keeps the people and posts of other servers of the fediverse: a person is a user, and a post a tweet.
// What it reads is hostile: it believes of each document what the host of its address may say, and cuts everything to
// the limits of what users of this installation write.
package remote

import (
	"log/slog"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// fetchTime is how long one call of this package fetches at most. A function has 8 s for all that it does.
const fetchTime = 7 * time.Second

// Options configure a [Remote].
type Options struct {
	Store *store.Store     // its options have the functions that fetch, see package federation
	Site  fediverse.Site   // of this installation
	Log   *slog.Logger     // for what no caller gets; nil for the default
	Now   func() time.Time // nil for the clock of Store
}

// Remote knows the people and posts of other servers. Its methods may be called concurrently. Their errors are those of
// package errs: errs.NotFound for what is not there or not as it must be, and errs.Unavailable for a server that does
// not answer.
type Remote struct {
	o       Options
	store   *store.Store
	site    fediverse.Site
	flights singleflight.Group
}

// New returns the people and posts of other servers.
func New(o Options) *Remote {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = o.Store.Now
	}
	return &Remote{o: o, store: o.Store, site: o.Site}
}

// checkAddress refuses an address that nothing of another server has.
func (r *Remote) checkAddress(iri string) error {
	u, err := url.Parse(iri)
	if err != nil || len(iri) > model.MaxIRI || model.HostOf(iri) == "" || u.Scheme != "https" &&
		u.Scheme != "http" {
		return refused("it is no address")
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

// hostOf is the host of an address, with its port.
func hostOf(iri string) string {
	u, err := url.Parse(iri)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

func refused(why string) error {
	return errs.New(errs.NotFound, "not_in_fediverse", "there is nothing of the fediverse at this address: %s", why)
}
