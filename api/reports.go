package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

type newReport struct {
	TweetID        string `json:"tweetId,omitempty" doc:"The reported tweet; either this or userId"`
	UserID         string `json:"userId,omitempty" doc:"The reported user; either this or tweetId"`
	ConversationID string `json:"conversationId,omitempty" doc:"With messageId the reported message, in place of tweetId and userId. Moderators get a copy of it, and see no other message"`
	MessageID      string `json:"messageId,omitempty" maxLength:"40"`
	Reason         string `json:"reason" enum:"spam,harassment,hate,violence,sexual,self_harm,illegal,impersonation,other"`
	Text           string `json:"text,omitempty" maxLength:"1000" doc:"What is wrong, for moderators"`
	Forward        bool   `json:"forward,omitempty" doc:"Whether the server of the reported user gets the report, too: its text, and not who reports. Only for users and tweets of other servers; 400 not_remote for others. A suspended server gets nothing"`
}

// Report is a user's complaint about a tweet or about a user, for moderators.
type Report struct {
	ID          string           `json:"id"`
	ReporterID  model.UserID     `json:"reporterId"`
	UserID      model.UserID     `json:"userId" doc:"The reported user, or the author of the reported tweet"`
	TweetID     model.TweetID    `json:"tweetId,omitempty" doc:"Absent from the report of a user or message"`
	Message     *ReportedMessage `json:"message,omitempty" doc:"The reported message as it was then; absent from other reports"`
	Reason      string           `json:"reason"`
	Text        string           `json:"text"`
	CreatedAt   time.Time        `json:"createdAt"`
	Open        bool             `json:"open"`
	Forwarded   bool             `json:"forwarded,omitempty" doc:"Whether the server of the reported user got it"`
	OpenReports int64            `json:"openReports,omitempty" doc:"Open reports of the tweet, or of the user and the user's tweets; only with counts=true"`
	Resolution  *Resolution      `json:"resolution,omitempty" doc:"Absent from an open report"`
}

// ReportedMessage is a copy of a message for moderators.
type ReportedMessage struct {
	ConversationID model.ConversationID `json:"conversationId"`
	MessageID      model.MessageID      `json:"messageId"`
	Text           string               `json:"text"`
	CreatedAt      time.Time            `json:"createdAt"`
	Media          []TweetMedia         `json:"media,omitempty" nullable:"false" doc:"Its pictures or video as they were then, as long as they are not deleted"`
}

// Resolution is how a moderator resolved a report.
type Resolution struct {
	Decision model.Decision `json:"decision" enum:"acted,dismissed"`
	Note     string         `json:"note"`
	By       model.UserID   `json:"by"`
	At       time.Time      `json:"at"`
}

func (s *service) reportOf(r *model.Report) Report {
	shown := Report{
		ID: r.ID, ReporterID: r.ReporterID, UserID: r.UserID, TweetID: r.TweetID, Reason: r.Reason, Text: r.Text,
		CreatedAt: r.CreatedAt, Open: r.Open, Forwarded: r.Forwarded,
	}
	if m := r.Message; m != nil {
		shown.Message = &ReportedMessage{m.ConversationID, m.MessageID, m.Text, m.At, s.heldMediaOf(m.Media)}
	}
	if d := r.Resolution; d != nil {
		shown.Resolution = &Resolution{d.Decision, d.Note, d.By, d.At}
	}
	return shown
}

type reportOutput struct{ Body Report }

