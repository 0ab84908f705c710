package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Gist is a short form of a long tweet, which an AI model wrote.
type Gist struct {
	Text  string `json:"text" doc:"Plain text of at most 600 characters. A model wrote it, and it may be wrong"`
	Model string `json:"model" doc:"Label of the model"`
}

type gistOutput struct{ Body Gist }

// gists adds the operation that answers the gist of a tweet.
func (s *service) gists() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/tweets/{id}/gist", OperationID: "gist", Tags: []string{"tweets"},
		Summary: "Read the short form of a long tweet, or have an AI model write it",
		Description: "For a tweet of at least 1,000 characters. The model writes it once for all readers, and an edit of " +
			"the tweet removes it. 404 no_gists without a provider. 503 gist_pending while the model writes, and for an " +
			"hour after a failure. 429 gist_budget without tokens left for the day.",
		Errors: []int{http.StatusNotFound, http.StatusGone, http.StatusConflict},
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*gistOutput, error) {
		is, err := s.Gists.Gist(ctx, viewer(ctx), id)
		if err != nil {
			return nil, err
		}
		return &gistOutput{Gist{is.Text, is.Model}}, nil
	}))
}
