package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// SharedTweet is a tweet in the list of a user's shares.
type SharedTweet struct {
	Tweet
	SharedAt time.Time `json:"sharedAt"`
}

// shares adds the operations that share tweets and list shares and quotes.
func (s *service) shares() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/tweets/{id}/share", OperationID: "share", Tags: []string{"shares"},
		Summary: "Share a tweet", Errors: []int{http.StatusNotFound, http.StatusGone},
		Description: "Only what everybody may see can be shared. Everybody may see who shares a tweet, and its author is " +
			"notified. A tweet that is shared already keeps its place.",
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Shares.Share(ctx, server.Caller(ctx).UID, id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/tweets/{id}/share", OperationID: "unshare", Tags: []string{"shares"},
		Summary: "Stop sharing a tweet",
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Shares.Unshare(ctx, server.Caller(ctx).UID, id)
	}))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}/shares", OperationID: "listShares", Tags: []string{"shares"},
		Summary: "List the users who share a tweet, newest share first",
		Description: "With before, the page has the shares that are older than the time in that id, whatever tweet it " +
			"names. So one request finds the share of a known time.",
		Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.listShares))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/shares", OperationID: "listUserShares", Tags: []string{"shares"},
		Summary: "List the tweets that a user shares, newest share first",
		Description: "Tweets that are gone, or hidden from the caller, are left out: a page may have fewer items than " +
			"asked for, and a nextPageToken.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(s.listUserShares))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/tweets/{id}/quotes", OperationID: "listQuotes", Tags: []string{"shares"},
		Summary: "List the tweets that quote a tweet, newest first",
		Description: "Quotes stay when their tweet is deleted. Those that the caller may not see are left out: a page may " +
			"have fewer items than asked for, and a nextPageToken.",
		Errors: []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(s.listQuotes))
}

// sharesInput asks for the shares of a tweet.
type sharesInput struct {
	TweetPath
	server.Paging
	Before
	Rendering
}

func (s *service) listShares(ctx context.Context, in *sharesInput, id model.TweetID) (*server.ListOutput[Person],
	error) {
	list := "shares of tweet " + string(id)
	if err := in.startAt(s, &in.Paging, list, atTime); err != nil {
		return nil, err
	}
	found, err := quietPage(ctx, s, list, in.Paging, model.MaxJoinedPage,
		func(from model.Cursor, limit int) (model.Page[model.Share], error) {
			// the shares of a deleted tweet are deleted a little later than the tweet
			if err := s.Tweets.RequireTweet(ctx, id, viewer(ctx)); err != nil {
				return model.Page[model.Share]{}, err
			}
			return s.Shares.Of(ctx, id, from, limit)
		}, nil)
	if err != nil {
		return nil, err
	}
	return listOthers(ctx, s, found, in.Rendering, "", func(l model.Share) (model.UserID, time.Time) {
		return l.UserID,
			l.CreatedAt
	})
}

func (s *service) listUserShares(ctx context.Context, in *renderedListInput,
	uid model.UserID) (*server.ListOutput[SharedTweet], error) {
	list := "shares of user " + string(uid)
	found, err := quietPage(ctx, s, list, in.Paging, model.MaxLikesPage,
		func(from model.Cursor, limit int) (model.Page[model.Share], error) {
			return s.Shares.By(ctx, uid, from, limit)
		}, func() error { return s.userExists(ctx, uid) })
	if err != nil {
		return nil, err
	}
	return listMarked(ctx, s, found, in.Rendering, uid, model.FilterProfile,
		func(l model.Share) model.TweetID { return l.TweetID },
		func(l model.Share, t Tweet) SharedTweet { return SharedTweet{t, l.CreatedAt} })
}

func (s *service) listQuotes(ctx context.Context, in *tweetListInput, id model.TweetID) (*server.ListOutput[Tweet],
	error) {
	found, err := quietPage(ctx, s, "quotes of tweet "+string(id), in.Paging, model.MaxLikesPage,
		func(from model.Cursor, limit int) (model.Page[*model.Tweet], error) {
			if err := s.Tweets.RequireParent(ctx, id, viewer(ctx)); err != nil {
				return model.Page[*model.Tweet]{}, err
			}
			return s.Shares.Quotes(ctx, id, from, limit)
		}, func() error { return s.Tweets.RequireTweet(ctx, id, viewer(ctx)) })
	if err != nil {
		return nil, err
	}
	return listTweets(ctx, s, found, in.Rendering, model.FilterThread)
}
