package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// mentions adds the operations that list the tweets that mention the caller, and the caller's own tweets for mentioned
// users only.
func (s *service) mentions() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/mentions", OperationID: "listMentions", Tags: []string{"users"},
		Summary: "List the tweets that mention the caller, newest mention first",
		Description: "A tweet mentions the first 10 names in its content, usernames or handles with a host, outside of " +
			"code and links, that somebody has who neither blocks the author nor is blocked. " +
			"A mention stays with its user, whatever the user's name becomes. A tweet that an edit made mention the caller " +
			"stands at the time of the edit.",
	}, s.listMentions)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/mentioned", OperationID: "listMentioned", Tags: []string{"users"},
		Summary:     "List the caller's tweets with visibility mentioned, newest first",
		Description: "The list of a user's tweets has none of them.",
	}, s.listMentioned)
}

func (s *service) listMentions(ctx context.Context, in *mentionsInput) (*server.ListOutput[Tweet], error) {
	return s.listOwn(ctx, "mentions of ", in, model.FilterNotifications, s.Mentions.Of)
}

func (s *service) listMentioned(ctx context.Context, in *mentionsInput) (*server.ListOutput[Tweet], error) {
	return s.listOwn(ctx, "for those mentioned by ", in, "", s.Mentions.WrittenFor)
}

type mentionsInput struct {
	server.Paging
	Rendering
}

// listOwn answers a private list of the caller.
func (s *service) listOwn(ctx context.Context, list string, in *mentionsInput, filtered model.FilterContext,
	read func(context.Context, model.UserID, model.Cursor, int) (model.Page[*model.Tweet],
		error)) (*server.ListOutput[Tweet], error) {
	uid := server.Caller(ctx).UID
	found, err := quietPage(ctx, s, list+string(uid), in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
			return read(ctx, uid, from, limit)
		}, nil)
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found, in.Rendering, filtered)
}
