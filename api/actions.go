package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// Action is an entry of the audit log: one administrative act.
type Action struct {
	ID       string            `json:"id"`
	By       model.UserID      `json:"by" doc:"The user who acted, or what hibana admin was told"`
	Role     model.StaffRole   `json:"role" enum:"administrator,moderator,command" doc:"command is hibana admin"`
	Act      model.Act         `json:"act" example:"freeze"`
	UserID   model.UserID      `json:"userId,omitempty" doc:"The user concerned; of a tweet, its author"`
	TweetID  model.TweetID     `json:"tweetId,omitempty"`
	ReportID string            `json:"reportId,omitempty"`
	Revision *int              `json:"revision,omitempty" doc:"Of a flag: the revision of the tweet that was judged"`
	Reason   string            `json:"reason,omitempty"`
	Before   map[string]string `json:"before,omitempty" doc:"What changed, as it was; the first 280 characters of each field"`
	After    map[string]string `json:"after,omitempty" doc:"What changed, as it is since"`
	At       time.Time         `json:"at"`
}

func actionOf(a model.Action) (Action, bool) { return Action(a), true }

// actions adds the audit log, for moderators.
func (s *server) actions() {
	register(s, moderators, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/actions", OperationID: "listActions", Tags: []string{"admin"},
		Summary: "List administrative acts, newest first",
		Description: "Every act of a moderator or administrator is here, and none can be changed or removed. At most one of by, user and tweet may be said.\n\n" +
			"Cost: 1 read for each act, at least 1.",
	}, func(ctx context.Context, in *struct {
		Paging
		By    string `query:"by" doc:"Only acts of this user; me is the caller"`
		User  string `query:"user" doc:"Only acts that concern this user, or a tweet of this user"`
		Tweet string `query:"tweet" doc:"Only acts that concern this tweet"`
	}) (*listOutput[Action], error) {
		f, given := moderation.ActionFilter{}, 0
		for _, p := range []struct {
			text string
			to   *model.UserID
		}{{in.By, &f.By}, {in.User, &f.UserID}} {
			if p.text != "" {
				uid, err := userID(ctx, p.text)
				if err != nil {
					return nil, err
				}
				*p.to, given = uid, given+1
			}
		}
		if in.Tweet != "" {
			id, err := model.ParseTweetID(in.Tweet)
			if err != nil {
				return nil, err
			}
			f.TweetID, given = id, given+1
		}
		if given > 1 {
			return nil, errs.New(errs.Invalid, "one_filter", "say at most one of by, user and tweet")
		}
		list := "actions by " + string(f.By) + " of " + string(f.UserID) + string(f.TweetID)
		found, err := cursorPage(s, list, in.Paging, func(from model.Cursor) (model.Page[model.Action], error) {
			return s.Moderation.Actions(ctx, f, from, in.PageSize)
		}, nil)
		if err != nil {
			return nil, err
		}
		return listOf(found, actionOf), nil
	})
}
