package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Invitation lets some people sign up.
type Invitation struct {
	Code      model.InvitationCode `json:"code" doc:"Whoever has it may sign up" example:"ABCDEFGHIJKLMNOP"`
	By        model.UserID         `json:"by" doc:"The administrator who made it"`
	Note      string               `json:"note"`
	MaxUses   int                  `json:"maxUses"`
	Uses      int                  `json:"uses" doc:"How many people have signed up by it"`
	CreatedAt time.Time            `json:"createdAt"`
	ExpireAt  time.Time            `json:"expireAt"`
}

func invitationOf(i model.Invitation) (Invitation, bool) { return Invitation(i), true }

type invitationOutput struct{ Body Invitation }

// newInvitation is an invitation to be made.
type newInvitation struct {
	Note    string `json:"note,omitempty" maxLength:"100" doc:"For administrators" example:"for the book club"`
	MaxUses int    `json:"maxUses,omitempty" minimum:"1" maximum:"1000" default:"1" doc:"How many people may sign up by it"`
	Days    int    `json:"days,omitempty" minimum:"1" maximum:"90" default:"7" doc:"For how many days it is good"`
}

// invitations adds the operations on invitations, for administrators.
func (s *service) invitations() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/invitations", OperationID: "invite", Tags: []string{"admin"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Make an invitation",
		Description: "Its code signs people up while the instance says invitationNeeded. The audit log has the act, with " +
			"the " +
			"beginning of the code.",
	}, func(ctx context.Context, in *struct{ Body newInvitation }) (*invitationOutput, error) {
		is, err := s.Moderation.Invite(ctx, actorOf(server.Caller(ctx), ""), in.Body.Note, in.Body.MaxUses,
			time.Now().AddDate(0, 0, in.Body.Days))
		if err != nil {
			return nil, err
		}
		return &invitationOutput{Invitation(*is)}, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/invitations", OperationID: "listInvitations", Tags: []string{"admin"},
		Summary: "List invitations, newest first", Description: "The list has those that are used up, too. Those that have " +
			"expired leave it within some days.",
	}, func(ctx context.Context, in *struct{ server.Paging }) (*server.ListOutput[Invitation], error) {
		found, err := server.CursorPage(s.Server, "invitations", in.Paging,
			func(from model.Cursor) (model.Page[model.Invitation], error) {
				return s.Moderation.Invitations(ctx, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, invitationOf), nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/admin/invitations/{code}", OperationID: "uninvite", Tags: []string{"admin"},
		Summary: "Remove an invitation", Description: "Users who signed up by it stay. The audit log has the act.",
	}, func(ctx context.Context, in *struct {
		Code string `path:"code" maxLength:"40" doc:"Code of the invitation"`
	}) (*nothing, error) {
		code, err := model.ParseInvitationCode(in.Code)
		if err != nil {
			return nil, err
		}
		return nil, s.Moderation.Uninvite(ctx, actorOf(server.Caller(ctx), ""), code)
	})
}
