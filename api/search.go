package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/search"
)

// search adds the operations that find people and tweets.
func (s *server) search() {
	register(s, anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/search/users", OperationID: "searchUsers", Tags: []string{"search"},
		Summary: "Find people by the beginning of their username or nickname",
		Description: "Usernames come first, in their order, then nicknames in theirs. Capitals and the widths of letters make no difference. " +
			"A page may have fewer items than asked for, and a nextPageToken: whom both names find is listed once.\n\n" +
			"Cost: 1 read for each user that is found, twice if both names find the user, and 2 more at most.",
	}, s.searchUsers)
}

func (s *server) searchUsers(ctx context.Context, in *struct {
	Query string `query:"q" required:"true" minLength:"1" maxLength:"50" doc:"The beginning of a name; after @ of a username alone" example:"ann"`
	Paging
}) (*listOutput[UserSummary], error) {
	query, err := search.Folded(in.Query)
	if err != nil {
		return nil, err
	}
	found, err := page(s, "people named "+query, in.Paging, func(from search.PersonPlace) ([]*model.User, search.PersonPlace, error) {
		return s.Search.People(ctx, query, from, in.PageSize)
	}, nil)
	if err != nil {
		return nil, err
	}
	return listOf(found, func(u *model.User) (UserSummary, bool) { return summaryOf(u), true }), nil
}
