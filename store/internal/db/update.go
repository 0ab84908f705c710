package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/telemetry"
)

const (
	updateAttempts = 10                    // how often Update calls its function at most
	updatePause    = 20 * time.Millisecond // the longest pause after the first attempt; it doubles after each
	updateLongest  = time.Second           // the longest pause
)

// updates is how a DB retries. Tests set other functions.
type updates struct {
	pause  func(context.Context, time.Duration) error
	jitter func(time.Duration) time.Duration // a random part of a duration
}

func newUpdates() updates {
	return updates{pause: Pause, jitter: func(most time.Duration) time.Duration { return rand.N(most) + 1 }}
}

// Update changes documents that other processes may change at the same moment, without a transaction and its second
// round trip. try reads the documents, decides, and commits on the condition that they are unchanged. If the commit
// came too late, try returns [Late], and Update calls try again after a pause. So try must be right after its own
// commit, too: its answer may be lost. Any other error of try is the error of Update.
//
// After 10 attempts the error is errs.Unavailable. Pauses are random, and twice as long after each attempt, from 20 ms
// to 1 s at most: all pauses together last 5 s at most. If ctx ends in a pause, Update returns the error of ctx.
//
// Cost: what try costs, for each attempt.
func (d *DB) Update(ctx context.Context, try func(context.Context) error) error {
	most := updatePause
	for n := 1; ; n++ {
		err := try(ctx)
		late, ok := errors.AsType[*lateError](err)
		if !ok {
			return err
		}
		if n == updateAttempts {
			telemetry.Raced(ctx, "failed")
			return &errs.Error{
				Kind: errs.Unavailable,
				Msg:  "others changed the same thing at the same moment, again and again; look, and send the request once more",
				// without its status: no caller may mistake it for one attempt
				Err: fmt.Errorf("%d attempts came too late, the last one: %s", n, late.Error()),
			}
		}
		telemetry.Raced(ctx, "retried")
		if err := d.updates.pause(ctx, d.updates.jitter(most)); err != nil {
			return err
		}
		most = min(2*most, updateLongest)
	}
}

// lateError is the error of a commit that came too late.
type lateError struct{ error }

// Late marks the error of a commit, for [DB.Update], if another commit came first: a document changed, is gone, or
// exists by now. The other commit may be the same one, if its answer was lost and the client sent it once more. Other
// errors, and nil, stay as they are.
func Late(err error) error {
	if AlreadyExists(err) || NotFound(err) || Outdated(err) {
		return &lateError{err}
	}
	return err
}
