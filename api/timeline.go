package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
)

// timeline adds the caller's home timeline.
func (s *server) timeline() {
	register(s, signedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/timeline", OperationID: "getTimeline", Tags: []string{"timeline"},
		Summary: "List the caller's home timeline, newest first", Description: "The home timeline has the tweets of the last 30 days by the users whom the caller follows.",
	}, s.home)
}

func (s *server) home(ctx context.Context, in *struct {
	Paging
	Rendering
}) (*listOutput[Tweet], error) {
	uid := callerOf(ctx).UID
	if callerOf(ctx).Anonymous { // nobody to follow anybody
		return &listOutput[Tweet]{Body: List[Tweet]{Items: []Tweet{}}}, nil
	}
	list := "timeline of " + string(uid)
	found, err := page(s, list, in.Paging, func(before model.TweetID) ([]facts.Seen, model.TweetID, error) {
		return s.Timelines.Home(ctx, uid, before, in.most(model.MaxHomePage))
	}, nil)
	if err != nil {
		return nil, err
	}
	return listOf(found, func(t facts.Seen) (Tweet, bool) { return in.tweet(t.Tweet, t.Liked), true }), nil
}
