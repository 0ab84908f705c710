package users

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// CheckAIModel returns errs.Invalid (unknown_ai_model) for a label that no AI model has. A profile may name none.
// [Store.CreateUser] checks it too; CheckAIModel is for a caller who makes something before.
//
// Cost: 1 read; nothing for none.
func (s *Store) CheckAIModel(ctx context.Context, label string) (err error) {
	defer errs.Wrap(&err, "users.CheckAIModel(%q)", label)
	return s.aiModel(ctx, label)
}

// aiModel returns errs.Invalid (unknown_ai_model) for a label that no AI model has. A profile may name none.
//
// Cost: 1 read; nothing for none.
func (s *Store) aiModel(ctx context.Context, label string) error {
	if label == "" {
		return nil
	}
	var all model.AIModels
	if _, err := s.db.Get(ctx, s.db.AIModels(), &all); err != nil {
		return err
	}
	if all.Named(label) == "" {
		return model.UnknownAIModel(label)
	}
	return nil
}
