package ops

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// MaxRate is how many documents a migration may write in a second. Firestore accepts 500 a second of new traffic, and
	// users write, too.
	MaxRate = 400

	// pageSize is how many documents one query reads, and never more than the rate: a page takes a second. So a step ends
	// at most a second late. atOnce is how many documents are written concurrently.
	pageSize, atOnce = 200, 16

	// tries is how often one pass tries to write a document that other processes write.
	tries = 10

	// passes is how many passes a migration makes at most. If the last one found something, a version of the code that
	// does not write the field still runs.
	passes = 5
)

// Migrator does migrations. Its methods may be called concurrently. Their errors are those of
// package errs.
type Migrator struct{ db *db.DB }

// NewMigrator returns a writer of a database. Only packages below store have a [db.DB].
func NewMigrator(d *db.DB) *Migrator { return &Migrator{d} }

// Start begins a migration, or restarts one that is over. A migration that is under way goes on; if its event counts as
// lost, Start enqueues it again. began is false then.
//
// Cost: 1 write. If the document is there 1 read, and 1 delete if it is restarted.
func (w *Migrator) Start(ctx context.Context, name string, perSecond int) (began bool, err error) {
	defer errs.Wrap(&err, "ops.Start(%q, %d)", name, perSecond)
	if _, err := named(name); err != nil {
		return false, err
	}
	if perSecond < 1 || perSecond > MaxRate {
		return false, errs.New(errs.Invalid, "invalid_rate", "the rate is %d; a migration writes 1 to %d documents a second",
			perSecond, MaxRate)
	}
	ref, work := w.ref(name), model.MigrationWork{Rate: perSecond, ExpireAt: w.expiry()}
	written, err := w.db.Ask(ctx, ref, work)
	if err != nil || !written.IsZero() {
		return err == nil, err
	}
	was, err := db.As[model.MigrationWork](ref.Get(ctx))
	if err != nil || !was.Doc.Done {
		return false, err
	}
	b := w.db.Batch()
	b.Delete(ref, firestore.LastUpdateTime(was.Snap.UpdateTime))
	b.Create(ref, work)
	if _, err = b.Commit(ctx); db.Outdated(err) || db.NotFound(err) {
		return false, nil // another process was first
	}
	return err == nil, err
}

// Status returns the progress of a migration. found is false if it was never started, or long ago.
//
// Cost: 1 read.
func (w *Migrator) Status(ctx context.Context, name string) (work model.MigrationWork, found bool, err error) {
	defer errs.Wrap(&err, "ops.Status(%q)", name)
	if _, err := named(name); err != nil {
		return work, false, err
	}
	is, err := db.As[model.MigrationWork](w.ref(name).Get(ctx))
	if is.Found {
		is.Doc.Name, is.Doc.WrittenAt = name, is.Snap.UpdateTime
	}
	return is.Doc, is.Found, err
}

// Left counts the documents that lack the field, and all documents.
//
// Cost: 1 read a document.
func (w *Migrator) Left(ctx context.Context, name string) (left, all int64, err error) {
	defer errs.Wrap(&err, "ops.Left(%q)", name)
	m, err := named(name)
	if err != nil {
		return 0, 0, err
	}
	for after := ""; ; {
		snaps, err := w.page(ctx, m, after, pageSize)
		if err != nil {
			return left, all, err
		}
		for _, snap := range snaps {
			if all++; m.lacks(snap) {
				left++
			}
		}
		if len(snaps) < pageSize {
			return left, all, nil
		}
		after = snaps[len(snaps)-1].Ref.ID
	}
}

