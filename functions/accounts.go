package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// propagateProfile propagates a profile's name and avatar to the next tweets of its user. The commit of a rename
// creates the work document.
func (h *handlers) propagateProfile(ctx context.Context, e *Event) error {
	work, err := document[model.PropagationWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	return h.store.Previews.PropagateProfile(ctx, *work)
}

// verifyFields asks the pages of the links in a profile whether they link back, after the profile's
// fields changed.
func (h *handlers) verifyFields(ctx context.Context, e *Event) error {
	if _, err := document[model.FieldCheck](e); err != nil {
		return err
	}
	return h.store.Fields.VerifyFields(ctx, model.UserID(e.DocumentID))
}

// deleteAccount removes the documents of a user who deletes the account. Other servers hear of it first, while the key
// is there.
func (h *handlers) deleteAccount(ctx context.Context, e *Event) error {
	work, err := document[model.DeletionWork](e)
	if err != nil {
		return err
	}
	if h.out != nil && e.Type == Created {
		if err := h.out.Left(ctx, model.UserID(e.DocumentID), e.changed()); err != nil {
			return err
		}
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

// migrate changes the documents of a collection that an older version wrote.
func (h *handlers) migrate(ctx context.Context, e *Event) error {
	work, err := document[model.MigrationWork](e)
	if err != nil {
		return err
	}
	work.Name, work.WrittenAt = e.DocumentID, e.updated()
	return h.store.Migrations.Migrate(ctx, *work)
}
