package users

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

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
