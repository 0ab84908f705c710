package counters

import (
	"context"
	"math/rand/v2"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/internal/telemetry"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// rollUp names a document that has shards.
type rollUp struct {
	Collection string `firestore:"collection"`
	ID         string `firestore:"id"`
}

// soonAtOnce is how many roll-ups a process does without an event at once. If the database is slow, more of them would
// delay each other beyond their time.
const soonAtOnce = 16

// longestWait bounds the wait of a roll-up's event: a function answers within 8 s.
const longestWait = 6 * time.Second

// resting is the age of a shard's last increment at which a roll-up deletes the shard. A process that increments a hot
// counter reaches each of its shards more often.
const resting = 10 * time.Second

// RollUp does the work of a work document, a little later than the process that left the document. That process rolls
// up without an event as soon as increments had time to come. If the process did so, RollUp finds the work done.
//
// No increment of a hot counter checks that its tweet still exists. If the tweet is gone, RollUp removes the tweet's
// likes and shares.
//
// Cost: what [Store.RollUpNow] costs. If the tweet is gone, what [Store.CleanUp] costs.
func (s *Store) RollUp(ctx context.Context, w model.RollUpWork) (err error) {
	defer errs.Wrap(&err, "counters.RollUp(%q, %q)", w.Collection, w.ID)
	if err := db.Pause(ctx, min(s.every+s.every/2, longestWait)); err != nil {
		return err
	}
	there, err := s.RollUpNow(ctx, w)
	if err != nil || there || w.Collection != model.Tweets && w.Collection != model.Polls {
		return err
	}
	return s.CleanUp(ctx, model.TweetID(w.ID), nil)
}

// RollUpNow moves the new sums of a document's shards into the document's counts. RollUpNow claims the work document
// first. So an increment that RollUpNow misses leaves another work document. The result says whether the document
// exists; if not, RollUpNow deletes the shards.
//
// RollUpNow also deletes resting shards, and subtracts their sums from "rolled". A counter that is hot all day would
// otherwise collect the shards of all processes there ever were, and each roll-up would read them.
//
// If a tag or tag usage has shards but no document, RollUpNow creates the document. A tag is hot before it has a
// document if its first tweets come at once.
//
// RollUpNow changes only the counters of [model.Counters]. So one write changes at most eight fields, four counters and
// their values in "rolled", whatever the shards hold.
//
// If another process already claimed the work, RollUpNow returns at once when the document says that the work is done.
// Otherwise it leaves another work document for the rest. If RollUpNow claimed the next work document instead, roll-ups
// would multiply while the counter is hot.
//
// Cost: 1 delete, 1 read, 1 read for each shard, and 1 write. 1 delete for each resting shard. For a tweet that of
// [digests.Writer.List].
func (s *Store) RollUpNow(ctx context.Context, w model.RollUpWork) (found bool, err error) {
	defer errs.Wrap(&err, "counters.RollUpNow(%q, %q)", w.Collection, w.ID)
	mine, err := s.db.Take(ctx, s.rollUpWork(w), w.WrittenAt)
	if err != nil {
		return false, err
	}
	return s.delta(ctx, w, mine)
}

// delta is moveSums. Then it lists the document if that is a tweet, also if another process took the work or no sum was
// pending. The process that moved the sums may have ended before it listed the tweet, or delta itself may have moved
// them in a commit whose answer was lost. So the event of work that its process did already lists the tweet once more.
//
// Cost: that of moveSums; for a tweet that of [digests.Writer.List], or of [digests.Writer.ListAgain] without a move.
func (s *Store) delta(ctx context.Context, w model.RollUpWork, mine bool) (found bool, err error) {
	found, moved, err := s.moveSums(ctx, w, mine)
	if err != nil || !found {
		return found, err
	}
	if moved {
		return true, s.digests.List(ctx, s.db.Doc(w.Collection, w.ID))
	}
	return true, s.digests.ListAgain(ctx, s.db.Doc(w.Collection, w.ID))
}

// moveSums moves what is pending in the shards of a document into its counts, if the caller took the work. Otherwise it
// sees to it that the work is done. moved says that its last commit moved something.
func (s *Store) moveSums(ctx context.Context, w model.RollUpWork, mine bool) (found, moved bool, err error) {
	parent := s.db.Doc(w.Collection, w.ID)
	for fold := true; ; fold = false {
		// The document is read before the shards, so the shards are at least as new as "rolled" in the document.
		p, err := db.As[struct {
			Rolled   map[string]any `firestore:"rolled"`
			RolledAt time.Time      `firestore:"rolledAt"` // WrittenAt of the newest work that was done
		}](parent.Get(ctx))
		if err != nil {
			return false, false, err
		}
		if !p.Found && MadeOfShards(w.Collection) {
			if made, err := s.makeOfShards(ctx, parent); err != nil || !made {
				return false, false, err
			}
			continue
		}
		if !p.Found {
			s.db.SawGone(parent)
			return false, false, s.removeShards(ctx, w.Collection, w.ID)
		}
		if !mine && !w.WrittenAt.IsZero() && !p.Doc.RolledAt.Before(w.WrittenAt.Truncate(time.Microsecond)) {
			return true, false, nil
		}
		sums, rest, err := s.sumShards(ctx, parent)
		if err != nil {
			return true, false, err
		}
		if !fold {
			rest = nil // another process may have incremented one after all
		}
		folded := Sums{}
		for _, shard := range rest {
			folded.Add(w.Collection, shard.Data())
		}
		var updates []firestore.Update
		for field, n := range sums.Pending(p.Doc.Rolled) {
			updates = append(updates,
				firestore.Update{Path: field, Value: firestore.Increment(n)},
				firestore.Update{FieldPath: rolled(field), Value: firestore.Increment(n - folded[field])})
			delete(folded, field)
		}
		if w.Collection == model.Tweets && len(p.Doc.Rolled) == 0 && len(updates) == 0 {
			// A like and its end cancel each other. A deletion of the tweet must still see that it has shards, see CleanUp.
			for field := range sums {
				updates = append(updates, firestore.Update{FieldPath: rolled(field), Value: -folded[field]})
				delete(folded, field)
			}
		}
		if len(updates) == 0 {
			return true, false, nil
		}
		if !mine {
			return true, false, s.askRollUps(ctx, []rollUp{{w.Collection, w.ID}})
		}
		for field, n := range folded { // moved before, by all shards together
			updates = append(updates, firestore.Update{FieldPath: rolled(field), Value: firestore.Increment(-n)})
		}
		if !w.WrittenAt.IsZero() {
			updates = append(updates, firestore.Update{Path: fields.RolledAt, Value: w.WrittenAt})
		}
		b := s.db.Batch()
		for _, shard := range rest {
			b.Delete(shard.Ref, firestore.LastUpdateTime(shard.UpdateTime))
		}
		// The deletes follow the update, see db.Batch: a reader that finds the document then finds none of the shards.
		b.Update(parent, s.digests.Stamped(parent, updates), firestore.LastUpdateTime(p.Snap.UpdateTime))
		_, err = b.Commit(ctx)
		if err == nil {
			telemetry.RolledUp(ctx, w.WrittenAt)
		}
		if !db.Outdated(err) && !db.NotFound(err) {
			return true, err == nil, err
		}
		if err := db.Pause(ctx, rand.N(100*time.Millisecond)); err != nil {
			return true, false, err
		}
	}
}

// askEvery is the shortest time between two tries to create a work document.
const askEvery = 100 * time.Millisecond

// askRollUps leaves a work document for each roll-up, or finds one there.
//
// Cost: at most 1 write for each roll-up.
func (s *Store) askRollUps(ctx context.Context, wanted []rollUp) error {
	var g safely.Group
	for _, w := range wanted {
		g.Go(func() error {
			_, err := s.rollUps.Do(ctx, w, struct{}{})
			return err
		})
	}
	return g.Wait()
}

// askRollUp tries to create a work document. One try serves all callers whose increments were committed before the try
// began. If the work document exists, no process has claimed it. So the roll-up will see these increments too.
func (s *Store) askRollUp(ctx context.Context, w rollUp, all []struct{}) (_ []struct{}, err error) {
	work := model.RollUpWork{Collection: w.Collection, ID: w.ID, ExpireAt: s.db.WorkExpiry()}
	work.WrittenAt, err = s.db.Ask(ctx, s.db.Doc(model.RollUps, model.RollUpKey(w.Collection, w.ID)), work)
	if !work.WrittenAt.IsZero() {
		safely.Go(func() error { return s.soon(gate.Outside(ctx), work) }, func(err error) {
			s.log.WarnContext(ctx, "roll-up is left to its event", "error", err)
		})
	}
	return all, err
}

// soon does work that this process has just enqueued. It does not wait for the event of the work document, because the
// event may be late. If the work fails or the process ends, the event is still to come.
func (s *Store) soon(ctx context.Context, w model.RollUpWork) error {
	wait := s.every
	ctx, cancel := context.WithTimeout(ctx, wait+groupcommit.RunTimeout)
	defer cancel()
	if db.Pause(ctx, wait) != nil {
		return nil
	}
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-time.After(s.every / 4): // the event comes soon
		return nil
	}
	// A process that closes its connection meanwhile expects the call to fail.
	if err := s.RollUpSoon(ctx, w); status.Code(err) != codes.Canceled {
		return err
	}
	return nil
}

