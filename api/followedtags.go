package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
)

// FollowedTag is a tag that the caller follows.
type FollowedTag struct {
	Name       string    `json:"name" doc:"Key of the tag" example:"hibana"`
	Content    string    `json:"content" doc:"The tag as the caller typed it" example:"Hibana"`
	FollowedAt time.Time `json:"followedAt"`
}

// followedTags adds the operations on the tags that the caller follows.
func (s *service) followedTags() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/followedTags", OperationID: "listFollowedTags", Tags: []string{"tags"},
		Summary:     "List the tags that the caller follows, the newest follow first",
		Description: "There are 10 at most, and all are on one page.",
	}, func(ctx context.Context, _ *nothing) (*server.ListOutput[FollowedTag], error) {
		is, err := s.Graph.FollowedTags(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		return server.ListOf(server.Rows[string]{Items: is.Keys()}, func(key string) (FollowedTag, bool) {
			return FollowedTag{key, is.Tags[key].Content, is.Tags[key].FollowedAt}, true
		}), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/tags/{tag}/follow", OperationID: "followTag", Tags: []string{"tags"},
		Summary: "Follow a tag",
		Description: "The caller's home timeline then has the newest 20 public tweets of the tag of the last 7 days, 5 by " +
			"one author at most, also of a tag that no tweet has yet. Doing it again changes nothing. A user follows 10 tags " +
			"at most; beyond that the " +
			"answer is 409 `too_many_followed_tags`. Nobody else learns of it.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *TagPath) (*nothing, error) {
		return nil, s.Graph.FollowTag(ctx, server.Caller(ctx).UID, in.Tag)
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/tags/{tag}/follow", OperationID: "unfollowTag", Tags: []string{"tags"},
		Summary: "Follow a tag no more",
	}, func(ctx context.Context, in *TagPath) (*nothing, error) {
		return nil, s.Graph.UnfollowTag(ctx, server.Caller(ctx).UID, in.Tag)
	})
}
