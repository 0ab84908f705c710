package timelines

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// EnqueueSweep enqueues the dormancy sweep of the day, as the day's first home page does. A second call on a day
// changes nothing.
//
// Cost: the cost of [db.DB.EnqueueSweep].
func (w *Rebuilder) EnqueueSweep(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "timelines.EnqueueSweep")
	return w.db.EnqueueSweep(ctx)
}

// Sweep stops pushing to readers who have not opened their home timeline for model.SleepAfter. One commit deletes the
// reader's home document and writes the work document of [Rebuilder.MarkDormant]. So a reader without a home document
// is marked as dormant, however often processes end.
//
// At its end Sweep writes every work document anew whose event counts as lost. It also enqueues runs of the products
// for which orders wait, and writes orders anew whose cart is still to be cleared.
//
// Cost: 1 read, 1 write and 1 delete a reader; 2 reads and 1 write a step.
func (w *Rebuilder) Sweep(ctx context.Context, work model.SweepWork) (err error) {
	defer errs.Wrap(&err, "timelines.Sweep(%q)", work.ID)
	step, current, err := w.db.Begin(ctx, w.db.Doc(model.Sweeps, work.ID), work.WrittenAt)
	if err != nil || !current || work.Done {
		return err
	}
	for {
		// A home has the day of the last visit. If that day is exactly at the limit, the reader may have visited until the
		// end of the day.
		q := w.db.Client.Collection(model.Homes).Where(fields.SeenAt, "<", dormantDay(w.db.Time().Add(-model.SleepAfter))).
			Limit(100)
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return err
		}
		if len(snaps) == 0 {
			position, done, err := w.db.EnqueueAgain(ctx, work.Place, step.Over)
			if err != nil {
				return err
			}
			return step.Save(ctx, map[string]any{fields.Place: position, fields.Done: done}, nil)
		}
		g, side := safely.WithContext(ctx)
		for _, snap := range snaps {
			g.Go(func() error { return w.askSleep(side, snap) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if step.Over() {
			return step.Save(ctx, map[string]any{}, nil)
		}
	}
}

// askSleep deletes one reader's home document and enqueues MarkDormant. It does nothing if the reader visits at this
// moment, or if another sweep was first.
//
// Cost: 1 write and 1 delete.
func (w *Rebuilder) askSleep(ctx context.Context, home *firestore.DocumentSnapshot) error {
	uid := model.UserID(home.Ref.ID)
	b := w.db.Batch()
	b.Delete(home.Ref, firestore.LastUpdateTime(home.UpdateTime))
	b.Set(w.db.Doc(model.Dormancies, string(uid)), model.DormancyWork{UserID: uid, Since: w.db.Time(),
		ExpireAt: w.db.WorkExpiry()})
	_, err := b.Commit(ctx)
	if db.Outdated(err) || db.NotFound(err) {
		return nil
	}
	return err
}
