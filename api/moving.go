package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

type aliases struct {
	Accounts []string `json:"accounts" nullable:"false" maxItems:"10" doc:"Accounts on other servers: handles, such as @bob@example.org, or addresses"`
}

type aliasesOutput struct {
	Body aliases
}

type move struct {
	Account string `json:"account" minLength:"3" maxLength:"2048" doc:"The new account: a handle, such as @bob@example.org, or an address"`
}

// moving adds the operations by which an account moves between servers.
func (s *service) moving() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/aliases", OperationID: "getAliases", Tags: []string{"users"},
		Summary:     "Read which accounts on other servers are the caller's, too",
		Description: "The answer has the addresses.",
	}, s.getAliases)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/aliases", OperationID: "putAliases", Tags: []string{"users"},
		Summary: "Say which accounts on other servers are the caller's, too",
		Description: "Such an account may move here, with its followers. There are 10 at most, and the list takes " +
			"the place of the former one. An account that is not there is 404 no_remote_actor; nobody looks for one that " +
			"was in the former list by its address. The answer has the addresses.",
		Errors: []int{http.StatusNotFound},
	}, s.putAliases)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/move", OperationID: "moveAway", Tags: []string{"users"},
		Summary: "Move the caller's account to another server",
		Description: "The new account must name this one as its own, too (409 not_an_alias). Followers follow the new " +
			"account, those here at once, and others as their servers do. The profile says to where it moved; posts stay.",
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, s.moveAway)
}

func noAccount(named string) error {
	return errs.New(errs.NotFound, "no_remote_actor", "there is no account %q on another server", model.Snippet(named,
		100))
}

// getAliases reads the other accounts of the caller.
//
// Cost: 1 read.
func (s *service) getAliases(ctx context.Context, _ *struct{}) (*aliasesOutput, error) {
	d, err := s.Users.Detail(ctx, server.Caller(ctx).UID)
	if err != nil {
		return nil, err
	}
	return &aliasesOutput{aliases{orEmpty(d.Aliases)}}, nil
}

// putAliases sets the other accounts of the caller. One that is gone does not keep the caller from changing the rest.
//
// Cost: 1 read, that of [remote.Remote.PersonOf] for each new one, of [users.Store.SetAliases], and of
// [federation.Store.ActorChanged].
func (s *service) putAliases(ctx context.Context, in *struct{ Body aliases }) (*aliasesOutput, error) {
	uid, addresses := server.Caller(ctx).UID, []string{}
	former, err := s.Users.Detail(ctx, uid)
	if err != nil {
		return nil, err
	}
	for _, named := range in.Body.Accounts {
		if slices.Contains(former.Aliases, named) {
			if !slices.Contains(addresses, named) {
				addresses = append(addresses, named)
			}
			continue
		}
		u, err := s.personAt(ctx, named)
		if err != nil {
			return nil, err
		}
		if u == nil || u.Remote == nil {
			return nil, noAccount(named)
		}
		if !slices.Contains(addresses, u.Remote.IRI) {
			addresses = append(addresses, u.Remote.IRI)
		}
	}
	if err := s.Users.SetAliases(ctx, uid, addresses); err != nil {
		return nil, err
	}
	return &aliasesOutput{aliases{addresses}}, s.Stores.Federation.ActorChanged(ctx, uid)
}

// moveAway moves the caller's account to one that names it as an alias, as its own server has it now.
//
// Cost: that of [remote.Remote.PersonOf] and [federation.Store.Fetch], 4 writes, and that of
// [federation.Store.ActorMoved].
func (s *service) moveAway(ctx context.Context, in *struct{ Body move }) (*struct{}, error) {
	uid := server.Caller(ctx).UID
	to, err := s.personAt(ctx, in.Body.Account)
	if err != nil {
		return nil, err
	}
	if to == nil || to.Remote == nil {
		return nil, noAccount(in.Body.Account)
	}
	fetched, err := s.Stores.Federation.Fetch(ctx, to.Remote.IRI)
	if err != nil {
		return nil, err
	}
	is, err := activitypub.Decode([]byte(fetched.JSON))
	if err != nil || is.ID != to.Remote.IRI || !slices.Contains(is.AlsoKnownAs, s.fediverse().User(uid)) {
		return nil, errs.New(errs.Conflict, "not_an_alias", "the account %s does not name this one as its own, too",
			to.Remote.IRI)
	}
	if err := s.Users.SetMovedTo(ctx, uid, to.Remote.IRI); err != nil {
		return nil, err
	}
	if err := s.Graph.AskMove(ctx, uid, to.ID); err != nil {
		return nil, err
	}
	if err := s.Stores.Federation.ActorChanged(ctx, uid); err != nil {
		return nil, err
	}
	return nil, s.Stores.Federation.ActorMoved(ctx, uid)
}
