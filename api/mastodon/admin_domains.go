package mastodon

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// AdminDomainBlock is the entity of a domain whose people and posts are limited here.
type AdminDomainBlock struct {
	ID             string  `json:"id"`
	Domain         string  `json:"domain"`
	Digest         string  `json:"digest"`
	CreatedAt      stamp   `json:"created_at"`
	Severity       string  `json:"severity"` // suspend, silence or noop
	RejectMedia    bool    `json:"reject_media"`
	RejectReports  bool    `json:"reject_reports"`
	PrivateComment *string `json:"private_comment"`
	PublicComment  *string `json:"public_comment"`
	Obfuscate      bool    `json:"obfuscate"`
}

// AdminDomainAllow is the entity of a domain that is let in where others are not.
type AdminDomainAllow struct {
	ID        string `json:"id"`
	Domain    string `json:"domain"`
	CreatedAt stamp  `json:"created_at"`
}

// nativeDomain is the rule for a domain.
type nativeDomain struct {
	Domain         string    `json:"domain,omitempty"`
	Severity       string    `json:"severity"`
	RejectMedia    bool      `json:"rejectMedia"`
	RejectReports  bool      `json:"rejectReports"`
	PublicComment  string    `json:"publicComment"`
	PrivateComment string    `json:"privateComment"`
	At             time.Time `json:"at,omitzero"`
}

const (
	domainsPath = "/v1/admin/fediverse-domains"
	allowed     = "allow"
	maxDomains  = 200
)

func adminDomainMethods() []Method {
	const read, write = "admin:read admin:read:domain_blocks", "admin:write admin:write:domain_blocks"
	const readAllow, writeAllow = "admin:read admin:read:domain_allows", "admin:write admin:write:domain_allows"
	const note = "the id is the domain; obfuscate is false"
	return []Method{
		get("/api/v1/admin/domain_blocks", read, func(c *call) (any, error) {
			found, err := c.domains(false)
			return each(found, domainBlock), err
		}).note(note),
		get("/api/v1/admin/domain_blocks/:id", read, func(c *call) (any, error) {
			d, err := c.domain(c.path("id"), false)
			return domainBlock(d), err
		}),
		post("/api/v1/admin/domain_blocks", write, func(c *call) (any, error) {
			if err := c.hasNoRule(c.params.text("domain"), true); err != nil {
				return nil, err
			}
			return c.blockDomain(nativeDomain{Domain: c.params.text("domain"), Severity: "silence"})
		}).note(note),
		put("/api/v1/admin/domain_blocks/:id", write, func(c *call) (any, error) {
			d, err := c.domain(c.path("id"), false)
			if err != nil {
				return nil, err
			}
			return c.blockDomain(d)
		}),
		remove("/api/v1/admin/domain_blocks/:id", write, removeDomain(false)),
		get("/api/v1/admin/domain_allows", readAllow, func(c *call) (any, error) {
			found, err := c.domains(true)
			return each(found, domainAllow), err
		}).note("the id is the domain"),
		get("/api/v1/admin/domain_allows/:id", readAllow, func(c *call) (any, error) {
			d, err := c.domain(c.path("id"), true)
			return domainAllow(d), err
		}),
		post("/api/v1/admin/domain_allows", writeAllow, func(c *call) (any, error) {
			d := nativeDomain{Domain: c.params.text("domain"), Severity: allowed}
			if err := c.hasNoRule(d.Domain, false); err != nil {
				return nil, err
			}
			if err := c.putDomain(d); err != nil {
				return nil, err
			}
			d.At = time.Now()
			return domainAllow(d), nil
		}),
		remove("/api/v1/admin/domain_allows/:id", writeAllow, removeDomain(true)),
	}
}

func domainBlock(d nativeDomain) AdminDomainBlock {
	return AdminDomainBlock{ID: d.Domain, Domain: d.Domain, Digest: digest(d.Domain), CreatedAt: stamp(d.At),
		Severity: d.Severity, RejectMedia: d.RejectMedia, RejectReports: d.RejectReports,
		PrivateComment: textOrNil(d.PrivateComment), PublicComment: textOrNil(d.PublicComment)}
}

