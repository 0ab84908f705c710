package functions

import (
	"context"
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// messagesChanged does what new and changed messages of a conversation cause: searches find their words, and the devices
// of the other members get a message. What is left of a conversation after its last user goes.
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
	texts := after == nil
	var sent []string
	for number, m := range is {
		if w := was[number]; w == nil {
			sent = append(sent, number)
			texts = texts || m.Text != ""
		} else {
			texts = texts || w.Text != m.Text
		}
	}
	parts := []func() error{func() error { return h.store.Messages.Push(ctx, key, sent) }}
	if after == nil || before != nil && after.Cleanings != before.Cleanings {
		parts = append(parts, func() error { return h.store.Messages.Finish(ctx, key.Conversation()) })
	}
	if texts { // a reaction has no words
		parts = append(parts, func() error { return h.store.Messages.Index(ctx, key) })
	}
	return all(parts...)
}
