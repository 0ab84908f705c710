package verify

import (
	"context"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// left is the unit of what is left of a user whose leaving is over, and of a leaving that does not
// end. No repair ends one: each day's sweep tries again, and the log says why its steps fail. The
// record of a leaving is kept for model.LeavingWindow; of a user without a record nothing is said.
func (v *verifier) left(uid model.UserID) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		var work model.LeaveWork
		found, err := v.db.Get(ctx, v.db.Leaving(uid), &work)
		if err != nil || !found {
			return nil, err
		}
		if !work.Done {
			if since := work.StartedAt; v.db.Now().Sub(since) > model.LeavingStuck {
				have := fmt.Sprintf("removing since %s, in pass %d at place %d", since.UTC().Format(time.DateOnly), work.Pass, work.Place)
				add(&ds, model.Leavings, db.Path(v.db.Leaving(uid)), "done", have, true, nil)
			}
			return ds, nil
		}
		remains, err := v.leavings.Remains(ctx, uid)
		again := &fix{"leaving of " + string(uid), func(ctx context.Context) error { return v.leavings.Again(ctx, uid) }}
		for _, r := range remains {
			add(&ds, r[0], r[1], "left", true, nil, again)
		}
		return ds, err
	}}
}
