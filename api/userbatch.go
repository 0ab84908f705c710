package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// UserBatch has the profiles of a batch.
type UserBatch struct {
	Items []User `json:"items" nullable:"false"`
}

// userBatch adds the operation that reads several profiles.
func (s *service) userBatch() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users:batchGet", OperationID: "batchGetUsers", Tags: []string{"users"},
		Summary: "Read up to 50 profiles by id", Description: "The profiles are those of lists: without introductions and " +
			"without what is between a user and the caller. Edits show within 5 minutes, and counts within 12 hours. " +
			"An id of nobody is left out; the others keep their order.",
	}, s.batchGetUsers)
}

func (s *service) batchGetUsers(ctx context.Context, in *struct {
	IDs []string `query:"ids,explode" required:"true" nullable:"false" doc:"Up to 50 user ids, separated by commas or in several parameters"`
	Rendering
}) (*struct{ Body UserBatch }, error) {
	var ids []model.UserID
	for text := range strings.SplitSeq(strings.Join(in.IDs, ","), ",") {
		id, err := userID(ctx, text)
		if err != nil {
			return nil, err
		}
		if ids = append(ids, id); len(ids) > model.MaxBatch {
			return nil, errs.New(errs.Invalid, "too_many_ids", "ids may hold at most %d", model.MaxBatch)
		}
	}
	found, err := s.Users.Listed(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := &struct{ Body UserBatch }{UserBatch{[]User{}}}
	for _, id := range ids {
		if u := found[id]; u != nil {
			out.Body.Items = append(out.Body.Items, in.user(s, u))
		}
	}
	return out, nil
}
