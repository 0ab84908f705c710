package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// answers adds the operations of authors on the answers of others.
func (s *service) answers() {
	for _, op := range []struct {
		method, id, summary string
		folded              bool
	}{
		{http.MethodPut, "fold", "Hide a reply in a thread that the caller began", true},
		{http.MethodDelete, "unfold", "Show a hidden reply again", false},
	} {
		server.Register(s.Server, server.SignedIn, huma.Operation{
			Method: op.method, Path: "/v1/tweets/{id}/fold", OperationID: op.id, Tags: []string{"tweets"}, Summary: op.summary,
			Description: "Only the author of the thread's first tweet may, as long as that tweet is there. Lists keep a " +
				"hidden reply, with folded, and clients fold it. No count changes, and nobody is notified.",
			Errors: []int{http.StatusNotFound, http.StatusGone},
		}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
			return nil, s.Tweets.Fold(ctx, server.Caller(ctx).UID, id, op.folded)
		}))
	}
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/tweets/{id}/quotes/{quote}", OperationID: "withdrawQuote",
		Tags: []string{"shares"}, Summary: "Withdraw a tweet of the caller from a tweet that quotes it",
		Description: "The quote keeps its text, and has quoteWithdrawn in the place of quoteOf for ever: no edit brings " +
			"the quoted tweet back. Its author is not notified. The caller need not see the quote, and may repeat the request.",
		Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(func(ctx context.Context, in *quotePath, id model.TweetID) (*nothing, error) {
		quote, err := model.ParseTweetID(in.Quote)
		if err != nil {
			return nil, err
		}
		return nil, s.Tweets.WithdrawQuote(ctx, server.Caller(ctx).UID, id, quote)
	}))
}

type quotePath struct {
	TweetPath
	Quote string `path:"quote" doc:"Id of the tweet that quotes it"`
}
