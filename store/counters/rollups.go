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
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// rollUp names a document that has shards.
type rollUp struct {
	Collection string `firestore:"collection"`
	ID         string `firestore:"id"`
}

// soonAtOnce is how many roll-ups a process does by itself at once. If the database is slow, more of
// them would keep each other from ending in time.
const soonAtOnce = 16

// longestWait is how long an event of a roll-up waits at most: a function answers within 8 s.
const longestWait = 6 * time.Second

// resting is how long nobody has incremented a shard that a roll-up deletes. A process that
// increments a counter comes to each of its shards more often while the counter is hot.
const resting = 10 * time.Second

// wait is how long increments of a hot counter gather before they are rolled up. Totals are hot
// all day, and whoever reads them may be late: they are rolled up five times less often.
func (s *Store) wait(collection string) time.Duration {
	if collection == model.Totals {
		return 5 * s.every
	}
	return s.every
}

// RollUp does what a work document asks for, a little later than the process that left
// the document. That process rolls up by itself as soon as increments had time to come. If
// the process did so, RollUp finds the work done.
//
// No increment of a hot counter checks whether its tweet is still there. If the tweet is
// gone, RollUp removes the tweet's likes and shares.
//
// Cost: what [Store.RollUpNow] costs. If the tweet is gone, what [Store.CleanUp] costs.
func (s *Store) RollUp(ctx context.Context, w model.RollUpWork) (err error) {
	defer errs.Wrap(&err, "counters.RollUp(%q, %q)", w.Collection, w.ID)
	if err := db.Pause(ctx, min(s.wait(w.Collection)+s.every/2, longestWait)); err != nil {
		return err
	}
	there, err := s.RollUpNow(ctx, w)
	if err != nil || there || w.Collection != model.Tweets && w.Collection != model.Polls {
		return err
	}
	return s.CleanUp(ctx, model.TweetID(w.ID), nil)
}

// RollUpNow moves what stands in the shards of a document, and was not moved before, into
// the document's counts. RollUpNow takes the work document first. So an increment that
// RollUpNow misses leaves another work document. The result tells whether the document is
// there; if not, RollUpNow deletes the shards.
//
// RollUpNow deletes shards that rest, too, and takes what stood in them out of "rolled". A
// counter that is hot all day would otherwise collect the shards of all processes there ever
// were, and each roll-up would read them.
//
// For a tag, tag usage or total that has shards but no document, RollUpNow makes the document: a
// tag is hot before it has one if its first tweets come at once.
//
// RollUpNow moves the counters of [model.Counters] alone. So one write changes at most six
// fields, counters and what "rolled" says of them, whatever the shards hold.
//
// If another process already took the work, RollUpNow returns at once when the document
// says that the work is done. Otherwise it leaves another work document for what was not
// moved yet. If RollUpNow took the next work document instead, roll-ups would make more and
// more of each other while the counter is hot.
//
// Cost: 1 delete, 1 read, 1 read for each shard, and 1 write. 1 delete for each shard that rests.
func (s *Store) RollUpNow(ctx context.Context, w model.RollUpWork) (found bool, err error) {
	defer errs.Wrap(&err, "counters.RollUpNow(%q, %q)", w.Collection, w.ID)
	mine, err := s.db.Take(ctx, s.rollUpWork(w), w.WrittenAt)
	if err != nil {
		return false, err
	}
	return s.delta(ctx, w, mine, nil)
}

