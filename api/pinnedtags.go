package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// PinnedTag is a tag that a user shows on the profile.
type PinnedTag struct {
	Tag        string `json:"tag" doc:"The key of the tag"`
	Label      string `json:"label" doc:"The tag as the user spells it"`
	TweetCount int64  `json:"tweetCount" doc:"How many tweets of the user have the tag"`
}

// pinnedTags adds the operation that counts the tags of a profile. The profile itself has the tags.
func (s *service) pinnedTags() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/pinnedTags", OperationID: "listPinnedTags", Tags: []string{"users"},
		Summary: "Count the tweets of the tags that a user shows on the profile",
		Description: "There are 10 tags at most, and all are on one page, in the user's order. The profile has the tags, " +
			"without counts, as pinnedTags.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*server.ListOutput[PinnedTag], error) {
		all, err := s.Tags.Pinned(ctx, uid)
		if err != nil {
			return nil, err
		}
		return server.ListOf(server.Rows[model.TagUsage]{Items: all}, func(t model.TagUsage) (PinnedTag, bool) {
			return PinnedTag{t.Name, t.Content, t.TweetCount}, true
		}), nil
	}))
}
