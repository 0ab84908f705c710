package federation

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// remoteRealm is the field by which the users of a domain and its subdomains are found.
const remoteRealm = fields.Remote + "." + fields.Realm

// knownDomains are the rules for domains that a process has read, under one key. Nothing in a map changes.
type knownDomains = readcache.Values[string, map[string]model.DomainRule]

// domainPages are the pages of the list that a process has, with their versions.
type domainPages struct {
	mu       sync.Mutex
	versions map[string]int64
	pages    map[string]map[string]model.DomainRule
	all      map[string]model.DomainRule
}

// newKnownDomains returns the cache, which has a bill of its own: the requests of many servers share a read.
func newKnownDomains(s *Store) knownDomains {
	bill := meter.New()
	is := &domainPages{versions: map[string]int64{}, pages: map[string]map[string]model.DomainRule{}}
	c := readcache.New(s.db.Now, Every, 1<<20, func(map[string]model.DomainRule) int { return 0 },
		func(ctx context.Context, _ []string) (map[string]map[string]model.DomainRule, error) {
			all, err := is.read(meter.With(ctx, bill), s.db)
			return map[string]map[string]model.DomainRule{"": all}, err
		})
	c.Name = "apDomains"
	return c
}

// read reads the pages that changed since the last call.
func (p *domainPages) read(ctx context.Context, d *db.DB) (map[string]model.DomainRule, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	head := &model.DomainHead{}
	if _, err := d.Get(ctx, d.Doc(model.Domains, model.DomainHeadKey), head); err != nil {
		return nil, err
	}
	var stale []string
	for page, version := range head.Versions {
		if p.versions[page] != version {
			stale = append(stale, page)
		}
	}
	if len(stale) == 0 && p.all != nil {
		return p.all, nil
	}
	// A page may be newer than the head: then the next call reads it once more.
	read, err := db.ReadAll(ctx, d, model.Domains, stale, func(string, *model.DomainPage) {})
	if err != nil {
		return nil, err
	}
	for _, page := range stale {
		p.versions[page], p.pages[page] = head.Versions[page], nil
		if is := read[page]; is != nil {
			p.pages[page] = is.Rules
		}
	}
	all := map[string]model.DomainRule{}
	for _, rules := range p.pages {
		maps.Copy(all, rules)
	}
	p.all = all
	return all, nil
}

// Domain returns what administrators decided on a host, such as far.example, or 127.0.0.1:8080 on a laptop: the rule
// for it or for the closest domain above it, and no rule for others. In allow-list mode a host without a rule is
// suspended, and so is one whose rule is not [model.DomainAllow] or less strict. A change shows within [Every].
//
// Cost: nothing for the caller. For the process: 1 read a minute at most, and 1 for each of 32 pages that changed.
func (s *Store) Domain(ctx context.Context, host string) (_ model.DomainRule, err error) {
	defer errs.Wrap(&err, "federation.Domain(%q)", host)
	all, _, err := s.domains.One(ctx, "")
	if err != nil {
		return model.DomainRule{}, err
	}
	return ruleOf(all, host, s.o.AllowList), nil
}

// Silences reports whether any domain is silenced.
//
// Cost: that of Domain.
func (s *Store) Silences(ctx context.Context) (_ bool, err error) {
	defer errs.Wrap(&err, "federation.Silences")
	all, _, err := s.domains.One(ctx, "")
	if err != nil {
		return false, err
	}
	for _, rule := range all {
		if rule.Silenced() {
			return true, nil
		}
	}
	return false, nil
}

// ruleOf finds the rule for a host. Each domain above it that is suspended cuts it off, whatever is closer: a user of a
// suspended server cannot escape to a subdomain that has another rule.
func ruleOf(all map[string]model.DomainRule, host string, allowList bool) (is model.DomainRule) {
	found := false
	for _, name := range model.DomainsOver(host) {
		rule, ok := all[name]
		if ok && (!found || rule.Suspended()) {
			is, found = rule, true
		}
	}
	if allowList && (!found || is.Severity == model.DomainNoop) {
		return model.DomainRule{Severity: model.DomainSuspend}
	}
	return is
}

// RefuseSuspended returns errs.Forbidden (domain_blocked) for the host of an address that is cut off.
//
// Cost: that of Domain.
func (s *Store) RefuseSuspended(ctx context.Context, iri string) error {
	rule, err := s.Domain(ctx, model.HostOf(iri))
	if err == nil && rule.Suspended() {
		err = errs.New(errs.Forbidden, "domain_blocked", "this server does not federate with %s",
			cmp.Or(model.HostOf(iri), "that host"))
	}
	return err
}

// AllowList reports whether only listed domains are let in.
func (s *Store) AllowList() bool { return s.o.AllowList }

// ForgetDomains makes the process read the list anew, after it changed it.
func (s *Store) ForgetDomains() { s.domains.Forget("") }

// DomainEntry is a domain with its rule.
type DomainEntry struct {
	Domain string
	Rule   model.DomainRule
}

// Domains returns the domains that have a rule, by name, after a name, and how many there are in all. limit is at most
// 1,000. They come from the list that the process has, read anew.
//
// Cost: as [Store.Domain].
func (s *Store) Domains(ctx context.Context, after string, limit int) (_ []DomainEntry, total int, err error) {
	defer errs.Wrap(&err, "federation.Domains(%q)", after)
	s.domains.Forget("")
	all, _, err := s.domains.One(ctx, "")
	if err != nil {
		return nil, 0, err
	}
	var page []DomainEntry
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name <= after {
			continue
		}
		if len(page) == limit {
			break
		}
		page = append(page, DomainEntry{name, all[name]})
	}
	return page, len(all), nil
}

// Purge goes on with the removal of the users of suspended domains. remove removes one, and may be called again for the
// same. A step looks at some users of the realm, and each write of the document is the event of the next.
//
// Cost: 1 read, 1 read for each user of another server in the realm, and 1 write a step; and what remove costs.
func (s *Store) Purge(ctx context.Context, id string, p *model.Purge,
	remove func(context.Context, *model.User) error) (err error) {
	defer errs.Wrap(&err, "federation.Purge(%q)", id)
	const together = 25
	s.domains.Forget("") // the rule may be newer than the list of this process
	step, ok, err := s.db.Begin(ctx, s.db.Doc(model.Purges, id), p.WrittenAt)
	if err != nil || !ok {
		return err
	}
	after := p.After
	for !step.Over() {
		// All characters of a realm are before the tilde.
		q := s.db.Client.Collection(model.Users).Where(remoteRealm, ">=", p.Realm).
			Where(remoteRealm, "<", p.Realm+"~").OrderBy(remoteRealm, firestore.Asc).
			OrderBy(firestore.DocumentID, firestore.Asc).Limit(together)
		if realm, uid, ok := strings.Cut(after, " "); ok {
			q = q.StartAfter(realm, uid)
		}
		found, err := s.db.All(ctx, q)
		if err != nil {
			return err
		}
		for _, snap := range found {
			u := &model.User{}
			if err := snap.DataTo(u); err != nil {
				return err
			}
			u.ID = model.UserID(snap.Ref.ID)
			if u.Remote == nil {
				continue
			}
			rule, err := s.Domain(ctx, model.HostOf(u.Remote.IRI))
			if err != nil {
				return err
			}
			if rule.Suspended() {
				if err := remove(ctx, u); err != nil {
					return err
				}
			}
			after = u.Remote.Realm + " " + snap.Ref.ID
		}
		if len(found) < together {
			return step.End(ctx, nil)
		}
	}
	return step.Save(ctx, map[string]any{fields.After: after}, nil)
}
