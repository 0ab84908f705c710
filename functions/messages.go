package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// messagesChanged does what new and changed messages of a conversation cause: searches find their words, and the
// devices of the other members get a message. What is left of a conversation after its last user goes.
func (h *handlers) messagesChanged(ctx context.Context, e *Event) error {
	before, after, err := versions[model.MessagePart](e)
	if err != nil {
		return err
	}
	key, err := model.ParsePartKey(e.DocumentID)
	if err != nil {
		return fmt.Errorf("%w: %w", errPoison, err)
	}
	was, is := map[string]*model.Message{}, map[string]*model.Message{}
	if before != nil {
		was = before.Messages
	}
	if after != nil {
		is = after.Messages
	}
	words := after == nil
	var sent []string
	for number, m := range is {
		if w := was[number]; w == nil {
			sent = append(sent, number)
			words = words || m.Text != "" || len(m.Media) > 0
		} else {
			words = words || w.Text != m.Text || len(w.Media) != len(m.Media)
		}
	}
	parts := []func() error{func() error { return h.store.Messages.Push(ctx, key, sent) }}
	if after == nil || before != nil && after.Cleanings != before.Cleanings {
		parts = append(parts, func() error { return h.store.Messages.Finish(ctx, key.Conversation()) })
	}
	if words { // a reaction has none
		parts = append(parts, func() error { return h.store.Messages.Index(ctx, key) })
	}
	return all(parts...)
}
