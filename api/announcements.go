package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown/render"
	"github.com/hibana-sns/hibana/model"
)

// Announcement is what the administrators tell everybody for some time.
type Announcement struct {
	ID        model.AnnouncementID `json:"id"`
	Title     string               `json:"title"`
	Text      string               `json:"text" doc:"Markdown"`
	HTML      string               `json:"html,omitempty" doc:"The text as safe HTML; present with format=html, unless the text is empty. Names in it are text"`
	StartsAt  time.Time            `json:"startsAt"`
	EndsAt    *time.Time           `json:"endsAt" doc:"null if there is no end"`
	UpdatedAt time.Time            `json:"updatedAt"`
	Dismissed bool                 `json:"dismissed" doc:"Whether the caller has dismissed it"`
}

type announcementOutput struct{ Body Announcement }

// AnnouncementPath is the id of an announcement.
type AnnouncementPath struct {
	ID string `path:"id" maxLength:"40" pattern:"^[A-Za-z0-9-][A-Za-z0-9_-]*$" doc:"Chosen by the administrator: letters, digits, - and _" example:"maintenance"`
}

// announcementFormat is the form of the texts of announcements.
type announcementFormat struct {
	Format string `query:"format" enum:"markdown,html" default:"markdown" doc:"html adds the text as safe HTML"`
}

func (f announcementFormat) of(id model.AnnouncementID, a model.Announcement) Announcement {
	is := Announcement{ID: id, Title: a.Title, Text: a.Text, StartsAt: a.StartsAt, UpdatedAt: a.UpdatedAt}
	if !a.EndsAt.IsZero() {
		is.EndsAt = &a.EndsAt
	}
	if f.Format == "html" {
		is.HTML = render.HTML(model.IntroductionNodes(a.Text))
	}
	return is
}

func (f announcementFormat) list(all *model.Announcements,
	dismissed []model.AnnouncementID) *server.ListOutput[Announcement] {
	return server.ListOf(server.Rows[model.AnnouncementID]{Items: all.IDs()},
		func(id model.AnnouncementID) (Announcement, bool) {
			a := f.of(id, all.Announcements[string(id)])
			a.Dismissed = slices.Contains(dismissed, id)
			return a, true
		})
}

// newAnnouncement is what an administrator says of an announcement.
type newAnnouncement struct {
	Title    string     `json:"title" minLength:"1" maxLength:"100" example:"Maintenance on Sunday"`
	Text     string     `json:"text,omitempty" maxLength:"2000" doc:"Markdown"`
	StartsAt *time.Time `json:"startsAt,omitempty" doc:"Now if absent"`
	EndsAt   *time.Time `json:"endsAt,omitempty" doc:"Absent for no end"`
}

// announcements adds the operations on announcements.
func (s *service) announcements() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/announcements", OperationID: "listAnnouncements",
		Tags:        []string{"announcements"},
		Summary:     "List the announcements that show now, the one that started last first",
		Description: "There are 20 at most, and all are on one page. A change shows within a minute.",
	}, func(ctx context.Context, in *announcementFormat) (*server.ListOutput[Announcement], error) {
		all, err := s.Moderation.Announcements(ctx)
		if err != nil {
			return nil, err
		}
		var dismissed []model.AnnouncementID
		if uid := viewer(ctx).Account(); uid != "" && len(all.Announcements) > 0 {
			m, err := s.Users.Markers(ctx, uid)
			if err != nil {
				return nil, err
			}
			dismissed = m.Dismissed
		}
		return in.list(all, dismissed), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/announcements/{id}/dismissed", OperationID: "dismissAnnouncement",
		Tags:    []string{"announcements"},
		Summary: "Dismiss an announcement", Description: "The caller's clients show it above the home timeline no more.",
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *AnnouncementPath) (*nothing, error) {
		id, err := model.ParseAnnouncementID(in.ID)
		if err != nil {
			return nil, err
		}
		all, err := s.Moderation.Announcements(ctx)
		if err != nil {
			return nil, err
		}
		if _, there := all.Announcements[string(id)]; !there {
			return nil, model.NoAnnouncement(id)
		}
		return nil, s.Users.DismissAnnouncement(ctx, server.Caller(ctx).UID, id)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/announcements", OperationID: "listAllAnnouncements", Tags: []string{"admin"},
		Summary: "List all announcements, also those that start later or have ended",
	}, func(ctx context.Context, in *announcementFormat) (*server.ListOutput[Announcement], error) {
		all, err := s.Moderation.AllAnnouncements(ctx)
		if err != nil {
			return nil, err
		}
		return in.list(all, nil), nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/announcements/{id}", OperationID: "putAnnouncement", Tags: []string{"admin"},
		Summary: "Make or replace an announcement",
		Description: "At most 20 that have not ended; one more is 409 `too_many_announcements`. The audit log has the act. " +
			"Who dismissed an announcement does not see it again when it is replaced.",
		Errors: []int{http.StatusConflict},
	}, s.putAnnouncement)
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/admin/announcements/{id}", OperationID: "removeAnnouncement",
		Tags: []string{"admin"}, Summary: "Remove an announcement", Description: "The audit log has the act.",
	}, func(ctx context.Context, in *AnnouncementPath) (*nothing, error) {
		id, err := model.ParseAnnouncementID(in.ID)
		if err != nil {
			return nil, err
		}
		return nil, s.Moderation.RemoveAnnouncement(ctx, actorOf(server.Caller(ctx), ""), id)
	})
}

func (s *service) putAnnouncement(ctx context.Context, in *struct {
	AnnouncementPath
	Body newAnnouncement
}) (*announcementOutput, error) {
	id, err := model.ParseAnnouncementID(in.ID)
	if err != nil {
		return nil, err
	}
	a := model.Announcement{Title: in.Body.Title, Text: in.Body.Text, StartsAt: time.Now()}
	if in.Body.StartsAt != nil {
		a.StartsAt = *in.Body.StartsAt
	}
	if in.Body.EndsAt != nil {
		a.EndsAt = *in.Body.EndsAt
		if a.EndsAt.IsZero() {
			return nil, errs.New(errs.Invalid, "invalid_announcement", "the announcement ends before it starts")
		}
	}
	kept, err := s.Moderation.Announce(ctx, actorOf(server.Caller(ctx), ""), id, a)
	if err != nil {
		return nil, err
	}
	return &announcementOutput{announcementFormat{}.of(id, kept)}, nil
}
