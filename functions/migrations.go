package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// migrate fills in a field that older documents of a collection lack.
func (h *handlers) migrate(ctx context.Context, e *Event) error {
	work, err := document[model.MigrationWork](e)
	if err != nil {
		return err
	}
	work.Name, work.WrittenAt = e.DocumentID, e.updated()
	return h.store.Migrations.Migrate(ctx, *work)
}
