package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Muting is a mute of a user by the caller.
type Muting struct {
	Part              model.MutePart `json:"part" enum:"all,shares,replies" doc:"What the mute hides"`
	HideNotifications bool           `json:"hideNotifications" doc:"Whether the caller gets no notifications of what the mute hides; with all also of likes and follows"`
	Until             *time.Time     `json:"until" doc:"When the mute ends; null for never"`
}

// MutedPerson is a user in the list of the users whom the caller mutes.
type MutedPerson struct {
	User UserSummary `json:"user"`
	Muting
	CreatedAt time.Time `json:"createdAt"`
}

// newMute is a request to mute a user.
type newMute struct {
	Part              string `json:"part,omitempty" enum:"all,shares,replies" default:"all" doc:"all hides the user's tweets and shares, and the user; shares and replies hide those alone"`
	Seconds           int64  `json:"seconds,omitempty" minimum:"1" maximum:"31622400" doc:"How long the mute lasts; absent for a mute without an end" example:"3600"`
	HideNotifications *bool  `json:"hideNotifications,omitempty" default:"true"`
}

// mutingOf returns a mute for an answer: nil for none.
func mutingOf(m model.Mute) *Muting {
	if m == 0 {
		return nil
	}
	is := &Muting{Part: m.Part(), HideNotifications: m.HidesNotifications()}
	if until := m.Until(); !until.IsZero() {
		is.Until = &until
	}
	return is
}

// mutes adds the operations that mute users.
func (s *service) mutes() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/{uid}/mute", OperationID: "muteUser", Tags: []string{"relationships"},
		Summary: "Mute a user, for a time or for ever",
		Description: "The home timeline, timelines of lists of people, the public timeline, tags, searches for tweets, " +
			"trends, threads, and the lists of likes, shares, quotes and others' followers leave the user out. The user's own " +
			"profile and lists stay, and so do the caller's bookmarks. With part shares or replies only these are hidden. " +
			"From then on the caller gets no notifications and no messages to devices of what is hidden, unless " +
			"hideNotifications is false; notifications that are there stay. A mute replaces an earlier one, outlives an " +
			"unfollow, and is not told to the user. At most 5,000 users, with those whose mute has ended; one more is 409 " +
			"`too_many_mutes`.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Body newMute
	}, uid model.UserID) (*nothing, error) {
		m := model.MutedUser{UserID: server.Caller(ctx).UID, MutedID: uid, Part: model.MutePart(in.Body.Part),
			HideNotifications: in.Body.HideNotifications == nil || *in.Body.HideNotifications}
		return nil, s.Graph.Mute(ctx, m, time.Duration(in.Body.Seconds)*time.Second)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/{uid}/mute", OperationID: "unmuteUser", Tags: []string{"relationships"},
		Summary: "Take the mute of a user back",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Graph.Unmute(ctx, server.Caller(ctx).UID, uid)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/mutes", OperationID: "listMutes", Tags: []string{"relationships"},
		Summary: "List the users whom the caller mutes, newest mute first",
		Description: "A mute that has ended hides nothing, and stays in the list until the caller takes it back. The users " +
			"in the list cannot see that they are on it.",
	}, s.listMutes)
}

func (s *service) listMutes(ctx context.Context, in *peopleInput) (*server.ListOutput[MutedPerson], error) {
	uid := server.Caller(ctx).UID
	found, err := server.CursorPage(s.Server, "mutes of "+string(uid), in.Paging,
		func(from model.Cursor) (model.Page[model.MutedUser], error) {
			return s.Graph.Mutes(ctx, uid, from, in.Most(model.MaxJoinedPage))
		}, nil)
	if err != nil {
		return nil, err
	}
	users, err := s.Users.Listed(ctx, each(found.Items, func(m model.MutedUser) model.UserID { return m.MutedID }))
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(m model.MutedUser) (MutedPerson, bool) {
		if users[m.MutedID] == nil {
			return MutedPerson{}, false
		}
		is := Muting{Part: m.Part, HideNotifications: m.HideNotifications}
		if !m.Until.IsZero() {
			is.Until = &m.Until
		}
		return MutedPerson{in.summary(s, users[m.MutedID]), is, m.CreatedAt}, true
	}), nil
}
