package verify

import (
	"cmp"
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// attempts is how often a part of a verification is tried. With pauses of 1, 2, 4, 8 and 16 seconds, a verification of
// hours survives half a minute without the database.
const attempts = 6

// again does a part of a verification, and repeats it if the database was unavailable, or aborted in favor of another
// transaction. Repeated reads are harmless. A repair reads the documents again, too: it changes a count only if no
// process wrote the document, also if the answer to the first attempt was lost.
func (v *verifier) again(ctx context.Context, do func() error) error {
	pause := cmp.Or(v.Pause, time.Second)
	for n := 1; ; n++ {
		err := do()
		if err == nil || n == attempts || ctx.Err() != nil || errs.KindOf(err) != errs.Unavailable {
			return err
		}
		if err := db.Pause(ctx, pause); err != nil {
			return err
		}
		pause *= 2
	}
}
