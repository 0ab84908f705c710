package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// handleActivity does what an activity of another server says. Without federation the activity is dropped: it came
// before federation was switched off.
func (h *handlers) handleActivity(ctx context.Context, e *Event) error {
	in, err := document[model.Incoming](e)
	if err != nil {
		return err
	}
	if h.inbox == nil {
		return h.store.Federation.Handled(ctx, in.ID)
	}
	return h.inbox.Handle(ctx, in)
}

// moveFollowers goes on with the followers of an account that moved, or with those whom an account follows whose inbox
// moved.
func (h *handlers) moveFollowers(ctx context.Context, e *Event) error {
	work, err := document[model.RemoteMove](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	if work.Inbox {
		return h.store.Federation.MoveInbox(ctx, work)
	}
	return h.store.Graph.Move(ctx, work)
}

// purgeDomain goes on with the removal of the users of suspended domains.
func (h *handlers) purgeDomain(ctx context.Context, e *Event) error {
	work, err := document[model.Purge](e)
	if err != nil {
		return err
	}
	if h.inbox == nil {
		return nil
	}
	work.WrittenAt = e.updated()
	return h.store.Federation.Purge(ctx, e.DocumentID, work, h.inbox.RemoveUser)
}
