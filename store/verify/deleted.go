package verify

import (
	"context"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// left is the unit of the remains of a deleted account, and of an account deletion that does not end. No repair ends an
// account deletion: the daily sweep tries again, and the log says why its steps fail. The record of an account deletion
// is kept for model.AccountDeletionWindow. A user without a record has no differences here.
func (v *verifier) left(uid model.UserID) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		var work model.DeletionWork
		found, err := v.db.Get(ctx, v.db.AccountDeletion(uid), &work)
		if err != nil || !found {
			return nil, err
		}
		if !work.Done {
			if since := work.StartedAt; v.db.Now().Sub(since) > model.LeavingStuck {
				have := fmt.Sprintf("removing since %s, in pass %d at place %d", since.UTC().Format(time.DateOnly), work.Pass,
					work.Place)
				add(&ds, model.AccountDeletions, db.Path(v.db.AccountDeletion(uid)), "done", have, true, nil)
			}
			return ds, nil
		}
		remains, err := v.accountDeletions.Remains(ctx, uid)
		again := &fix{"leaving of " + string(uid), func(ctx context.Context) error {
			return v.accountDeletions.Again(ctx,
				uid)
		}}
		for _, r := range remains {
			add(&ds, r[0], r[1], "left", true, nil, again)
		}
		return ds, err
	}}
}
