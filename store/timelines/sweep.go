package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// EnqueueSweep enqueues the sweep of the day, as the day's first home page does. A second call on a day changes
// nothing.
//
// Cost: the cost of [db.DB.EnqueueSweep].
func (w *Writer) EnqueueSweep(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "timelines.EnqueueSweep")
	return w.db.EnqueueSweep(ctx)
}

// Sweep writes every work document anew whose event counts as lost. It also enqueues runs of the products for which
// orders wait, and writes orders anew whose cart is still to be cleared.
//
// Cost: 2 reads and 1 write a step, and what [db.DB.EnqueueAgain] costs.
func (w *Writer) Sweep(ctx context.Context, work model.SweepWork) (err error) {
	defer errs.Wrap(&err, "timelines.Sweep(%q)", work.ID)
	step, current, err := w.db.Begin(ctx, w.db.Doc(model.Sweeps, work.ID), work.WrittenAt)
	if err != nil || !current || work.Done {
		return err
	}
	position, done, err := w.db.EnqueueAgain(ctx, work.Place, step.Over)
	if err != nil {
		return err
	}
	return step.Save(ctx, map[string]any{fields.Place: position, fields.Done: done}, nil)
}
