package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/model"
)

// mentions adds the operation that lists the tweets that mention the caller.
func (s *server) mentions() {
	register(s, signedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/mentions", OperationID: "listMentions", Tags: []string{"users"},
		Summary: "List the tweets that mention the caller, newest mention first",
		Description: "A tweet mentions the first 10 usernames in its content, outside of code and links, that somebody has who neither blocks the author nor is blocked. " +
			"A mention stays with its user, whatever the user's name becomes. A tweet that an edit made mention the caller stands at the time of the edit.\n\n" +
			"Cost: 1 read for each tweet, at least 1, and what tells whether the caller likes them.",
	}, s.listMentions)
}

func (s *server) listMentions(ctx context.Context, in *struct {
	Paging
	Rendering
}) (*listOutput[Tweet], error) {
	uid := callerOf(ctx).UID
	found, err := cursorPage(s, "mentions of "+string(uid), in.Paging, func(from model.Cursor) (model.Page[*model.Tweet], error) {
		return s.Mentions.Of(ctx, uid, from, in.most(model.MaxJoinedPage))
	}, nil)
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found, in.Rendering)
}
