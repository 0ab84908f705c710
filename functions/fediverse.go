package functions

import (
	"context"

	"github.com/hibana-sns/hibana/fediverse/delivery"
	"github.com/hibana-sns/hibana/model"
)

// tells is a part of a function that tells other servers of the fediverse. Without federation it does nothing.
func (h *handlers) tells(part func(*delivery.Out) error) func() error {
	return func() error {
		if h.out == nil {
			return nil
		}
		return part(h.out)
	}
}

// deliver sends an activity to the next inboxes. The functions of what users do create the work document.
func (h *handlers) deliver(ctx context.Context, e *Event) error {
	o, err := document[model.Outgoing](e)
	if err != nil || h.out == nil {
		return err
	}
	o.WrittenAt = e.updated()
	return h.out.SendNext(ctx, o)
}
