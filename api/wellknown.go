package api

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/version"
	"github.com/hibana-sns/hibana/model"
)

// jrd is a JSON Resource Descriptor, RFC 7033.
type jrd struct {
	Subject string    `json:"subject,omitempty"`
	Aliases []string  `json:"aliases,omitempty"`
	Links   []jrdLink `json:"links"`
}

type jrdLink struct {
	Rel      string `json:"rel"`
	Type     string `json:"type,omitempty"`
	Href     string `json:"href,omitempty"`
	Template string `json:"template,omitempty"`
}

const profileRel = "http://webfinger.net/rel/profile-page"

type webFingerInput struct {
	Resource string   `query:"resource" maxLength:"2048"`
	Rel      []string `query:"rel,explode" maxItems:"20"`
}

// wellKnown adds what servers ask before they know an address. Without federation there is none of it: WebFinger would
// say which names exist, and host-meta says nothing but where WebFinger is. Scripts of every page may read it.
func (s *service) wellKnown() {
	known(s, "/.well-known/webfinger", "getWebFinger", s.webFinger)
	known(s, "/.well-known/host-meta", "getHostMeta", func(context.Context, *nothing) (*fediverseAnswer, error) {
		return s.hostMeta()
	})
	known(s, "/.well-known/host-meta.json", "getHostMetaJSON", func(context.Context, *nothing) (*fediverseAnswer, error) {
		return knownAs("application/jrd+json", jrd{Links: []jrdLink{{Rel: "lrdd", Type: "application/jrd+json",
			Template: s.webFingerTemplate()}}})
	})
}

// nodeInfos adds what tells clients and those who count servers which software this is, also where the installation
// does not federate. It names nobody.
func (s *service) nodeInfos() {
	known(s, "/.well-known/nodeinfo", "getNodeInfoLinks", func(ctx context.Context, _ *nothing) (*fediverseAnswer, error) {
		const schema = "http://nodeinfo.diaspora.software/ns/schema/"
		at := server.Origin(ctx) + "/nodeinfo/" // the address of the pages may bring nothing here without federation
		if s.federates() {
			at = s.PublicURL + "/nodeinfo/"
		}
		return knownAs("application/json", jrd{Links: []jrdLink{{Rel: schema + "2.1", Href: at + "2.1"},
			{Rel: schema + "2.0", Href: at + "2.0"}}})
	})
	for _, v := range []string{"2.0", "2.1"} {
		known(s, "/nodeinfo/"+v, "getNodeInfo"+v[:1]+v[2:], func(ctx context.Context, _ *nothing) (*fediverseAnswer, error) {
			return s.nodeInfo(ctx, v)
		})
	}
}

// known adds a document that does not depend on what its reader accepts.
func known[I any](s *service, path, id string, handler func(context.Context, *I) (*fediverseAnswer, error)) {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: path, OperationID: id, Tags: []string{"fediverse"}, Summary: "A document",
		Metadata: map[string]any{server.WithoutAppCheck: true, server.AsOneVisitor: true}, Hidden: true,
	}, func(ctx context.Context, in *I) (*fediverseAnswer, error) {
		out, err := handler(ctx, in)
		if err == nil {
			out.Status, out.AllowOrigin = http.StatusOK, "*"
		}
		return out, err
	})
}

func knownAs(contentType string, document any) (*fediverseAnswer, error) {
	body, err := json.Marshal(document)
	return &fediverseAnswer{ContentType: contentType, CacheControl: wellKnownCache, Body: body}, err
}

func (s *service) webFingerTemplate() string {
	return s.PublicURL + "/.well-known/webfinger?resource={uri}"
}

// hostMeta answers where WebFinger is, RFC 6415.
func (s *service) hostMeta() (*fediverseAnswer, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0"><Link rel="lrdd" template="`)
	err := xml.EscapeText(&b, []byte(s.webFingerTemplate()))
	b.WriteString(`"/></XRD>` + "\n")
	return &fediverseAnswer{ContentType: "application/xrd+xml; charset=utf-8", CacheControl: wellKnownCache,
		Body: b.Bytes()}, err
}

// noResource is the error of a resource of which WebFinger says nothing.
var noResource = errs.New(errs.NotFound, "user_not_found", "this server has no such user")

// webFinger answers who has a handle or an address. A resource that is missing or malformed is errs.Invalid, and one of
// another server, or of nobody, errs.NotFound: all in the same words.
//
// Cost: that of publicUser, or of fediverseUser; nothing for the installation itself.
func (s *service) webFinger(ctx context.Context, in *webFingerInput) (*fediverseAnswer, error) {
	if in.Resource == "" {
		return nil, errs.New(errs.Invalid, "invalid_request", "query.resource: is missing")
	}
	u, err := url.Parse(in.Resource)
	if err != nil || u.Scheme == "" {
		return nil, errs.New(errs.Invalid, "invalid_request", "query.resource: is no address, such as acct:name@domain")
	}
	var of *model.User
	switch {
	case u.Scheme == "acct":
		of, err = s.accountUser(ctx, u.Opaque)
	case in.Resource == s.fediverse().Own():
	default:
		of, err = s.addressUser(ctx, in.Resource)
	}
	if kind := errs.KindOf(err); err != nil && (kind == errs.NotFound || kind == errs.Invalid) &&
		errs.CodeOf(err) != "invalid_request" {
		err = noResource
	}
	if err == nil && of != nil && of.Remote != nil {
		err = noResource
	}
	if err != nil {
		return nil, err
	}
	answer := s.fingerOf(of)
	if len(in.Rel) > 0 {
		links := []jrdLink{}
		for _, l := range answer.Links {
			for _, rel := range in.Rel {
				if rel == l.Rel {
					links = append(links, l)
				}
			}
		}
		answer.Links = links
	}
	out, err := knownAs("application/jrd+json", answer)
	out.CacheControl = documentCache
	return out, err
}

