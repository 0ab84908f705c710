package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// spreadProfile gives all tweets of a user the name and avatar that the profile has now.
// Where only counts changed, propagateProfile returns at once.
func (h *handlers) spreadProfile(ctx context.Context, e *Event) error {
	before, after, err := versions[model.User](e)
	if err != nil || before == nil || after == nil || before.Author() == after.Author() {
		return err
	}
	return h.store.Previews.PropagateProfile(ctx, model.UserID(e.DocumentID))
}

// leave removes what a user who leaves left behind.
func (h *handlers) leave(ctx context.Context, e *Event) error {
	work, err := document[model.DeletionWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.AccountDeletions.Leave(ctx, *work)
}

// export writes everything of a user into archives.
func (h *handlers) export(ctx context.Context, e *Event) error {
	work, err := document[model.ExportWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Exports.Export(ctx, *work)
}

// continueSpread goes on giving tweets the name and avatar of their author's profile.
func (h *handlers) continueSpread(ctx context.Context, e *Event) error {
	work, err := document[model.PropagationWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Previews.ContinuePropagation(ctx, *work)
}
