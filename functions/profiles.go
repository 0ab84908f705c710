package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// propagateProfile propagates the current name and avatar of a profile to all tweets of its user. It returns at once if
// only counts changed.
func (h *handlers) propagateProfile(ctx context.Context, e *Event) error {
	before, after, err := versions[model.User](e)
	if err != nil || before == nil || after == nil || before.Author() == after.Author() {
		return err
	}
	return h.store.Previews.PropagateProfile(ctx, model.UserID(e.DocumentID))
}

// deleteAccount removes the documents of a user who deletes the account.
func (h *handlers) deleteAccount(ctx context.Context, e *Event) error {
	work, err := document[model.DeletionWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.AccountDeletions.Leave(ctx, *work)
}

// export writes all documents of a user into archives.
func (h *handlers) export(ctx context.Context, e *Event) error {
	work, err := document[model.ExportWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Exports.Export(ctx, *work)
}

// continuePropagation propagates a profile's name and avatar to the next tweets of its user.
func (h *handlers) continuePropagation(ctx context.Context, e *Event) error {
	work, err := document[model.PropagationWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Previews.ContinuePropagation(ctx, *work)
}
