package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// SignUpBlock is an e-mail domain or a network from which nobody signs up, or only with an approval.
type SignUpBlock struct {
	Of       string         `json:"of" doc:"A domain, with its subdomains, or a network" example:"example.com"`
	Kind     string         `json:"kind" enum:"domain,network"`
	Severity model.Severity `json:"severity" enum:"approval,refusal"`
	Comment  string         `json:"comment"`
	By       model.UserID   `json:"by"`
	At       time.Time      `json:"at"`
	ExpireAt *time.Time     `json:"expireAt" doc:"null for never"`
}

// SignUpBlocks are all of them.
type SignUpBlocks struct {
	Items []SignUpBlock `json:"items" nullable:"false" doc:"Domains first, then networks, by name; at most 500"`
}

type newSignUpBlock struct {
	Severity string `json:"severity,omitempty" enum:"approval,refusal" default:"refusal"`
	Comment  string `json:"comment,omitempty" maxLength:"100" doc:"For administrators"`
	Days     int    `json:"days,omitempty" minimum:"0" maximum:"3650" doc:"For how many days; 0 for ever"`
}

// SignUpBlockPath is the part of a request that names a domain or a network.
type SignUpBlockPath struct {
	Of string `query:"of" required:"true" minLength:"1" maxLength:"260" doc:"A domain, or a network as 192.0.2.0/24" example:"example.com"`
}

// parse returns the name in the form in which it is kept, and whether it is a network.
func (p SignUpBlockPath) parse() (of string, network bool, err error) {
	if of, err = model.BlockedNetwork(p.Of); err == nil {
		return of, true, nil
	}
	if of, bad := model.BlockedDomain(p.Of); bad == nil {
		return of, false, nil
	}
	return "", false, errs.New(errs.Invalid, "invalid_block",
		"of is a domain as example.com, or a network as 192.0.2.0/24 "+
			"or 2001:db8::/48, and not %q", model.Snippet(p.Of, 60))
}

// signUpBlocks adds the operations on domains and networks from which nobody signs up.
func (s *service) signUpBlocks() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/sign-up-blocks", OperationID: "listSignUpBlocks", Tags: []string{"admin"},
		Summary: "List the e-mail domains and networks from which nobody signs up",
	}, func(ctx context.Context, _ *nothing) (*struct{ Body SignUpBlocks }, error) {
		is, err := s.Moderation.SignUpBlocks(ctx)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body SignUpBlocks }{SignUpBlocks{Items: []SignUpBlock{}}}
		for kind, list := range map[string]map[string]model.SignUpBlock{"domain": is.Domains, "network": is.Networks} {
			for _, of := range slices.Sorted(maps.Keys(list)) {
				b := list[of]
				item := SignUpBlock{Of: of, Kind: kind, Severity: b.Severity, Comment: b.Comment, By: b.By, At: b.At}
				if !b.ExpireAt.IsZero() {
					item.ExpireAt = &b.ExpireAt
				}
				out.Body.Items = append(out.Body.Items, item)
			}
		}
		slices.SortStableFunc(out.Body.Items, func(a, b SignUpBlock) int { return len(a.Kind) - len(b.Kind) })
		return out, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/sign-up-blocks", OperationID: "blockSignUps", Tags: []string{"admin"},
		DefaultStatus: http.StatusNoContent, Summary: "Let nobody sign up from an e-mail domain or a network",
		Description: "A domain has its subdomains, too. Sign-ups are refused, 403 email_domain_blocked or address_blocked, " +
			"or " +
			"wait for approval. Users who have signed up stay. At most 500: 409 too_many_blocks. The audit log has the act.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		SignUpBlockPath
		Body newSignUpBlock
	}) (*nothing, error) {
		of, network, err := in.parse()
		if err != nil {
			return nil, err
		}
		by := actorOf(server.Caller(ctx), "")
		now := time.Now().UTC().Truncate(time.Microsecond)
		b := model.SignUpBlock{Severity: model.Severity(in.Body.Severity), Comment: in.Body.Comment, By: by.UID, At: now}
		if in.Body.Days > 0 {
			b.ExpireAt = now.AddDate(0, 0, in.Body.Days)
		}
		if network {
			return nil, s.Moderation.BlockNetwork(ctx, by, of, b)
		}
		return nil, s.Moderation.BlockDomain(ctx, by, of, b)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/admin/sign-up-blocks", OperationID: "unblockSignUps", Tags: []string{"admin"},
		DefaultStatus: http.StatusNoContent, Summary: "Let people sign up again from an e-mail domain or a network",
	}, func(ctx context.Context, in *SignUpBlockPath) (*nothing, error) {
		of, _, err := in.parse()
		if err != nil {
			return nil, err
		}
		return nil, s.Moderation.UnblockSignUps(ctx, actorOf(server.Caller(ctx), ""), of)
	})
}