// RollUpSoon is [Store.RollUpNow] without an event. If the process ends after it claimed the work, no event comes
// again, and the event of the work document may have been lost. So the commit that claims the work leaves a record.
// RollUpSoon deletes it at its end, when a digest lists the tweet. The daily sweep finds a record that stayed, see
// [Store.RollUpAgain].
//
// If another process already claimed the work, RollUpSoon does nothing.
//
// Cost: 1 write and 2 deletes, 1 read, 1 read for each shard, and 1 write. For a tweet that of [digests.Writer.List].
func (s *Store) RollUpSoon(ctx context.Context, w model.RollUpWork) (err error) {
	defer errs.Wrap(&err, "counters.RollUpSoon(%q, %q)", w.Collection, w.ID)
	record := s.claimedRollUp(w)
	b := s.db.Batch()
	b.Delete(s.rollUpWork(w), firestore.LastUpdateTime(w.WrittenAt))
	b.Create(record, w)
	if _, err := b.Commit(ctx); db.NotFound(err) || db.Outdated(err) || db.AlreadyExists(err) {
		return nil
	} else if err != nil {
		return err
	}
	there, err := s.delta(ctx, w, true)
	if err != nil {
		return err
	}
	if !there && (w.Collection == model.Tweets || w.Collection == model.Polls) { // a poll has the id of its tweet
		if err := s.CleanUp(ctx, model.TweetID(w.ID), nil); err != nil {
			return err
		}
	}
	_, err = record.Delete(ctx)
	return err
}

// RollUpAgain enqueues anew a roll-up that a process claimed and did not finish.
//
// Cost: 1 write and 1 delete.
func (s *Store) RollUpAgain(ctx context.Context, w model.ClaimedRollUp) (err error) {
	defer errs.Wrap(&err, "counters.RollUpAgain(%q)", w.Record)
	if err := s.askRollUps(ctx, []rollUp{{w.Collection, w.ID}}); err != nil {
		return err
	}
	_, err = s.db.Doc(model.ClaimedRollUps, w.Record).Delete(ctx)
	return err
}

// rollUpWork names the work document of a roll-up.
func (s *Store) rollUpWork(w model.RollUpWork) *firestore.DocumentRef {
	return s.db.Doc(model.RollUps, model.RollUpKey(w.Collection, w.ID))
}

// claimedRollUp names the record of a roll-up that a process claimed.
func (s *Store) claimedRollUp(w model.RollUpWork) *firestore.DocumentRef {
	return s.db.Doc(model.ClaimedRollUps, model.ClaimedRollUpKey(w.Collection, w.ID, w.WrittenAt))
}
