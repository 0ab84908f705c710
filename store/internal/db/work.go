package db

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Times of work documents. Tests may set other times, see package store.
const (
	// StaleAfter is the age at which the event of a work document counts as lost.
	StaleAfter = time.Minute

	// StepTime is how long a step of long work lasts. A step ends well before an event is redelivered, which is after 10
	// seconds at the earliest.
	StepTime = 5 * time.Second

	// looksRemembered is for how many work documents a process caches the time of its last check.
	looksRemembered = 10_000
)

// work is the state of a DB for work documents.
type work struct {
	staleAfter time.Duration
	stepTime   time.Duration
	looks      lru.Cache[string, time.Time] // when the process last checked the age of a work document
}

func newWork(staleAfter, stepTime time.Duration) work {
	return work{staleAfter, stepTime, lru.New[string, time.Time](looksRemembered)}
}

// WorkExpiry returns the expiry of a work document that is written now.
func (d *DB) WorkExpiry() time.Time { return d.Time().Add(model.WorkWindow) }

// Ask leaves a work document, or finds it there. If the work deletes its document first, no process has claimed a
// document that is there. So the work will see all commits before Ask. The result is the time at which Ask wrote the
// document; it is zero if the document was there.
//
// The event of an existing document may be lost. So Ask rewrites a document that is older than StaleAfter, and the
// write is an event. Each time the age for the next rewrite doubles. Otherwise no event would ever be that of the last
// write while events take longer than StaleAfter.
//
// Cost: 1 write if the document is new. Otherwise at most 1 read in StaleAfter, and 1 write if the event was lost.
func (d *DB) Ask(ctx context.Context, ref *firestore.DocumentRef, doc any) (written time.Time, err error) {
	result, err := ref.Create(ctx, doc)
	if err == nil {
		return result.UpdateTime, nil
	}
	if !AlreadyExists(err) {
		return time.Time{}, err
	}
	now := time.Now()
	if last, ok := d.work.looks.Get(ref.Path); ok && now.Sub(last) < d.work.staleAfter {
		return time.Time{}, nil
	}
	d.work.looks.Add(ref.Path, now)
	snap, err := ref.Get(ctx)
	if NotFound(err) { // a process claimed the document after Ask found it
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return time.Time{}, d.enqueueAgain(ctx, snap)
}

// enqueueAgain writes a work document anew whose event counts as lost.
// A document that stays when its work is done says so in its field done.
// Both times are the server's, so no clock of a process matters.
//
// Cost: 1 write if the event counts as lost.
func (d *DB) enqueueAgain(ctx context.Context, snap *firestore.DocumentSnapshot) error {
	done, _ := snap.Data()[fields.Done].(bool)
	asks, _ := snap.Data()[fields.Asks].(int64)
	if done || snap.ReadTime.Sub(snap.UpdateTime) < d.work.staleAfter<<min(asks, maxAsks) {
		return nil
	}
	_, err := snap.Ref.Update(ctx, []firestore.Update{
		{Path: fields.AskedAt, Value: firestore.ServerTimestamp}, {Path: fields.Asks, Value: asks + 1},
		{Path: fields.ExpireAt, Value: d.WorkExpiry()},
	}, firestore.LastUpdateTime(snap.UpdateTime))
	if Outdated(err) || NotFound(err) {
		return nil // the work goes on, or is done
	}
	return err
}

// maxAsks bounds how often the age doubles: to about 17 hours.
const maxAsks = 10

// EnqueueSweep enqueues the dormancy sweep of the day. A sweep that is enqueued twice runs once.
//
// Cost: 1 write for the first call of a day, otherwise at most 1 read.
func (d *DB) EnqueueSweep(ctx context.Context) error {
	_, err := d.Ask(ctx, d.Doc(model.Sweeps, d.Time().Format(time.DateOnly)), model.SweepWork{ExpireAt: d.WorkExpiry()})
	return err
}

// workCollections are the collections of work documents that events start. A lost sweep is enqueued again by the
// readers of that day. A job has no event.
var workCollections = func() (names []string) {
	for _, c := range model.Registry {
		if c.Kind == model.KindWork && c.TTL.After > 0 && c.Name != model.Sweeps {
			names = append(names, c.Name)
		}
	}
	return names
}()

// EnqueueAgain repairs lost events, after a position, until over returns true. It rewrites every work document whose
// event counts as lost, enqueues runs of the products that orders wait for, and rewrites orders whose compensation of a
// cart is due. Last it ends what is due of the orders of guests. It returns the next position, and whether there is
// none.
//
// Cost: 1 read a work document, at least 1 a collection. 1 write a document whose event counts as lost. 1 read and 1
// write for each order of a guest that is due.
func (d *DB) EnqueueAgain(ctx context.Context, at model.WorkPosition, over func() bool) (next model.WorkPosition,
	done bool, err error) {
	const pageSize = 50
	for ; at.Collection < len(workCollections); at = (model.WorkPosition{Collection: at.Collection + 1}) {
		from := d.Client.Collection(workCollections[at.Collection]).OrderBy(firestore.DocumentID, firestore.Asc).
			Limit(pageSize)
		for {
			q := from
			if at.After != "" {
				q = from.StartAfter(at.After)
			}
			snaps, err := q.Documents(ctx).GetAll()
			if err != nil {
				return at, false, err
			}
			for _, snap := range snaps {
				if err := d.enqueueAgain(ctx, snap); err != nil {
					return at, false, err
				}
				at.After = snap.Ref.ID
			}
			if len(snaps) < pageSize {
				break
			}
			if over() {
				return at, false, nil
			}
		}
	}
	if at.Collection == len(workCollections) {
		if at.After, done, err = d.askStocks(ctx, at.After, over); err != nil || !done {
			return at, false, err
		}
		at = model.WorkPosition{Collection: at.Collection + 1}
	}
	if at.Collection == len(workCollections)+1 {
		if at.After, done, err = d.askCarts(ctx, at.After, over); err != nil || !done {
			return at, false, err
		}
		at = model.WorkPosition{Collection: at.Collection + 1}
	}
	done, err = d.endDue(ctx, over)
	return at, done, err
}

// Step is one step of work that is too long for one event. The work document keeps the progress of the work. Every
// write of the document is the event of the next step. So a step that fails or is killed begins again where the
// previous step ended.
type Step struct {
	db      *DB
	ref     *firestore.DocumentRef
	first   bool      // the work has no document yet
	written time.Time // of the work document; zero for a document of any time
	until   time.Time
}

// Begin begins a step of the work of a document that was written at a time. It returns false if the document was
// written since, or is gone: then another event goes on with the work.
//
// Cost: 1 read.
func (d *DB) Begin(ctx context.Context, ref *firestore.DocumentRef, written time.Time) (*Step, bool, error) {
	s := &Step{db: d, ref: ref, until: time.Now().Add(d.work.stepTime)}
	snap, err := ref.Get(ctx)
	if NotFound(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	s.written = snap.UpdateTime
	return s, written.IsZero() || written.Equal(snap.UpdateTime), nil
}

// FirstStep begins work that has no document yet. The work gets its document only if one
// step is not enough.
func (d *DB) FirstStep(ref *firestore.DocumentRef) *Step {
	return &Step{db: d, ref: ref, first: true, until: time.Now().Add(d.work.stepTime)}
}

// Over reports whether the step should end.
func (s *Step) Over() bool { return time.Until(s.until) <= 0 }

// Save ends a step and writes the progress of the work, in one commit with the writes that also adds. Save writes
// nothing if another process went on with the work meanwhile.
//
// Cost: 1 write.
func (s *Step) Save(ctx context.Context, progress map[string]any, also func(*Batch)) error {
	if progress[fields.ExpireAt] == nil {
		progress[fields.ExpireAt] = s.db.WorkExpiry()
	}
	b := s.db.Batch()
	if also != nil {
		also(b)
	}
	if s.first {
		progress[fields.AskedAt] = firestore.ServerTimestamp // a write that changes nothing is no event
		b.Set(s.ref, progress)
	} else {
		var updates []firestore.Update
		for field, value := range progress {
			updates = append(updates, firestore.Update{Path: field, Value: value})
		}
		// The time makes a step without progress an event, too.
		updates = append(updates, firestore.Update{Path: fields.AskedAt, Value: firestore.ServerTimestamp},
			firestore.Update{Path: fields.Asks, Value: 0})
		b.Update(s.ref, updates, s.same()...)
	}
	return s.commit(ctx, b)
}

// Restart makes the work begin anew, whatever progress another process wrote meanwhile.
//
// Cost: 1 write.
func (s *Step) Restart(ctx context.Context, work map[string]any) error {
	work[fields.AskedAt], work[fields.ExpireAt] = firestore.ServerTimestamp, s.db.WorkExpiry()
	_, err := s.ref.Set(ctx, work)
	return err
}

// End ends the work and deletes its document, in one commit with the writes that also adds.
// End writes nothing if another process went on with the work meanwhile.
//
// Cost: 1 delete if the work has a document.
func (s *Step) End(ctx context.Context, also func(*Batch)) error {
	if s.first && also == nil {
		return nil
	}
	b := s.db.Batch()
	if also != nil {
		also(b)
	}
	if !s.first { // after what the work did, see Batch
		b.Delete(s.ref, s.same()...)
	}
	return s.commit(ctx, b)
}

// EndWhile ends the work and deletes its document, if accept returns true for a source document that stays unchanged
// until the work has ended. A process that changes the source document, and then finds the work document, knows that
// the work will see the change. accept may be called several times. EndWhile changes nothing if another process went on
// with the work meanwhile.
//
// Cost: 2 reads, and 1 delete.
func (s *Step) EndWhile(ctx context.Context, fact *firestore.DocumentRef,
	accept func(*firestore.DocumentSnapshot) (bool, error)) error {
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var l Lookup
		source, work := Find[struct{}](&l, fact), Find[struct{}](&l, s.ref)
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		if ok, err := accept(source.Snap); !ok || err != nil {
			return err
		}
		if !work.Found || !s.written.IsZero() && !work.Snap.UpdateTime.Equal(s.written) {
			return nil
		}
		return tx.Delete(s.ref)
	})
}

// same is the condition that no process wrote the document since the step's event.
func (s *Step) same() []firestore.Precondition {
	if s.written.IsZero() {
		return nil
	}
	return []firestore.Precondition{firestore.LastUpdateTime(s.written)}
}

func (s *Step) commit(ctx context.Context, b *Batch) error {
	_, err := b.Commit(ctx)
	if Outdated(err) || NotFound(err) {
		return nil
	}
	return err
}
