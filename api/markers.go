package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Marker is a position that the caller has reached in a list.
type Marker struct {
	LastReadID model.TweetID `json:"lastReadId" doc:"The newest tweet that the caller has seen; it may be gone"`
	Version    int64         `json:"version" doc:"How often the marker has moved, from 1"`
	UpdatedAt  time.Time     `json:"updatedAt"`
}

// Markers say how far the caller has read, on any device.
type Markers struct {
	Home *Marker `json:"home,omitempty" doc:"Of the home timeline; absent until a device has marked it"`
}

type markersOutput struct{ Body Markers }

func markersOf(m *model.Markers) *markersOutput {
	is := &markersOutput{}
	if m.Home != nil {
		is.Body.Home = new(Marker(*m.Home))
	}
	return is
}

// markers adds the operations on the caller's read positions.
func (s *service) markers() {
	const path = "/v1/users/me/markers"
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: path, OperationID: "getMarkers", Tags: []string{"timeline"},
		Summary: "Read how far the caller has read, on any device",
		Description: "Notifications keep by themselves what was read: see the header Hibana-Read-Until of " +
			"GET /v1/notifications.",
	}, func(ctx context.Context, _ *nothing) (*markersOutput, error) {
		m, err := s.Users.Markers(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		return markersOf(m), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: path, OperationID: "moveMarkers", Tags: []string{"timeline"},
		Summary: "Move the marker of the caller's home timeline",
		Description: "A marker moves to newer tweets only; a tweet that is not newer changes nothing, and the answer has " +
			"the marker as it is. A client should send this when the reader leaves, and each 15 seconds at most.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		Body struct {
			Home *struct {
				LastReadID string `json:"lastReadId" doc:"The newest tweet that the caller has seen"`
				Version    int64  `json:"version,omitempty" minimum:"0" doc:"The version that the client has read: if the marker has another by now, and would move, the answer is 409 marker_conflict. 0 or absent if it does not matter"`
			} `json:"home,omitempty"`
		}
	}) (*markersOutput, error) {
		if in.Body.Home == nil {
			return nil, errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
		}
		id, err := model.ParseTweetID(in.Body.Home.LastReadID)
		if err != nil {
			return nil, err
		}
		m, err := s.Users.MarkHome(ctx, server.Caller(ctx).UID, id, in.Body.Home.Version)
		if err != nil {
			return nil, err
		}
		return markersOf(m), nil
	})
}
