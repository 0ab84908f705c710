package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// PersonNote is the caller's private note on a user.
type PersonNote struct {
	Text      string     `json:"text" doc:"Empty if there is no note"`
	UpdatedAt *time.Time `json:"updatedAt" doc:"null if there is no note"`
}

type personNoteOutput struct{ Body PersonNote }

func personNoteOf(n model.PersonNote) *personNoteOutput {
	is := PersonNote{Text: n.Text}
	if !n.UpdatedAt.IsZero() {
		is.UpdatedAt = &n.UpdatedAt
	}
	return &personNoteOutput{is}
}

// personNotes adds the operations on the caller's private notes.
func (s *service) personNotes() {
	const path = "/v1/users/{uid}/note"
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: path, OperationID: "getNote", Tags: []string{"relationships"},
		Summary:     "Read the caller's note on a user",
		Description: "Only the caller sees the note. Without one the text is empty.",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*personNoteOutput, error) {
		n, err := s.Graph.Note(ctx, server.Caller(ctx).UID, uid)
		if err != nil {
			return nil, err
		}
		return personNoteOf(n), nil
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: path, OperationID: "putNote", Tags: []string{"relationships"},
		Summary: "Keep a note on a user, for the caller alone",
		Description: "The user does not learn of it. The note goes when one of the two leaves, and is in the caller's " +
			"export. An empty text removes the note.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Body struct {
			Text string `json:"text" maxLength:"2000" example:"We met at the conference."`
		}
	}, uid model.UserID) (*personNoteOutput, error) {
		n, err := s.Graph.PutNote(ctx, server.Caller(ctx).UID, uid, in.Body.Text)
		if err != nil {
			return nil, err
		}
		return personNoteOf(n), nil
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: path, OperationID: "removeNote", Tags: []string{"relationships"},
		Summary: "Remove the caller's note on a user",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Graph.RemoveNote(ctx, server.Caller(ctx).UID, uid)
	}))
}
