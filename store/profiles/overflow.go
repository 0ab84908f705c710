package profiles

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Overflow moves the older previews of an author's month in an audience partition to overflow documents, if the month
// is beyond its limit.
//
// Cost: 1 read, 1 delete, and 1 write a document.
func (w *Writer) Overflow(ctx context.Context, audiencePartition model.AudiencePartition, month string) (err error) {
	defer errs.Wrap(&err, "profiles.Overflow(%q)", month)
	return w.buckets[audiencePartition].Overflow(ctx, month)
}
