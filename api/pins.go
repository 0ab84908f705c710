package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// PinnedTweet is a tweet that its author pinned.
type PinnedTweet struct {
	Tweet
	PinnedAt time.Time `json:"pinnedAt"`
}

// pins adds the operations on the pinned tweets of a profile.
func (s *service) pins() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/tweets/{id}/pin", OperationID: "pin", Tags: []string{"pins"},
		Summary: "Pin a tweet of one's own to the profile",
		Description: "A profile has 5 pinned tweets at most; beyond that the answer is 409 too_many_pins. Pins of deleted " +
			"tweets make room. A tweet that is pinned already keeps its place.",
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone},
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Pins.Pin(ctx, server.Caller(ctx).UID, id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/tweets/{id}/pin", OperationID: "unpin", Tags: []string{"pins"},
		Summary: "Take a tweet off the pinned ones",
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Pins.Unpin(ctx, server.Caller(ctx).UID, id)
	}))
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/{uid}/pins", OperationID: "listPins", Tags: []string{"pins"},
		Summary: "List the tweets that a user has pinned, newest pin first",
		Description: "There are 5 at most, and all are on one page. Tweets that are gone, or hidden from the caller, are " +
			"left out.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(s.listPins))
}

func (s *service) listPins(ctx context.Context, in *struct {
	UserPath
	Rendering
}, uid model.UserID) (*server.ListOutput[PinnedTweet], error) {
	pinned, err := s.Pins.Of(ctx, uid)
	if err != nil {
		return nil, err
	}
	if len(pinned) == 0 {
		if err := s.userExists(ctx, uid); err != nil {
			return nil, err
		}
	}
	return listMarked(ctx, s, server.Rows[model.Pinned]{Items: pinned}, in.Rendering, uid, model.FilterProfile,
		func(p model.Pinned) model.TweetID { return p.TweetID },
		func(p model.Pinned, t Tweet) PinnedTweet { return PinnedTweet{t, p.PinnedAt} })
}
