package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Overflow moves the older entries of a month of a home timeline to overflow documents, if the month is beyond its
// limit.
//
// Cost: 1 read, 1 delete, and 1 write a document.
func (w *Writer) Overflow(ctx context.Context, month string) (err error) {
	defer errs.Wrap(&err, "timelines.Overflow(%q)", month)
	return w.buckets.Overflow(ctx, month)
}
