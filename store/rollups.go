package store

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// RollUpWork asks for the shards of one document to be added up, in the document
// whose creation starts it: rollups/{collection}_{id}.
type RollUpWork struct {
	Collection string    `firestore:"collection"`
	ID         string    `firestore:"id"`
	ExpireAt   time.Time `firestore:"expireAt"`

	// WrittenAt is when the work document was written, as its event tells; zero is
	// unknown.
	WrittenAt time.Time `firestore:"-"`
}

// rollUp names a document that has shards.
type rollUp struct {
	Collection string `firestore:"collection"`
	ID         string `firestore:"id"`
}

// RollUpAfter is how long a function waits before it does a roll-up: a little longer than
// the process that asked for it, which does it as soon as enough increments were waited for.
func (s *Store) RollUpAfter() time.Duration { return s.rollUpEvery * 3 / 2 }

// RollUp moves what stands in the shards of a document, and was not moved before, into
// its counts. It removes the work document first: an increment that it misses then
// leaves another. 1 delete, a read for the document and each shard, and 1 write. It
// tells whether the document is there; if not, its shards are deleted.
//
// Work that somebody has begun already, the process that asked for it or an earlier delivery
// of its event, is done if the document says so: 1 read. Otherwise another work document is
// left if something was not moved yet. If it took the next one instead, roll-ups would make
// more and more of each other while the counter is hot.
func (s *Store) RollUp(ctx context.Context, w RollUpWork) (held bool, err error) {
	defer errs.Wrap(&err, "store.RollUp(%q, %q)", w.Collection, w.ID)
	mine, err := s.take(ctx, s.doc(model.RollUps, model.RollUpKey(w.Collection, w.ID)), w.WrittenAt)
	if err != nil {
		return false, err
	}
	parent := s.doc(w.Collection, w.ID)
	for {
		// The document is read before the shards, so that they are no older than what
		// it says was rolled up.
		snap, err := parent.Get(ctx)
		var p struct {
			Rolled   map[string]any `firestore:"rolled"`
			RolledAt time.Time      `firestore:"rolledAt"` // WrittenAt of the newest work that was done
		}
		if held, err = decode(snap, err)(&p); err != nil {
			return false, err
		}
		if !held {
			return false, s.RemoveShards(ctx, w.Collection, w.ID)
		}
		if !mine && !w.WrittenAt.IsZero() && !p.RolledAt.Before(w.WrittenAt.Truncate(time.Microsecond)) {
			return true, nil
		}
		sums, err := sumShards(ctx, parent)
		if err != nil {
			return true, err
		}
		var updates []firestore.Update
		for _, c := range moved(nil, sums, p.Rolled) {
			updates = append(updates,
				firestore.Update{FieldPath: c.field, Value: firestore.Increment(c.by)},
				firestore.Update{FieldPath: append(firestore.FieldPath{"rolled"}, c.field...), Value: firestore.Increment(c.by)})
		}
		if len(updates) == 0 {
			return true, nil
		}
		if !mine {
			return true, s.askRollUps(ctx, []rollUp{{w.Collection, w.ID}})
		}
		if !w.WrittenAt.IsZero() {
			updates = append(updates, firestore.Update{Path: "rolledAt", Value: w.WrittenAt})
		}
		_, err = parent.Update(ctx, s.stamped(parent, updates), firestore.LastUpdateTime(snap.UpdateTime))
		if status.Code(err) != codes.FailedPrecondition && !missing(err) {
			return true, err
		}
		if err := pause(ctx, rand.N(100*time.Millisecond)); err != nil {
			return true, err
		}
	}
}

// take removes a work document, if it is still the one that was written at some time; the
// zero time is any. It tells whether it was.
func (s *Store) take(ctx context.Context, work *firestore.DocumentRef, written time.Time) (bool, error) {
	var same []firestore.Precondition
	if !written.IsZero() {
		same = append(same, firestore.LastUpdateTime(written))
	}
	_, err := work.Delete(ctx, same...)
	if missing(err) || outdated(err) {
		return false, nil
	}
	return err == nil, err
}

