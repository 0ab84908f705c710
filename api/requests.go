package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Followed is the result of following a user.
type Followed struct {
	Following bool `json:"following" doc:"Whether the caller follows the user"`
	Requested bool `json:"requested" doc:"Whether the caller asks to follow the user, who is locked and has not answered"`
}

// followRequests adds the operations that follow users and answer follow requests.
func (s *service) followRequests() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/{uid}/follow", OperationID: "follow", Summary: "Follow a user, or ask to",
		Tags: []string{"relationships"},
		Description: "Following a locked user makes a request, which the user accepts or refuses; a follower " +
			"need not ask. Doing it again changes nothing. " +
			"One user may follow 5,000 users, and have 200,000 followers, unless the service is configured otherwise. " +
			"Beyond that the answer is 403 follow_limit or follower_limit. One user may ask 1,000 users who have not " +
			"answered, and be asked by 5,000: beyond that it is 403 request_limit. " +
			"While one of the two blocks the other it is 403 not_allowed.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*struct{ Body Followed }, error) {
		requested, err := s.Graph.FollowOrAsk(ctx, server.Caller(ctx).UID, uid)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Followed }{Followed{!requested, requested}}, nil
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/followRequests", OperationID: "listFollowRequests",
		Tags:    []string{"relationships"},
		Summary: "List the users who ask to follow the caller, newest first",
	}, s.listFollowRequests)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/me/followRequests/{uid}", OperationID: "acceptFollow",
		Tags:    []string{"relationships"},
		Summary: "Accept the request of a user to follow the caller",
		Description: "The user follows from then on, as if the caller were not locked. Accepting a follower changes " +
			"nothing. A user who does not ask, or has withdrawn the request, is 404 request_not_found. " +
			"Beyond the limits of following the answer is 403 follow_limit or follower_limit, and the request stays.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Requests.Accept(ctx, server.Caller(ctx).UID, uid)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me/followRequests/{uid}", OperationID: "refuseFollow",
		Tags:        []string{"relationships"},
		Summary:     "Refuse the request of a user to follow the caller",
		Description: "The user gets no notification, and may ask again; a block prevents that.",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Requests.Refuse(ctx, server.Caller(ctx).UID, uid)
	}))
}

func (s *service) listFollowRequests(ctx context.Context, in *peopleInput) (*server.ListOutput[Person], error) {
	uid := server.Caller(ctx).UID
	found, err := server.CursorPage(s.Server, "follow requests of "+string(uid), in.Paging,
		func(from model.Cursor) (model.Page[model.FollowRequest], error) {
			return s.Requests.List(ctx, uid, from, in.Most(model.MaxJoinedPage))
		}, nil)
	if err != nil {
		return nil, err
	}
	return listPeople(ctx, s, found, in.Rendering, func(r model.FollowRequest) (model.UserID, time.Time) {
		return r.FollowerID, r.CreatedAt
	})
}
