package api

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// AIModel is a model that profiles name in aiModel.
type AIModel struct {
	Label    string `json:"label" example:"spark-1"`
	Provider string `json:"provider" doc:"Who runs it; may be empty"`
	Input    int64  `json:"input" doc:"Micro-dollars for a million tokens that it reads"`
	Output   int64  `json:"output" doc:"Micro-dollars for a million tokens that it writes"`
	Enabled  bool   `json:"enabled" doc:"Whether agents may use it"`
}

func aiModelOf(label string, m model.AIModel) AIModel {
	return AIModel{label, m.Provider, m.Input, m.Output, m.Enabled}
}

// newAIModel is a model as an administrator puts it.
type newAIModel struct {
	Provider string `json:"provider,omitempty" maxLength:"100"`
	Input    int64  `json:"input,omitempty" minimum:"0" maximum:"1000000000" doc:"Micro-dollars for a million tokens"`
	Output   int64  `json:"output,omitempty" minimum:"0" maximum:"1000000000" doc:"Micro-dollars for a million tokens"`
	Enabled  bool   `json:"enabled,omitempty" doc:"Whether agents may use it"`
}

type (
	aiModelsOutput struct {
		Body struct {
			Items []AIModel `json:"items" nullable:"false" doc:"At most 200, by label"`
		}
	}
	aiModelOutput struct{ Body AIModel }
	// AIModelPath is the part of a request that names an AI model.
	AIModelPath struct {
		Label string `path:"label" maxLength:"50" doc:"Label of the model"`
	}
)

// aiModels adds the operations on AI models.
func (s *service) aiModels() {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/ai-models", OperationID: "listAIModels", Tags: []string{"instance"},
		Summary:     "List the AI models that profiles may name, with their prices",
		Description: "A change shows within a minute.",
	}, func(ctx context.Context, _ *nothing) (*aiModelsOutput, error) {
		all, err := s.Moderation.AIModels(ctx)
		if err != nil {
			return nil, err
		}
		out := &aiModelsOutput{}
		out.Body.Items = []AIModel{}
		for _, label := range slices.Sorted(maps.Keys(all.Models)) {
			out.Body.Items = append(out.Body.Items, aiModelOf(label, all.Models[label]))
		}
		return out, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/ai-models/{label}", OperationID: "putAIModel", Tags: []string{"admin"},
		Summary: "Add or replace an AI model",
		Description: "There are 200 at most: 409 too_many_ai_models. The audit log has " +
			"the act.", Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		AIModelPath
		Body newAIModel
	}) (*aiModelOutput, error) {
		m, err := s.Moderation.PutAIModel(ctx, actorOf(server.Caller(ctx), ""), in.Label, model.AIModel(in.Body))
		if err != nil {
			return nil, err
		}
		return &aiModelOutput{aiModelOf(in.Label, m)}, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/admin/ai-models/{label}", OperationID: "removeAIModel", Tags: []string{"admin"},
		Summary: "Remove an AI model",
		Description: "Profiles that name it answer an empty aiModel within a minute, and agents " +
			"that use it stop acting. The audit log has the act.",
	}, func(ctx context.Context, in *AIModelPath) (*nothing, error) {
		return nil, s.Moderation.RemoveAIModel(ctx, actorOf(server.Caller(ctx), ""), in.Label)
	})
}

// nameModel empties the model of a profile if it is gone. A profile without one asks nothing.
//
// Cost: nothing for the caller, see [moderation.Store.AIModels].
func (s *service) nameModel(ctx context.Context, u *User) error {
	if u.AIModel == "" {
		return nil
	}
	all, err := s.Moderation.AIModels(ctx)
	if err == nil {
		u.AIModel = all.Named(u.AIModel)
	}
	return err
}
