package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// Action is an entry of the audit log: one administrative act.
type Action struct {
	ID        string            `json:"id"`
	By        model.UserID      `json:"by" doc:"The user who acted, or the name that hibana admin got"`
	Role      model.StaffRole   `json:"role" enum:"administrator,moderator,command,user" doc:"command is hibana admin; user is a user about the own account, or who forwarded a report"`
	Act       model.Act         `json:"act" example:"freeze"`
	UserID    model.UserID      `json:"userId,omitempty" doc:"The user concerned; of a tweet, its author; of an order, its customer"`
	TweetID   model.TweetID     `json:"tweetId,omitempty"`
	ReportID  string            `json:"reportId,omitempty"`
	ProductID model.ProductID   `json:"productId,omitempty"`
	OrderID   model.OrderID     `json:"orderId,omitempty"`
	Revision  *int              `json:"revision,omitempty" doc:"Of a flag: the revision of the tweet that was judged"`
	Reason    string            `json:"reason,omitempty"`
	Before    map[string]string `json:"before,omitempty" doc:"What changed, as it was; the first 280 characters of each field"`
	After     map[string]string `json:"after,omitempty" doc:"What changed, as it is since; of a product what the request asks for, with its Idempotency-Key as key"`
	At        time.Time         `json:"at"`
}

func actionOf(a model.Action) (Action, bool) { return Action(a), true }

// actions adds the audit log, for moderators.
func (s *service) actions() {
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/actions", OperationID: "listActions", Tags: []string{"admin"},
		Summary: "List administrative acts, newest first",
		Description: "Every act of a moderator or administrator is here, and none can be changed or removed. At most one " +
			"of by, user, tweet, product and order may be said. " +
			"The entry of a repair, and of an act in the shop, comes before its act: that of a request that failed or was " +
			"repeated is here too.",
	}, func(ctx context.Context, in *struct {
		server.Paging
		ActionQuery
	}) (*server.ListOutput[Action], error) {
		f, err := in.filter(ctx)
		if err != nil {
			return nil, err
		}
		list := fmt.Sprintf("actions %+v", f)
		found, err := server.CursorPage(s.Server, list, in.Paging, func(from model.Cursor) (model.Page[model.Action], error) {
			return s.Moderation.Actions(ctx, f, from, in.PageSize)
		}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, actionOf), nil
	})
}

// ActionQuery chooses entries of the audit log.
type ActionQuery struct {
	By      string `query:"by" doc:"Only acts of this user; me is the caller"`
	User    string `query:"user" doc:"Only acts that concern this user, or a tweet of this user"`
	Tweet   string `query:"tweet" doc:"Only acts that concern this tweet"`
	Product string `query:"product" doc:"Only acts that concern this product"`
	Order   string `query:"order" doc:"Only acts that concern this order"`
}

func (q ActionQuery) filter(ctx context.Context) (f moderation.ActionFilter, err error) {
	given := 0
	for _, p := range []struct {
		text string
		take func(text string) error
	}{
		{q.By, func(text string) error { f.By, err = userID(ctx, text); return err }},
		{q.User, func(text string) error { f.UserID, err = userID(ctx, text); return err }},
		{q.Tweet, func(text string) error { f.TweetID, err = model.ParseTweetID(text); return err }},
		{q.Product, func(text string) error { f.ProductID, err = model.ParseProductID(text); return err }},
		{q.Order, func(text string) error { f.OrderID, err = model.ParseOrderID(text); return err }},
	} {
		if p.text == "" {
			continue
		}
		if err := p.take(p.text); err != nil {
			return f, err
		}
		given++
	}
	if given > 1 {
		return f, errs.New(errs.Invalid, "one_filter", "say at most one of by, user, tweet, product and order")
	}
	return f, nil
}
