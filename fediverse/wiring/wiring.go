// Package wiring builds the parts of the fediverse from the configuration of a service, for the API and for functions.
package wiring

import (
	"context"
	"crypto/rand"
	"log/slog"

	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/internal/remoteactor"
	"github.com/hibana-sns/hibana/internal/sealed"
	"github.com/hibana-sns/hibana/internal/version"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/federation"
)

// Site is the installation in the fediverse.
func Site(cfg config.Service) fediverse.Site {
	return fediverse.Site{URL: cfg.PublicURL, Domain: cfg.HandleDomain, Single: cfg.SingleUser}
}

// web are the options of what asks other servers.
func web(cfg config.Service) outbound.Options {
	return outbound.Options{AllowLoopback: cfg.AllowLoopbackLinks,
		UserAgent: outbound.UserAgent(version.Number, cfg.PublicURL)}
}

// Store configures a store, which makes keys of users and asks other servers, if the installation federates. Without a
// key of its own, as on emulators, the keys of users last as long as the process.
func Store(ctx context.Context, cfg config.Service) (func(*store.Options), error) {
	if !cfg.Federates() {
		return func(*store.Options) {}, nil
	}
	secret := []byte(cfg.ActorKey)
	if len(secret) == 0 && cfg.KMSKey == "" {
		secret = []byte(rand.Text() + rand.Text())
	}
	box, err := sealed.New(ctx, sealed.Options{Secret: secret, KMS: cfg.KMSKey})
	if err != nil {
		return nil, err
	}
	fetch := remoteactor.New(web(cfg), cfg.PublicURL, func(id string) string {
		return fediverse.Key(Site(cfg).Own(), id)
	})
	return func(o *store.Options) {
		o.Federation = federation.Options{AllowList: cfg.AllowList(), Box: box, Fetch: fetch.Fetch, FetchObject: fetch.Object,
			Finger: fetch.Finger, Template: fetch.Template, Log: o.Log}
		o.LocalHandle = Site(cfg).Local
		if o.MediaURL == "" {
			o.MediaURL = cfg.MediaURL
		}
		if len(o.MediaKey) == 0 {
			o.MediaKey = []byte(cfg.MediaKey)
		}
	}, nil
}

// Inbox takes what other servers send; nil if the installation does not federate.
func Inbox(cfg config.Service, db *store.Store, log *slog.Logger) *inbox.Inbox {
	if !cfg.Federates() {
		return nil
	}
	return inbox.New(inbox.Options{Store: db, Site: Site(cfg), Log: log, Followed: Out(cfg, db).Follows})
}

// Out is what tells other servers what users do; nil if the installation does not federate.
func Out(cfg config.Service, s *store.Store) *delivery.Out {
	if !cfg.Federates() {
		return nil
	}
	return delivery.New(delivery.Options{Store: s, Site: Site(cfg), Web: web(cfg)})
}
