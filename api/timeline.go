package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/model"
)

// timeline adds the caller's home page.
func (s *server) timeline() {
	register(s, signedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/timeline", OperationID: "getTimeline", Tags: []string{"timeline"},
		Summary: "My home timeline, newest first", Description: "The tweets of the last 30 days of everybody whom the caller follows.",
	}, s.home)
}

func (s *server) home(ctx context.Context, in *Paging) (*listOutput[Tweet], error) {
	uid := callerOf(ctx).UID
	list := "timeline of " + string(uid)
	var before model.TweetID
	if err := s.tokens.open(list, in.PageToken, &before); err != nil {
		return nil, err
	}
	seen, next, err := s.Timelines.Home(ctx, uid, before, in.PageSize)
	if err != nil {
		return nil, err
	}
	out := &listOutput[Tweet]{List[Tweet]{Items: make([]Tweet, len(seen))}}
	for i, t := range seen {
		out.Body.Items[i] = tweetOf(t.Tweet, t.Liked)
	}
	if next != "" {
		out.Body.NextPageToken = s.tokens.seal(list, next)
	}
	return out, nil
}
