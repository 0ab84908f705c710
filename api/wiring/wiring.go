// Package wiring passes the parts of a store to the services that use them.
package wiring

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/fediverse/remote"
	"github.com/hibana-sns/hibana/fediverse/wiring"
	"github.com/hibana-sns/hibana/internal/agents"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/limits"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

// API returns the parts of a store that the API uses: source documents, readers, audit and Ping. The API gets no writer
// of projections.
func API(db *store.Store) api.Stores {
	return api.Stores{
		Users: db.Users, Graph: db.Graph, Tweets: db.Tweets, Media: db.Media.Store, Links: db.Links.Store,
		Federation: db.Federation, Remote: Remote(db),
		Reactions: db.Reactions, Cards: db.Previews.Reader,
		Timelines:          db.Timelines.Reader,
		NotificationEvents: db.NotificationEvents.Reader,
		Edits:              db.Edits, Bookmarks: db.Bookmarks, Pins: db.Pins, Drafts: db.Drafts,
		HeldReplies: db.HeldReplies, Polls: db.Polls,
		Devices: db.Devices,
		Shares:  db.Shares, Requests: db.Requests, Lists: db.Lists, Messages: db.Messages.Store, Threads: db.Threads,
		Gists: db.Gists,
		Tags:  db.Tags, Mentions: db.Mentions,
		Settings: db.Settings, Search: db.Search.Search, Trends: db.Trends.TrendsReader, Totals: db.Totals.TotalsReader,
		Directory: db.Directory, Suggestions: db.Suggestions.Suggestions,
		Moderation: db.Moderation, Shop: db.Shop, Orders: db.Orders.Orders, Exports: db.Exports.Exports, Audit: db.Audit,
		Listen: db.Listen,
		OAuth:  db.OAuth,
		Ping:   db.Ping,
	}
}

// Remote returns what makes the people and posts of other servers of a database.
func Remote(db *store.Store) api.RemoteStores {
	return func(site fediverse.Site) *remote.Remote {
		return remote.New(remote.Options{Store: db, Site: site})
	}
}

// Gists configures a store for the API, which writes gists if a provider does and the day has tokens.
func Gists(ctx context.Context, cfg config.API) (func(*store.Options), error) {
	if cfg.GistTokens == 0 {
		return func(*store.Options) {}, nil
	}
	by, err := agents.New(ctx, agents.Options{Provider: cfg.AIProvider, Endpoint: cfg.AIEndpoint, Key: string(cfg.AIKey)})
	return func(o *store.Options) {
		if by != nil {
			o.Gists = tweets.GistOptions{By: by, Model: cfg.GistModel, Tokens: cfg.GistTokens}
		}
	}, err
}

// Fediverse is how servers of the fediverse find and read users, and write to them.
func Fediverse(cfg config.API, db *store.Store, log *slog.Logger) api.Federation {
	return api.Federation{On: cfg.Federates(), Domain: cfg.HandleDomain, SignedFetch: cfg.SignedFetch,
		Inbox: wiring.Inbox(cfg.Service, db, log)}
}

// Handler serves the API, and the files of exports if they are in a local directory.
func Handler(db *store.Store, routes http.Handler) http.Handler {
	if db.Objects == nil || !db.Objects.InFolder() {
		return routes
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == objects.Path {
			db.Objects.ServeHTTP(w, r)
			return
		}
		routes.ServeHTTP(w, r)
	})
}

// maxRequests is the default number of requests that a process runs at the same time.
const maxRequests = 200

// queueWait is the time that a request waits for a free place before it is refused.
const queueWait = time.Second

// Limit sets the configured limits of callers in o. The database is their ledger.
func Limit(o *api.Options, cfg config.API, db *store.Store) {
	o.Limits = server.Limits{
		Gate: limits.NewGate(cmp.Or(cfg.MaxRequests, maxRequests), queueWait), TrustedHops: cfg.Hops(),
	}
	if all, err := limits.Parse(cfg.Limits); err == nil && all != nil { // config has reported an error
		all = append(all, limits.Limit{Scope: limits.Account, What: limits.Bytes, Quota: cfg.MediaBytesADay,
			Window: 24 * time.Hour})
		o.Limits.Limiter = limits.New(limits.Options{Limits: all, Ledger: db.Budgets, Log: o.Log})
		o.CoolDown = model.CoolDown{Rename: cfg.RenameEvery, Username: cfg.UsernameEvery}
	}
}