func domainAllow(d nativeDomain) AdminDomainAllow {
	return AdminDomainAllow{d.Domain, d.Domain, stamp(d.At)}
}

// domains lists the domains that are allowed, or those that are limited, by name. max_id is the last of the page
// before.
func (c *call) domains(allow bool) ([]nativeDomain, error) {
	limit, after := c.limit(usualAdmin, maxDomains), c.params.text("max_id")
	if c.params.has("min_id") || c.params.has("since_id") {
		return nil, nil
	}
	var all []nativeDomain
	for range mostPages {
		found, next, err := c.domainsAfter(after, limit)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if len(all) < limit && (d.Severity == allowed) == allow {
				all = append(all, d)
			}
		}
		if after = next; next == "" {
			break
		}
		if len(all) == limit {
			after = all[limit-1].Domain
			break
		}
	}
	c.pages(after)
	return all, nil
}

func (c *call) domainsAfter(after string, limit int) ([]nativeDomain, string, error) {
	var found struct {
		Items []nativeDomain
		Next  string
	}
	err := c.get(domainsPath, url.Values{"after": {after}, "limit": {strconv.Itoa(limit)}}, &found)
	return found.Items, found.Next, err
}

// domain reads the rule for a domain: the next after the text just before its name.
func (c *call) domain(name string, allow bool) (nativeDomain, error) {
	name = strings.ToLower(name)
	if name == "" || len(name) > 253 {
		return nativeDomain{}, notHere()
	}
	last := len(name) - 1
	found, _, err := c.domainsAfter(name[:last]+string(rune(max(0x20, name[last]-1)))+"~", 1)
	if err == nil && (len(found) == 0 || found[0].Domain != name || (found[0].Severity == allowed) != allow) {
		err = notHere()
	}
	if err != nil {
		return nativeDomain{}, err
	}
	return found[0], nil
}

// hasNoRule returns an error if a domain is allowed, or if it is limited. Either has scopes of its own, so that the one
// does not take the place of the other.
func (c *call) hasNoRule(name string, allow bool) error {
	name, err := model.DomainName(name)
	if err != nil {
		return err
	}
	switch _, err = c.domain(name, allow); {
	case isMissing(err):
		return nil
	case err != nil:
		return err
	case allow:
		return invalid("the domain is allowed; delete that first")
	}
	return invalid("the domain is blocked; delete that first")
}

// blockDomain writes what a request says of a domain.
func (c *call) blockDomain(d nativeDomain) (any, error) {
	for name, to := range map[string]*string{"private_comment": &d.PrivateComment, "public_comment": &d.PublicComment,
		"severity": &d.Severity} {
		if c.params.has(name) {
			*to = c.params.text(name)
		}
	}
	for name, to := range map[string]*bool{"reject_media": &d.RejectMedia, "reject_reports": &d.RejectReports} {
		if c.params.has(name) {
			*to = c.params.flag(name)
		}
	}
	if d.Severity == allowed {
		return nil, invalid("severity is silence, suspend or noop")
	}
	if err := c.putDomain(d); err != nil {
		return nil, err
	}
	if d.At.IsZero() {
		d.At = time.Now()
	}
	return domainBlock(d), nil
}

func (c *call) putDomain(d nativeDomain) error {
	if d.Domain == "" {
		return invalid("domain is missing")
	}
	name := d.Domain
	d.Domain, d.At = "", time.Time{}
	return c.send(http.MethodPut, native("admin", "fediverse-domains", name), d, nil)
}

// removeDomain makes a method that takes a rule away. It answers with an allowance, and else with nothing.
func removeDomain(allow bool) func(*call) (any, error) {
	return func(c *call) (any, error) {
		d, err := c.domain(c.path("id"), allow)
		if err != nil {
			return nil, err
		}
		err = c.send(http.MethodDelete, native("admin", "fediverse-domains", d.Domain), nil, nil)
		if err != nil || !allow {
			return nil, err
		}
		return domainAllow(d), nil
	}
}
