package audit

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// left is the unit of what is left of a user whose leaving is over. The record of a leaving
// is kept for model.LeavingWindow; of a user without a record nothing is said.
func (v *verifier) left(uid model.UserID) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		var work model.LeaveWork
		found, err := v.db.Get(ctx, v.db.Leaving(uid), &work)
		if err != nil || !found || !work.Done {
			return nil, err
		}
		remains, err := v.leavings.Remains(ctx, uid)
		again := &fix{"leaving of " + string(uid), func(ctx context.Context) error { return v.leavings.Again(ctx, uid) }}
		for _, r := range remains {
			add(&ds, r[0], r[1], "left", true, nil, again)
		}
		return ds, err
	}}
}
