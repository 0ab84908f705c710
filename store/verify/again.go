package verify

import (
	"cmp"
	"context"
	"time"

	"github.com/hibana-sns/hibana/store/internal/db"
)

// again does a part of a verification by [db.Repeat]. Repeated reads are harmless. A repair reads the documents again,
// too: it changes a count only if no process wrote the document, also if the answer to the first attempt was lost.
func (v *verifier) again(ctx context.Context, do func() error) error {
	return db.Repeat(ctx, cmp.Or(v.Pause, time.Second), do)
}
