package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Subscription says whether the caller is notified of a user's posts.
type Subscription struct {
	Notify bool `json:"notify" doc:"Whether the posts of the user make notifications for the caller"`
}

// subscriptions adds the operations on the caller's subscriptions.
func (s *service) subscriptions() {
	const path = "/v1/users/{uid}/notify"
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: path, OperationID: "getSubscription", Tags: []string{"relationships"},
		Summary: "Read whether the posts of a user make notifications for the caller",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*struct{ Body Subscription }, error) {
		is, err := s.Graph.Subscribed(ctx, server.Caller(ctx).UID, uid)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Subscription }{Subscription{is}}, nil
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: path, OperationID: "subscribe", Tags: []string{"relationships"},
		Summary: "Notify the caller of the posts of a user whom the caller follows",
		Description: "A notification of the kind post collects the posts of a day that the caller may see, and replies of " +
			"the user to their own, without those that a mute or filter hides. It ends when the caller follows the user no " +
			"more. The user does not learn of it. At most 50 users; one more is 409 `too_many_subscriptions`. A user's post " +
			"notifies 1,000 subscribers at most.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Graph.Subscribe(ctx, server.Caller(ctx).UID, uid)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: path, OperationID: "unsubscribe", Tags: []string{"relationships"},
		Summary: "Notify the caller of a user's posts no more", Description: "Notifications that are there stay.",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Graph.Unsubscribe(ctx, server.Caller(ctx).UID, uid)
	}))
}
