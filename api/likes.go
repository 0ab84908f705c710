package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// likes adds the operations that like tweets and list the users who like a tweet.
func (s *service) likes() {
	toTweet := func(method, path, id, summary string, do func(context.Context, model.UserID, model.TweetID) error,
		failures ...int) {
		server.Register(s.Server, server.SignedIn, huma.Operation{
			Method: method, Path: path, OperationID: id, Summary: summary, Tags: []string{"likes"}, Errors: failures,
		}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
			return nil, do(ctx, server.Caller(ctx).UID, id)
		}))
	}
	toTweet(http.MethodPut, "/v1/tweets/{id}/like", "like", "Like a tweet", s.Reactions.Like, http.StatusNotFound,
		http.StatusGone)
	toTweet(http.MethodDelete, "/v1/tweets/{id}/like", "unlike", "Stop liking a tweet", s.Reactions.Unlike)

	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}/likes", OperationID: "listLikes", Tags: []string{"likes"},
		Summary: "List the users who like a tweet, newest like first", Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.listLikes))
}

func (s *service) listLikes(ctx context.Context, in *tweetListInput, id model.TweetID) (*server.ListOutput[Person],
	error) {
	list := "likes of tweet " + string(id)
	found, err := quietPage(ctx, s, list, in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[model.Like], error) {
			// the likes of a deleted tweet are deleted a little later than the tweet
			if err := s.Tweets.RequireTweet(ctx, id, viewer(ctx)); err != nil {
				return model.Page[model.Like]{}, err
			}
			return s.Reactions.LikesOf(ctx, id, from, limit)
		}, nil)
	if err != nil {
		return nil, err
	}
	return listOthers(ctx, s, found, in.Rendering, "", func(l model.Like) (model.UserID, time.Time) {
		return l.UserID,
			l.CreatedAt
	})
}