// Migrate does the next step of a migration. It passes over the collection by the ids of the documents, and writes the
// field where it is missing. A pass that found something is followed by another. When a pass finds nothing, the
// migration is over.
//
// A write requires that the document is unchanged since it was read. So an edit is never overwritten, and a deleted
// document does not come back. A step that is repeated, or that runs twice at once, finds the field where it was
// written.
//
// A migration that only another version of the code knows waits: the daily sweep enqueues it again.
//
// Cost: 1 read a document and pass, and what the value costs and 1 write a document that lacks the field.
func (w *Migrator) Migrate(ctx context.Context, work model.MigrationWork) (err error) {
	defer errs.Wrap(&err, "ops.Migrate(%q, %q)", work.Name, work.After)
	m, err := named(work.Name)
	if err != nil || work.Done {
		return nil
	}
	step, current, err := w.db.Begin(ctx, w.ref(work.Name), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	perSecond := min(max(work.Rate, 1), MaxRate)
	pace, limit := rate.NewLimiter(rate.Limit(perSecond), 1), min(perSecond, pageSize)
	for {
		snaps, err := w.page(ctx, m, work.After, limit)
		if err != nil {
			return err
		}
		found, written, err := w.fill(ctx, m, snaps, pace)
		if err != nil {
			return err
		}
		work.Read, work.Found, work.Written = work.Read+int64(len(snaps)), work.Found+found, work.Written+written
		last := len(snaps) < limit
		if !last {
			work.After = snaps[limit-1].Ref.ID
		}
		if !last && !step.Over() {
			continue
		}
		progress := map[string]any{fields.After: work.After, fields.Read: work.Read, fields.Found: work.Found,
			fields.Written: work.Written, fields.ExpireAt: w.expiry()}
		if last {
			progress[fields.After], progress[fields.Pass] = "", work.Pass+1
			if work.Found == 0 || work.Pass+1 == passes {
				progress[fields.EndedAt], progress[fields.Done] = firestore.ServerTimestamp, true
			} else {
				progress[fields.Found] = 0
			}
		}
		return step.Save(ctx, progress, nil)
	}
}

// fill writes the field into the documents that lack it. It returns how many lacked the field, and how many it wrote.
func (w *Migrator) fill(ctx context.Context, m Migration, snaps []*firestore.DocumentSnapshot,
	pace *rate.Limiter) (found, written int64, err error) {
	var wrote atomic.Int64
	g, side := safely.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, snap := range snaps {
		if !m.lacks(snap) {
			continue
		}
		if err = pace.Wait(side); err != nil { // time is up, or a write failed, and g has the error
			break
		}
		found++
		g.Go(func() error {
			ok, err := w.write(side, m, snap)
			if ok {
				wrote.Add(1)
			}
			return err
		})
	}
	err = cmp.Or(g.Wait(), err)
	return found, wrote.Load(), err
}

// write writes the field into one document, and returns whether it did. If other processes write the document
// meanwhile, write reads it again. The next pass does what it does not manage.
func (w *Migrator) write(ctx context.Context, m Migration, snap *firestore.DocumentSnapshot) (bool, error) {
	for range tries {
		value, err := m.value(ctx, w.db, snap)
		if err != nil {
			return false, err
		}
		// changedAt stays: readers have a fallback, and no cache needs to read the document anew.
		_, err = snap.Ref.Update(ctx, []firestore.Update{{Path: m.Field, Value: value}},
			firestore.LastUpdateTime(snap.UpdateTime))
		if err == nil || !db.Outdated(err) && !db.NotFound(err) {
			return err == nil, err
		}
		snap, err = snap.Ref.Get(ctx)
		if db.NotFound(err) {
			return false, nil
		}
		if err != nil || !m.lacks(snap) {
			return false, err
		}
	}
	return false, nil
}

// page reads the documents after one, in the order of their ids.
//
// Cost: 1 read a document, at least 1.
func (w *Migrator) page(ctx context.Context, m Migration, after string, limit int) ([]*firestore.DocumentSnapshot,
	error) {
	q := w.db.Client.Collection(m.Collection).Select(append([]string{m.Field}, m.with...)...).
		OrderBy(firestore.DocumentID, firestore.Asc).Limit(limit)
	if after != "" {
		q = q.StartAfter(after)
	}
	return q.Documents(ctx).GetAll()
}

// lacks reports whether a document lacks the field.
func (m Migration) lacks(snap *firestore.DocumentSnapshot) bool {
	_, err := snap.DataAt(m.Field)
	return err != nil
}

func (w *Migrator) ref(name string) *firestore.DocumentRef { return w.db.Doc(model.Migrations, name) }

func (w *Migrator) expiry() time.Time { return w.db.Time().Add(model.MigrationWindow) }