// move moves what is pending in the shards of a document into its counts, if the caller took
// the work. Otherwise it sees to it that the work is done. The commit that moves the counts
// also deletes the record that rollUpSoon left, unless record is nil. The record of a
// document that is gone stays.
func (s *Store) delta(ctx context.Context, w model.RollUpWork, mine bool, record *firestore.DocumentRef) (found bool,
	err error) {
	parent := s.db.Doc(w.Collection, w.ID)
	for fold := true; ; fold = false {
		// The document is read before the shards, so that the shards are no older than what
		// the document says was moved.
		snap, err := parent.Get(ctx)
		var p struct {
			Rolled   map[string]any `firestore:"rolled"`
			RolledAt time.Time      `firestore:"rolledAt"` // WrittenAt of the newest work that was done
		}
		if found, err = db.Decode(snap, err)(&p); err != nil {
			return false, err
		}
		if !found && MadeOfShards(w.Collection) {
			if made, err := s.makeOfShards(ctx, parent); err != nil || !made {
				return false, err
			}
			continue
		}
		if !found {
			s.db.SawGone(parent)
			return false, s.removeShards(ctx, w.Collection, w.ID)
		}
		if !mine && !w.WrittenAt.IsZero() && !p.RolledAt.Before(w.WrittenAt.Truncate(time.Microsecond)) {
			return true, nil
		}
		sums, rest, err := sumShards(ctx, parent, s.resting)
		if err != nil {
			return true, err
		}
		if !fold {
			rest = nil // somebody incremented one after all, perhaps
		}
		folded := Sums{}
		for _, shard := range rest {
			folded.Add(w.Collection, shard.Data())
		}
		var updates []firestore.Update
		for field, n := range sums.Pending(p.Rolled) {
			updates = append(updates,
				firestore.Update{Path: field, Value: firestore.Increment(n)},
				firestore.Update{FieldPath: rolled(field), Value: firestore.Increment(n - folded[field])})
			delete(folded, field)
		}
		if w.Collection == model.Tweets && len(p.Rolled) == 0 && len(updates) == 0 {
			// A like and its end cancel each other. Whoever deletes the tweet must still see
			// that it has shards, see CleanUp.
			for field := range sums {
				updates = append(updates, firestore.Update{FieldPath: rolled(field), Value: -folded[field]})
				delete(folded, field)
			}
		}
		if len(updates) == 0 {
			if record != nil {
				_, err = record.Delete(ctx)
			}
			return true, err
		}
		if !mine {
			return true, s.askRollUps(ctx, []rollUp{{w.Collection, w.ID}})
		}
		for field, n := range folded { // moved before, by all shards together
			updates = append(updates, firestore.Update{FieldPath: rolled(field), Value: firestore.Increment(-n)})
		}
		if !w.WrittenAt.IsZero() {
			updates = append(updates, firestore.Update{Path: "rolledAt", Value: w.WrittenAt})
		}
		b := s.db.Batch()
		for _, shard := range rest {
			b.Delete(shard.Ref, firestore.LastUpdateTime(shard.UpdateTime))
		}
		// After the shards, see db.Batch: who finds the document so finds none of them.
		b.Update(parent, s.db.Stamped(parent, updates), firestore.LastUpdateTime(snap.UpdateTime))
		if record != nil {
			b.Delete(record)
		}
		_, err = b.Commit(ctx)
		if err == nil {
			telemetry.RolledUp(ctx, w.WrittenAt)
		}
		if !db.Outdated(err) && !db.NotFound(err) {
			return true, err
		}
		if err := db.Pause(ctx, rand.N(100*time.Millisecond)); err != nil {
			return true, err
		}
	}
}

// askEvery is the shortest time between two tries to create a work document.
const askEvery = 100 * time.Millisecond

// askRollUps leaves a work document for each roll-up, or sees that the work document is
// there.
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

// askRollUp tries to create a work document. One try serves all callers whose increments
// were committed before the try began. If the work document is there already, no process
// has taken it. So the roll-up will see these increments too.
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

// soon does work that this process has just asked for. It does not wait for the event of
// the work document, because the event may be late. If the work fails or the process ends,
// the event is still to come.
func (s *Store) soon(ctx context.Context, w model.RollUpWork) error {
	wait := s.wait(w.Collection)
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
	if err := s.rollUpSoon(ctx, w); status.Code(err) != codes.Canceled {
		return err
	}
	return nil
}

// rollUpSoon is [Store.RollUpNow] for a process that was not asked by an event. If that
// process ends after it took the work, no event comes again, and the event of the work
// document may have been lost. So the commit that takes the work leaves a record of it, and
// the commit that moves the counts deletes the record. The day's sweep finds a record that
// stayed, see [Store.RollUpAgain].
//
// If another process already took the work, rollUpSoon does nothing.
//
// Cost: 1 write and 2 deletes, 1 read, 1 read for each shard, and 1 write.
func (s *Store) rollUpSoon(ctx context.Context, w model.RollUpWork) (err error) {
	defer errs.Wrap(&err, "counters.rollUpSoon(%q, %q)", w.Collection, w.ID)
	record := s.claimedRollUp(w)
	b := s.db.Batch()
	b.Delete(s.rollUpWork(w), firestore.LastUpdateTime(w.WrittenAt))
	b.Create(record, w)
	if _, err := b.Commit(ctx); db.NotFound(err) || db.Outdated(err) || db.AlreadyExists(err) {
		return nil
	} else if err != nil {
		return err
	}
	there, err := s.delta(ctx, w, true, record)
	if err != nil || there {
		return err
	}
	if w.Collection == model.Tweets || w.Collection == model.Polls { // a poll has the id of its tweet
		if err := s.CleanUp(ctx, model.TweetID(w.ID), nil); err != nil {
			return err
		}
	}
	_, err = record.Delete(ctx)
	return err
}

// RollUpAgain asks anew for a roll-up that a process took and did not end.
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

// claimedRollUp names the record of a roll-up that a process took.
func (s *Store) claimedRollUp(w model.RollUpWork) *firestore.DocumentRef {
	return s.db.Doc(model.ClaimedRollUps, model.ClaimedRollUpKey(w.Collection, w.ID, w.WrittenAt))
}
