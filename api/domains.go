package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// FediverseDomain is a domain of the fediverse with what administrators decided on it.
type FediverseDomain struct {
	Domain         string               `json:"domain" doc:"With its subdomains" example:"example.com"`
	Severity       model.DomainSeverity `json:"severity" enum:"suspend,silence,noop,allow"`
	RejectMedia    bool                 `json:"rejectMedia"`
	RejectReports  bool                 `json:"rejectReports"`
	PublicComment  string               `json:"publicComment"`
	PrivateComment string               `json:"privateComment"`
	By             model.UserID         `json:"by"`
	At             time.Time            `json:"at"`
}

// FediverseDomains is a page of them.
type FediverseDomains struct {
	Items []FediverseDomain `json:"items" nullable:"false" doc:"By name"`
	Total int               `json:"total" doc:"How many there are in all, at most 20000"`
	Next  string            `json:"next" doc:"The after of the next page; empty on the last one"`
	Only  bool              `json:"only" doc:"Whether only domains with the severity allow are let in"`
}

// FediverseDomainPath is the part of a request that names a domain.
type FediverseDomainPath struct {
	Domain string `path:"domain" minLength:"1" maxLength:"260" example:"example.com"`
}

type newFediverseDomain struct {
	Severity       string `json:"severity" enum:"suspend,silence,noop,allow"`
	RejectMedia    bool   `json:"rejectMedia,omitempty" doc:"Posts from there have no pictures, videos and sounds"`
	RejectReports  bool   `json:"rejectReports,omitempty" doc:"Reports from there are dropped"`
	PublicComment  string `json:"publicComment,omitempty" maxLength:"100"`
	PrivateComment string `json:"privateComment,omitempty" maxLength:"100" doc:"For administrators"`
}

type fediverseDomainList struct {
	CSV string `json:"csv" minLength:"1" maxLength:"1000000" doc:"As Mastodon exports it: the first line names the columns, such as #domain,#severity,#reject_media,#reject_reports,#public_comment; at most 10000 rows"`
}

// FediverseImport is what became of a list.
type FediverseImport struct {
	Added    int   `json:"added"`
	Stricter int   `json:"stricter" doc:"Domains that had a rule, and have a stricter one now"`
	Kept     int   `json:"kept" doc:"Domains whose rule was as strict before"`
	Skipped  []int `json:"skipped" nullable:"false" doc:"Lines that name no domain or no severity, at most 20"`
}

// domains adds the operations on domains of the fediverse.
func (s *service) domains() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/fediverse-domains", OperationID: "listFediverseDomains",
		Tags: []string{"admin"}, Summary: "List the domains of the fediverse that have a rule",
	}, func(ctx context.Context, in *struct {
		After string `query:"after" maxLength:"260" doc:"The next of the page before"`
		Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	}) (*struct{ Body FediverseDomains }, error) {
		page, total, err := s.Stores.Federation.Domains(ctx, in.After, in.Limit)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body FediverseDomains }{FediverseDomains{Items: []FediverseDomain{}, Total: total,
			Only: s.Stores.Federation.AllowList()}}
		for _, is := range page {
			out.Body.Items = append(out.Body.Items, FediverseDomain{Domain: is.Domain, Severity: is.Rule.Severity,
				RejectMedia: is.Rule.RejectMedia, RejectReports: is.Rule.RejectReports, PublicComment: is.Rule.PublicComment,
				PrivateComment: is.Rule.PrivateComment, By: is.Rule.By, At: is.Rule.At})
		}
		if len(page) == in.Limit {
			out.Body.Next = page[len(page)-1].Domain
		}
		return out, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/fediverse-domains/{domain}", OperationID: "putFediverseDomain",
		Tags: []string{"admin"}, DefaultStatus: http.StatusNoContent, Summary: "Set the rule for a domain",
		Description: "The rule holds for subdomains, too, and within a minute. A suspended domain sends and gets nothing, " +
			"and its users are removed, with their follows. Posts of a silenced one are in no public list. At most 20000: 409 " +
			"too_many_domains. The audit log has the act.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		FediverseDomainPath
		Body newFediverseDomain
	}) (*nothing, error) {
		domain, err := s.namedDomain(in.Domain)
		if err != nil {
			return nil, err
		}
		return nil, s.Moderation.SetDomain(ctx, actorOf(server.Caller(ctx), ""), domain, model.DomainRule{
			Severity: model.DomainSeverity(in.Body.Severity), RejectMedia: in.Body.RejectMedia,
			RejectReports: in.Body.RejectReports, PublicComment: in.Body.PublicComment,
			PrivateComment: in.Body.PrivateComment})
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/admin/fediverse-domains/{domain}", OperationID: "removeFediverseDomain",
		Tags: []string{"admin"}, DefaultStatus: http.StatusNoContent,
		Summary:     "Remove the rule for a domain of the fediverse",
		Description: "Users who were removed come back when they are met again; follows do not. The audit log has the act.",
	}, func(ctx context.Context, in *FediverseDomainPath) (*nothing, error) {
		domain, err := model.DomainName(in.Domain)
		if err != nil {
			return nil, err
		}
		return nil, s.Moderation.RemoveDomain(ctx, actorOf(server.Caller(ctx), ""), domain)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/fediverse-domains", OperationID: "importFediverseDomains",
		Tags: []string{"admin"}, Summary: "Import a list of domains of the fediverse",
		Description: "A domain that has a rule keeps the stricter of both, so a list may be imported again, and must be if " +
			"the request fails. The audit log has one entry.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *struct{ Body fediverseDomainList }) (*struct{ Body FediverseImport }, error) {
		rules, skipped, err := model.ParseDomains(in.Body.CSV)
		if err != nil {
			return nil, err
		}
		for domain := range rules {
			if _, err := s.namedDomain(domain); err != nil {
				delete(rules, domain)
			}
		}
		is, err := s.Moderation.ImportDomains(ctx, actorOf(server.Caller(ctx), ""), rules)
		if err != nil {
			return nil, err
		}
		return &struct{ Body FediverseImport }{FediverseImport{Added: is.Added, Stricter: is.Stricter, Kept: is.Kept,
			Skipped: append([]int{}, skipped...)}}, nil
	})
}

// namedDomain is a domain in the form in which it is kept. A rule for this installation itself would cut it off from
// nobody, and is a mistake.
func (s *service) namedDomain(name string) (string, error) {
	domain, err := model.DomainName(name)
	if err != nil {
		return "", err
	}
	for _, over := range model.DomainsOver(s.fediverse().Host()) {
		if s.PublicURL != "" && over == domain {
			return "", errs.New(errs.Invalid, "own_domain", "%s is this installation", domain)
		}
	}
	return domain, nil
}