// accountUser returns the user with a handle, and nil for the installation itself, whose name is its domain.
func (s *service) accountUser(ctx context.Context, handle string) (*model.User, error) {
	site := s.fediverse()
	handle, err := url.PathUnescape(handle)
	name, domain, ok := strings.Cut(strings.ToLower(handle), "@")
	switch {
	case err != nil || !ok || name == "" || domain == "":
		return nil, errs.New(errs.Invalid, "invalid_request", "query.resource: is no account, such as acct:name@domain")
	case domain != site.HandleDomain() && domain != site.Host():
		return nil, noResource
	case name == site.OwnName() || name == site.HandleDomain() || name == site.Host():
		return nil, nil
	}
	return s.publicUser(ctx, site.Username(name))
}

// addressUser returns the user with an address: of the actor, or of the public page.
func (s *service) addressUser(ctx context.Context, address string) (*model.User, error) {
	path, ours := strings.CutPrefix(address, s.PublicURL)
	if id, ok := strings.CutPrefix(path, "/users/"); ours && ok {
		id, err := url.PathUnescape(id)
		if err != nil {
			return nil, noResource
		}
		return s.fediverseUser(ctx, id)
	}
	if name, ok := strings.CutPrefix(path, "/@"); ours && ok {
		return s.publicUser(ctx, name)
	}
	return nil, noResource
}

// fingerOf is what WebFinger says of a user; of the installation itself for nil.
func (s *service) fingerOf(u *model.User) jrd {
	site := s.fediverse()
	self := func(id string) jrdLink {
		return jrdLink{Rel: "self", Type: activitypub.ContentType, Href: id}
	}
	if u == nil {
		return jrd{Subject: site.Account(site.OwnName()), Aliases: []string{site.Own()},
			Links: []jrdLink{self(site.Own())}}
	}
	page := s.site().Profile(u.Username)
	return jrd{Subject: site.Account(site.Name(u.Username)), Aliases: []string{page, site.User(u.ID)},
		Links: []jrdLink{{Rel: profileRel, Type: "text/html", Href: page}, self(site.User(u.ID))}}
}

// nodeInfo is what the installation says of itself to those who count servers.
type nodeInfo struct {
	Version           string            `json:"version"`
	Software          map[string]string `json:"software"`
	Protocols         []string          `json:"protocols"`
	Services          nodeServices      `json:"services"`
	OpenRegistrations bool              `json:"openRegistrations"`
	Usage             nodeUsage         `json:"usage"`
	Metadata          map[string]any    `json:"metadata"`
}

type nodeServices struct {
	Inbound  []string `json:"inbound"`
	Outbound []string `json:"outbound"`
}

type nodeUsage struct {
	Users      map[string]int64 `json:"users"`
	LocalPosts int64            `json:"localPosts"`
}

// nodeInfo answers by NodeInfo 2.0 or 2.1. The numbers are those of GET /v1/totals, which may be a day old.
//
// Cost: that of localTotals, and that of the instance.
func (s *service) nodeInfo(ctx context.Context, v string) (*fediverseAnswer, error) {
	totals, err := s.localTotals(ctx)
	if err != nil {
		return nil, err
	}
	is, err := s.Moderation.Instance(ctx)
	if err != nil {
		return nil, err
	}
	n := nodeInfo{Version: v, Software: map[string]string{"name": "hibana", "version": strings.TrimPrefix(version.Number,
		"v")}, Protocols: []string{},
		Services:          nodeServices{Inbound: []string{}, Outbound: []string{"rss2.0"}},
		OpenRegistrations: s.SingleUser == "" && !is.InvitationNeeded && !is.ApprovalNeeded,
		Usage: nodeUsage{Users: map[string]int64{"total": totals.Of[model.Users]},
			LocalPosts: totals.Of[model.Tweets]},
		Metadata: map[string]any{}}
	if s.federates() {
		n.Protocols = append(n.Protocols, "activitypub")
	}
	if is.Name != "" {
		n.Metadata["nodeName"] = is.Name
	}
	if v == "2.1" {
		n.Software["repository"] = "https://github.com/hibana-sns/hibana"
	}
	out, err := knownAs(`application/json; profile="http://nodeinfo.diaspora.software/ns/schema/`+v+`#"`, n)
	return out, err
}
