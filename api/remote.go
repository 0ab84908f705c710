package api

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/fediverse/remote"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// Remote says where something of another server is from.
type Remote struct {
	URL  string `json:"url" doc:"Address of the original page"`
	Host string `json:"host" doc:"Host of the server" example:"social.example"`
}

func remoteOf(page, iri string) *Remote {
	u, err := url.Parse(iri)
	if err != nil {
		return nil
	}
	return &Remote{URL: page, Host: u.Host}
}

func remoteUserOf(r *model.RemoteUser) *Remote {
	if r == nil {
		return nil
	}
	return remoteOf(r.URL, r.IRI)
}

func remotePostOf(r *model.RemotePost) *Remote {
	if r == nil {
		return nil
	}
	return remoteOf(r.URL, r.IRI)
}

const (
	// A caller may look up lookUps things of other servers at once, and one more in each of lookUpEvery.
	lookUps, lookUpEvery = 20, 10 * time.Second
	// lookers is how many callers a process remembers for that.
	lookers = 5_000
	// maxLookUp is how long a query may be that is an address or a handle.
	maxLookUp = 500
)

// lookUp finds what other servers have, for callers who ask for it by address or handle.
type lookUp struct {
	*remote.Remote
	mu      sync.Mutex
	allowed lru.Cache[model.UserID, *rate.Limiter]
}

// looksUp returns the look-ups of an installation; nil if it does not federate.
func (s *service) looksUp() *lookUp {
	if !s.federates() || s.Stores.Remote == nil {
		return nil
	}
	return &lookUp{Remote: s.Stores.Remote(s.fediverse()), allowed: lru.New[model.UserID, *rate.Limiter](lookers)}
}

// may returns errs.Exhausted for a caller who looks up too much.
func (l *lookUp) may(uid model.UserID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	limit, ok := l.allowed.Get(uid)
	if !ok {
		limit = rate.NewLimiter(rate.Every(lookUpEvery), lookUps)
		l.allowed.Add(uid, limit)
	}
	if !limit.Allow() {
		return errs.New(errs.Exhausted, "limit_reached", "you looked up %d things of other servers; try again in %s", lookUps,
			lookUpEvery)
	}
	return nil
}

// address is whether a query is an address of the web.
func address(query string) bool {
	return strings.HasPrefix(query, "https://") || strings.HasPrefix(query, "http://")
}

// personAt returns the person whom a query names by a handle with a host, or by address; nil for another query, and for
// a person who is not there, or whose server does not answer. Only a caller with an account makes a server be asked.
//
// Cost: that of [remote.Remote.PersonOf].
func (s *service) personAt(ctx context.Context, query string) (u *model.User, err error) {
	query = strings.TrimSpace(query)
	_, _, handle := model.ParseHandle(query)
	caller := server.Caller(ctx)
	if s.remote == nil || caller.UID == "" || caller.Anonymous || !handle && !address(query) {
		return nil, nil
	}
	if err := s.remote.may(caller.UID); err != nil {
		return nil, err
	}
	if handle {
		u, err = s.remote.PersonOf(ctx, query)
	} else {
		u, err = s.remote.Person(ctx, query)
	}
	return u, notThere(err)
}

// postAt returns the tweet of the post whose address a query is; empty as personAt.
//
// Cost: that of [remote.Remote.Post].
func (s *service) postAt(ctx context.Context, query string) (model.TweetID, error) {
	query = strings.TrimSpace(query)
	caller := server.Caller(ctx)
	if s.remote == nil || caller.UID == "" || caller.Anonymous || !address(query) {
		return "", nil
	}
	if err := s.remote.may(caller.UID); err != nil {
		return "", err
	}
	id, err := s.remote.Post(ctx, query)
	return id, notThere(err)
}

const (
	// maxMet is how many unknown people a text makes the API look up at most, and meeting how long it waits for them.
	maxMet  = 5
	meeting = 5 * time.Second
)

// meet asks other servers for the people whom a text names by handle and who are not known here, so that the text
// mentions them. Whoever is not found in time, or beyond what the caller may look up, stays text. Only a caller with an
// account makes a server be asked.
//
// Cost: 1 read for each handle of another server; for those who are not known that of [remote.Remote.PersonOf].
func (s *service) meet(ctx context.Context, content string) {
	caller := server.Caller(ctx)
	if s.remote == nil || caller.UID == "" || caller.Anonymous {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, meeting)
	defer cancel()
	asked, met := 0, make(chan struct{}, maxMet)
	for _, handle := range model.Handles(content) {
		if _, local := s.fediverse().Local(handle); local {
			continue
		}
		if _, err := s.Users.UserByUsername(ctx, handle); err == nil || errs.KindOf(err) != errs.NotFound {
			continue
		}
		if asked == maxMet || s.remote.may(caller.UID) != nil {
			break
		}
		asked++
		safely.Go(func() error {
			defer func() { met <- struct{}{} }()
			_, err := s.remote.PersonOf(ctx, handle)
			return notThere(err)
		}, func(err error) { s.Log.WarnContext(ctx, "a mentioned person could not be looked up", "error", err) })
	}
	for range asked {
		select {
		case <-met:
		case <-ctx.Done():
			return
		}
	}
}

// notThere leaves out the errors of what a search then does not find.
func notThere(err error) error {
	if slices.Contains([]errs.Kind{errs.NotFound, errs.Gone, errs.Invalid, errs.Forbidden, errs.Unavailable,
		errs.Conflict}, errs.KindOf(err)) {
		return nil
	}
	return err
}

// handleOf is the username that a path names: one of this installation, in any letters, or a handle with a host.
func (s *service) handleOf(typed string) (string, error) {
	name := foldUsername(typed)
	if at, host, ok := model.ParseHandle(name); ok {
		username, local := s.fediverse().Local(at + "@" + host)
		if !s.federates() || !local {
			return at + "@" + host, nil
		}
		name = username
	}
	if model.ValidateUsernameForm(name) != nil {
		return "", errs.New(errs.NotFound, "username_not_found", "nobody can have this username")
	}
	return name, nil
}

// RemoteStores makes what is known of other servers for an installation.
type RemoteStores func(fediverse.Site) *remote.Remote