// reports adds the operation that reports content, and the queue of reports for moderators.
func (s *service) reports() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/reports", OperationID: "createReport", Tags: []string{"reports"},
		DefaultStatus: http.StatusNoContent,
		Summary:       "Report a tweet, a message or a user to the moderators",
		Description:   "A second report of the same target changes nothing. The caller needs a profile.",
		Errors:        []int{http.StatusNotFound, http.StatusGone},
	}, s.createReport)
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/reports", OperationID: "listReports", Tags: []string{"admin"},
		Summary: "List open reports, oldest first",
	}, s.listReports)
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/reports/{id}", OperationID: "resolveReport", Tags: []string{"admin"},
		Summary:     "Resolve a report",
		Description: "A report that was resolved before gets the new decision. The database keeps it for 180 days more.",
		Errors:      []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"1500" doc:"Id of the report"`
		Body struct {
			Decision model.Decision `json:"decision" enum:"acted,dismissed" doc:"acted: something was done about it; dismissed: there is nothing to do"`
			Note     string         `json:"note,omitempty" maxLength:"1000" doc:"Why, for the audit log"`
		}
	}) (*reportOutput, error) {
		r, err := s.Moderation.Resolve(ctx, actorOf(server.Caller(ctx), in.Body.Note), in.ID, in.Body.Decision)
		if err != nil {
			return nil, err
		}
		return &reportOutput{s.reportOf(r)}, nil
	})
}

func (s *service) createReport(ctx context.Context, in *struct{ Body newReport }) (*nothing, error) {
	n := moderation.NewReport{Reason: in.Body.Reason, Text: in.Body.Text}
	var err error
	switch b := in.Body; {
	case b.ConversationID != "" || b.MessageID != "":
		if b.TweetID != "" || b.UserID != "" {
			return nil, errs.New(errs.Invalid, "one_target", "say either a message, tweetId or userId")
		}
		if n.ConversationID, err = model.ParseConversationID(b.ConversationID); err == nil {
			n.MessageID, err = model.ParseMessageID(b.MessageID)
		}
	case (b.TweetID == "") == (b.UserID == ""):
		return nil, errs.New(errs.Invalid, "one_target", "say either tweetId or userId")
	case b.TweetID != "":
		n.TweetID, err = model.ParseTweetID(b.TweetID)
	default:
		n.UserID, err = model.ParseUserID(b.UserID)
	}
	if err != nil {
		return nil, err
	}
	if in.Body.Forward {
		n.Forward = s.flagOf(in.Body.Text)
	}
	return nil, s.Moderation.Report(ctx, server.Caller(ctx).UID, n)
}

// flagOf makes the activity by which a server hears of a report: by the installation's actor, under an address that
// tells
// nothing of the reporter. A suspended server hears nothing, and none does if the installation does not federate.
func (s *service) flagOf(text string) func(context.Context, *model.User, *model.Tweet) (*model.Outgoing, error) {
	return func(ctx context.Context, u *model.User, t *model.Tweet) (*model.Outgoing, error) {
		if !s.federates() {
			return nil, nil
		}
		rule, err := s.Stores.Federation.Domain(ctx, model.HostOf(u.Remote.IRI))
		if err != nil || rule.Suspended() {
			return nil, err
		}
		reported := []string{u.Remote.IRI}
		if t != nil && t.Remote != nil {
			reported = append(reported, t.Remote.IRI)
		}
		own := s.fediverse().Own()
		a := activitypub.Activity{Context: activitypub.Context, ID: own + "#flags/" + rand.Text(), Type: "Flag", Actor: own,
			To: []string{u.Remote.IRI}, Content: text, Object: reported}
		body, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		return &model.Outgoing{ID: model.OutgoingID(a.ID), What: a.Type, Body: body,
			Inboxes: []string{u.Remote.DeliverTo()}}, nil
	}
}

func (s *service) listReports(ctx context.Context, in *struct {
	server.Paging
	Counts bool `query:"counts" doc:"Adds openReports to each report"`
}) (*server.ListOutput[Report], error) {
	found, err := server.CursorPage(s.Server, "open reports", in.Paging,
		func(from model.Cursor) (model.Page[model.Report], error) {
			return s.Moderation.Reports(ctx, from, in.PageSize)
		}, nil)
	if err != nil {
		return nil, err
	}
	type target struct {
		uid   model.UserID
		tweet model.TweetID
	}
	open := map[target]int64{}
	if in.Counts {
		for _, r := range found.Items {
			of := target{r.UserID, r.TweetID}
			if _, counted := open[of]; counted {
				continue
			}
			if open[of], err = s.Moderation.OpenReports(ctx, r.UserID, r.TweetID); err != nil {
				return nil, err
			}
		}
	}
	return server.ListOf(found, func(r model.Report) (Report, bool) {
		shown := s.reportOf(&r)
		shown.OpenReports = open[target{r.UserID, r.TweetID}]
		return shown, true
	}), nil
}
