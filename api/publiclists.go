package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/graph"
)

// UserListPath names a list of a user.
type UserListPath struct {
	UserPath
	ID string `path:"id" doc:"Id of the list: 20 lower-case hexadecimal digits"`
}

type userListMembersInput struct {
	UserListPath
	Rendering
}

type userListTimelineInput struct {
	UserListPath
	server.Paging
	Rendering
}

type followListInput struct {
	UserListPath
	PageToken string `query:"pageToken" maxLength:"4000" doc:"The nextPageToken of the request before, which goes on after its members"`
	Rendering
}

// MemberFollow says what became of one member.
type MemberFollow struct {
	User   UserSummary        `json:"user"`
	Result graph.FollowResult `json:"result" enum:"followed,requested,already,skipped" doc:"followed; requested: the user is locked, and has to accept; already: the caller follows the user; skipped"`
	Reason string             `json:"reason,omitempty" doc:"Of a skipped member the code that following answers, such as not_allowed or follow_limit"`
}

// publicLists adds the operations on the lists of people of any user.
func (s *service) publicLists() {
	const seen = "While there is a block between the caller and the owner, there is no list. "
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/lists", OperationID: "listUserLists", Tags: []string{"lists"},
		Summary:     "List the public lists of a user, newest first",
		Description: "The answer has all of them, and of the caller the private ones, too. " + seen,
		Errors:      []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, _ *UserPath, owner model.UserID) (*server.ListOutput[PeopleList], error) {
		uid := viewer(ctx).Account()
		all, err := s.Lists.SeenOf(ctx, uid, owner)
		if err == nil && len(all) == 0 {
			err = s.userExists(ctx, owner)
		}
		if err != nil {
			return nil, err
		}
		return &server.ListOutput[PeopleList]{Body: server.List[PeopleList]{Items: each(all, peopleListOf(uid))}}, nil
	}))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/lists/{id}", OperationID: "getUserList", Tags: []string{"lists"},
		Summary: "Read a public list of a user", Description: seen, Errors: []int{http.StatusNotFound},
	}, ofUserList(s, func(ctx context.Context, _ *UserListPath, l *model.PeopleList) (*struct{ Body PeopleList }, error) {
		return &struct{ Body PeopleList }{peopleListOf(viewer(ctx).Account())(l)}, nil
	}))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/lists/{id}/members", OperationID: "listUserListMembers",
		Tags:    []string{"lists"},
		Summary: "List the members of a public list of a user, newest first",
		Description: "The answer has all of them, but those with a block between them and the caller, or between them and " +
			"the owner. " + seen,
		Errors: []int{http.StatusNotFound},
	}, ofUserList(s, func(ctx context.Context, in *userListMembersInput,
		l *model.PeopleList) (*server.ListOutput[UserSummary], error) {
		return s.membersOf(ctx, l, in.Rendering)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/lists/{id}/timeline", OperationID: "getUserListTimeline",
		Tags:    []string{"lists"},
		Summary: "List what the members of a public list of a user wrote, newest first",
		Description: "It is the timeline of GET /v1/lists/{id}/timeline for the caller: without members whom the caller " +
			"mutes, or with a block between them and the caller, or between them and the owner. " + seen,
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *userListTimelineInput) (*server.ListOutput[Tweet], error) {
		owner, id, err := in.names(ctx)
		if err != nil {
			return nil, err
		}
		return s.timelineOf(ctx, owner, id, in.Paging, in.Rendering)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/users/{uid}/lists/{id}/follow", OperationID: "followList",
		Tags: []string{"lists"}, DefaultStatus: http.StatusOK,
		Summary: "Follow the members of a list, some at a time",
		Description: "One request follows 5 members at most, and says what became of each; the next one goes on with the " +
			"nextPageToken until there is none. A request that is repeated finds members already followed. Each member who is " +
			"followed or asked counts as a follow. Members whom the caller may not follow are skipped. " + seen,
		Errors: []int{http.StatusNotFound},
	}, ofUserList(s, s.followList))
}

// names returns the owner and the id in the path.
func (p UserListPath) names(ctx context.Context) (owner model.UserID, id string, err error) {
	if owner, err = p.userID(ctx); err != nil {
		return "", "", err
	}
	id, err = model.ParseListID(p.ID)
	return owner, id, err
}

// ofUserList gives a handler the list in the path, if the caller may see it.
func ofUserList[I interface {
	names(context.Context) (model.UserID, string, error)
}, O any](s *service, handler func(context.Context, I, *model.PeopleList) (*O,
	error)) func(context.Context, I) (*O, error) {
	return func(ctx context.Context, in I) (*O, error) {
		owner, id, err := in.names(ctx)
		if err != nil {
			return nil, err
		}
		l, err := s.Lists.Seen(ctx, viewer(ctx).Account(), owner, id)
		if err != nil {
			return nil, err
		}
		return handler(ctx, in, l)
	}
}

func (s *service) followList(ctx context.Context, in *followListInput,
	l *model.PeopleList) (*server.ListOutput[MemberFollow], error) {
	list := "follows of list " + l.ID
	var after model.UserID
	if err := s.Tokens.Open(list, in.PageToken, &after); err != nil {
		return nil, errs.New(errs.Invalid, "invalid_page_token", "the page token is not of this list")
	}
	uid := server.Caller(ctx).UID
	members, err := s.Lists.SeenMembers(ctx, uid, l)
	if err != nil {
		return nil, err
	}
	// The request itself counted once. It counts as all follows that it may make before it makes any, so that requests at
	// the same time do not pass the limit, and gives back the rest.
	server.ChargeAction(ctx, model.ListFollowsTogether-1)
	results, next, err := s.Graph.FollowMembers(ctx, uid, members, after, model.ListFollowsTogether)
	made := int64(0)
	for _, r := range results {
		if r.New {
			made++
		}
	}
	if err != nil && made == 0 {
		made = 1 // a request that fails and does nothing does not count: its end gives back the last one
	}
	server.ChargeAction(ctx, made-model.ListFollowsTogether)
	if err != nil {
		return nil, err
	}
	users, err := s.Users.Listed(ctx, each(results, func(r graph.MemberFollow) model.UserID { return r.UserID }))
	if err != nil {
		return nil, err
	}
	found := server.Rows[graph.MemberFollow]{Items: results}
	if next != "" {
		found.Next = s.Tokens.Seal(list, next)
	}
	return server.ListOf(found, func(r graph.MemberFollow) (MemberFollow, bool) {
		if users[r.UserID] == nil { // has left
			return MemberFollow{}, false
		}
		return MemberFollow{in.summary(s, users[r.UserID]), r.Result, r.Reason}, true
	}), nil
}
