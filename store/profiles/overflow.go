package profiles

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Spill moves the older cards of a month of an author's cards on a shelf to overflow
// documents, if the month is beyond its limit.
//
// Cost: 1 read, 1 delete, and 1 write a document.
func (w *Writer) Spill(ctx context.Context, shelf model.Shelf, month string) (err error) {
	defer errs.Wrap(&err, "profiles.Spill(%q)", month)
	return w.buckets[shelf].Spill(ctx, month)
}
