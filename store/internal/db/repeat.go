package db

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// repeats is how often Repeat calls its function at most.
const repeats = 6

// Repeat does a part of a long job, and repeats it if the database was unavailable, or aborted it in favor of another
// transaction. do must be right after an attempt whose answer was lost. The pause before the second attempt is pause,
// and doubles after each attempt: with 1 s, a job of hours survives half a minute without the database.
//
// After 6 attempts, the error is the error of the last one. Any other error ends Repeat at once, and so does the end of
// ctx.
//
// Cost: what do costs, for each attempt.
func Repeat(ctx context.Context, pause time.Duration, do func() error) error {
	for n := 1; ; n++ {
		err := do()
		if err == nil || n == repeats || ctx.Err() != nil || errs.KindOf(err) != errs.Unavailable {
			return err
		}
		if err := Pause(ctx, pause); err != nil {
			return err
		}
		pause *= 2
	}
}
