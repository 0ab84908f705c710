package functions

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// rollUp adds the shards of a hot document to the document's counts, or rebuilds a list of followers that several
// processes want to write. It runs about once a second while the document is hot.
func (h *handlers) rollUp(ctx context.Context, e *Event) error {
	work, err := document[model.RollUpWork](e)
	if err != nil {
		return err
	}
	work.WrittenAt = e.updated()
	if work.Collection == model.FollowerLists {
		return h.store.FollowerLists.RebuildAsked(ctx, *work)
	}
	return h.store.Counters.RollUp(ctx, *work)
}

// rollUpAgain enqueues a roll-up again that a process claimed and did not finish.
func (h *handlers) rollUpAgain(ctx context.Context, e *Event) error {
	work, err := document[model.ClaimedRollUp](e)
	if err != nil {
		return err
	}
	work.Record = e.DocumentID
	return h.store.Counters.RollUpAgain(ctx, *work)
}