// RemoveShards deletes the shards of a document that is gone: a read and a delete each.
func (s *Store) RemoveShards(ctx context.Context, collection, id string) (err error) {
	defer errs.Wrap(&err, "store.RemoveShards(%q, %q)", collection, id)
	snaps, err := s.doc(collection, id).Collection(model.Shards).Documents(ctx).GetAll()
	if err != nil || len(snaps) == 0 {
		return err
	}
	b := s.batch()
	for _, snap := range snaps {
		b.Delete(snap.Ref)
	}
	_, err = b.Commit(ctx)
	return err
}

// sumShards adds up the shards of a document. Counters may be nested in maps.
func sumShards(ctx context.Context, parent *firestore.DocumentRef) (map[string]any, error) {
	snaps, err := parent.Collection(model.Shards).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	sums := map[string]any{}
	for _, snap := range snaps {
		add(sums, snap.Data())
	}
	return sums, nil
}

func add(sums, shard map[string]any) {
	for name, v := range shard {
		switch v := v.(type) {
		case int64:
			n, _ := sums[name].(int64)
			sums[name] = n + v
		case map[string]any:
			nested, ok := sums[name].(map[string]any)
			if !ok {
				nested = map[string]any{}
				sums[name] = nested
			}
			add(nested, v)
		}
	}
}

// moved lists by how much sums are ahead of what was rolled up.
func moved(prefix firestore.FieldPath, sums, rolled map[string]any) (list []change) {
	for name, v := range sums {
		field := append(prefix[:len(prefix):len(prefix)], name)
		switch v := v.(type) {
		case int64:
			was, _ := rolled[name].(int64)
			if v != was {
				list = append(list, change{field, v - was})
			}
		case map[string]any:
			was, _ := rolled[name].(map[string]any)
			list = append(list, moved(field, v, was)...)
		}
	}
	return list
}

func shard(parent *firestore.DocumentRef, n int) *firestore.DocumentRef {
	return parent.Collection(model.Shards).Doc(strconv.Itoa(n))
}

// shardMerge is the increments as a merge, which creates a shard that is not there.
func shardMerge(list []change) map[string]any {
	merge := map[string]any{}
	for _, c := range list {
		m := merge
		for _, name := range c.field[:len(c.field)-1] {
			if m[name] == nil {
				m[name] = map[string]any{}
			}
			m = m[name].(map[string]any)
		}
		m[c.field[len(c.field)-1]] = firestore.Increment(c.by)
	}
	return merge
}

// askEvery is how often work documents of one document are asked for.
const askEvery = 100 * time.Millisecond

// askRollUps leaves work documents for the roll-ups, or sees that they are there: at
// most a write each.
func (s *Store) askRollUps(ctx context.Context, wanted []rollUp) error {
	var g errgroup.Group
	for _, w := range wanted {
		g.Go(func() error {
			_, err := s.rollUps.do(ctx, w, struct{}{})
			return err
		})
	}
	return g.Wait()
}

// askRollUp tries to create a work document: one try serves everybody whose increments
// were committed before it began. If it is there already, it has not been taken, and so
// will count them too.
func (s *Store) askRollUp(ctx context.Context, w rollUp, all []struct{}) ([]struct{}, error) {
	work := RollUpWork{Collection: w.Collection, ID: w.ID, ExpireAt: s.time().Add(24 * time.Hour)}
	written, err := s.doc(model.RollUps, model.RollUpKey(w.Collection, w.ID)).Create(ctx, work)
	if exists(err) {
		return all, nil
	}
	if err == nil {
		work.WrittenAt = written.UpdateTime
		go s.rollUpSoon(context.WithoutCancel(ctx), work)
	}
	return all, err
}

// rollUpSoon does work that this process has just left, without waiting for its event, which
// may be late. If it fails or the process ends, there still is the event.
func (s *Store) rollUpSoon(ctx context.Context, w RollUpWork) {
	ctx, cancel := context.WithTimeout(ctx, s.rollUpEvery+runTimeout)
	defer cancel()
	if pause(ctx, s.rollUpEvery) == nil {
		s.RollUp(ctx, w)
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
