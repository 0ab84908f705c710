package ops

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
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
	// at most a second late. atOnce is how many documents are changed concurrently.
	pageSize, atOnce = 200, 16

	// tries is how often one pass tries to write a document that other processes write.
	tries = 10

	// failures is how often a document may fail in a pass, as the first of a step. Then the pass passes over it.
	failures = 4

	// passes is how many passes a migration makes at most. If the last one found something, a version of the code that
	// does not write the field still runs.
	passes = 5
)

// Migrator does migrations. Its methods may be called concurrently. Their errors are those of
// package errs.
type Migrator struct {
	db  *db.DB
	log *slog.Logger
	all []Migration
}

// NewMigrator returns a writer of a database, which also knows the migrations of other packages. Only packages below
// store have a [db.DB]. The log receives the documents that a migration passes over.
func NewMigrator(d *db.DB, log *slog.Logger, more ...Migration) *Migrator {
	return &Migrator{d, log, append(fieldMigrations(d), more...)}
}

// All lists the migrations that this version of the code can do.
func (w *Migrator) All() []Migration { return w.all }

// named finds a migration by its name. An unknown one is errs.NotFound.
func (w *Migrator) named(name string) (Migration, error) {
	i := slices.IndexFunc(w.all, func(m Migration) bool { return m.Name == name })
	if i < 0 {
		return Migration{}, errs.New(errs.NotFound, "migration_not_found", "no migration is named %q", name)
	}
	return w.all[i], nil
}

// Start begins a migration, or restarts one that is over. A migration that is under way goes on; if its event counts as
// lost, Start enqueues it again. began is false then. next are the migrations that follow when it is over;
// without any, those of a migration that is under way stay.
//
// Cost: 1 write. If the document is there 1 read, 1 delete if it is restarted, and 1 write if other migrations follow.
func (w *Migrator) Start(ctx context.Context, name string, perSecond int, next ...string) (began bool, err error) {
	defer errs.Wrap(&err, "ops.Start(%q, %d)", name, perSecond)
	if _, err := w.named(name); err != nil {
		return false, err
	}
	if perSecond < 1 || perSecond > MaxRate {
		return false, errs.New(errs.Invalid, "invalid_rate", "the rate is %d; a migration writes 1 to %d documents a second",
			perSecond, MaxRate)
	}
	ref, work := w.ref(name), model.MigrationWork{Rate: perSecond, Next: next, ExpireAt: w.expiry()}
	written, err := w.db.Ask(ctx, ref, work)
	if err != nil || !written.IsZero() {
		return err == nil, err
	}
	for range 2 { // a step may save its progress meanwhile
		was, err := db.As[model.MigrationWork](ref.Get(ctx))
		if err != nil || !was.Found || !was.Doc.Done && (len(next) == 0 || slices.Equal(was.Doc.Next, next)) {
			return false, err
		}
		b, unchanged := w.db.Batch(), firestore.LastUpdateTime(was.Snap.UpdateTime)
		if was.Doc.Done {
			b.Delete(ref, unchanged)
			b.Create(ref, work)
		} else {
			b.Update(ref, []firestore.Update{{Path: fields.Next, Value: next}}, unchanged)
		}
		if _, err = b.Commit(ctx); !db.Outdated(err) && !db.NotFound(err) {
			return err == nil && was.Doc.Done, err
		}
	}
	return false, nil // other processes were first
}

// Status returns the progress of a migration. found is false if it was never started, or long ago.
//
// Cost: 1 read.
func (w *Migrator) Status(ctx context.Context, name string) (work model.MigrationWork, found bool, err error) {
	defer errs.Wrap(&err, "ops.Status(%q)", name)
	if _, err := w.named(name); err != nil {
		return work, false, err
	}
	is, err := db.As[model.MigrationWork](w.ref(name).Get(ctx))
	if is.Found {
		is.Doc.Name, is.Doc.WrittenAt = name, is.Snap.UpdateTime
	}
	return is.Doc, is.Found, err
}

// Left counts the documents that need the change, and all documents. Of a migration of one pass, all documents are left
// until it is over, and then those that failed.
//
// Cost: 1 read a document, and what a migration reads besides to know.
func (w *Migrator) Left(ctx context.Context, name string) (left, all int64, err error) {
	defer errs.Wrap(&err, "ops.Left(%q)", name)
	m, err := w.named(name)
	if err != nil {
		return 0, 0, err
	}
	if m.Once {
		work, found, err := w.Status(ctx, name)
		if left = work.Failed; err == nil && (!found || !work.Done) {
			left, err = db.Count(ctx, w.db.Client.Collection(m.Collection).Query)
		}
		return left, left, err
	}
	limit := cmp.Or(m.Page, pageSize)
	for after := ""; ; {
		snaps, err := w.page(ctx, m, after, limit)
		if err != nil {
			return left, all, err
		}
		lacking, err := m.lacking(ctx, snaps)
		if err != nil {
			return left, all, err
		}
		all, left = all+int64(len(snaps)), left+int64(len(lacking))
		if len(snaps) < limit {
			return left, all, nil
		}
		after = snaps[len(snaps)-1].Ref.ID
	}
}

// Migrate does the next step of a migration. It passes over the collection by the ids of the documents, and changes
// those that need it. A pass that found something is followed by another. When a pass finds nothing, the migration is
// over, and its last event starts the migration that follows.
//
// An update requires that the document is unchanged since it was read. So an edit is never overwritten, and a deleted
// document does not come back. A step that is repeated, or that runs twice at once, finds what is changed already.
//
// A step saves its position when its time is over, also within a page. A document that fails is tried again in steps of
// its own. After 4 failures the pass logs it, counts it and passes over it, and the next pass tries it again. A
// migration is also over when all that is left fails. But a step back fails with its document: its operator waits.
//
// A migration that only another version of the code knows waits: the daily sweep enqueues it again. Migrate leaves the
// steps of the group Back to RunGroup: the functions of this version write what these steps remove.
//
// Cost: 1 read a document and pass, and what the change of each document costs that needs it. 2 reads and 1 write for
// each failure of a document, and what it reads and writes.
func (w *Migrator) Migrate(ctx context.Context, work model.MigrationWork) (err error) {
	defer errs.Wrap(&err, "ops.Migrate(%q, %q)", work.Name, work.After)
	m, err := w.named(work.Name)
	if err != nil || m.Group == Back {
		return nil
	}
	return w.migrate(ctx, m, work)
}

// migrate is Migrate for migrations of all groups.
func (w *Migrator) migrate(ctx context.Context, m Migration, work model.MigrationWork) error {
	if work.Done {
		return w.follow(ctx, work)
	}
	step, current, err := w.db.Begin(ctx, w.ref(work.Name), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	perSecond := min(max(work.Rate, 1), MaxRate)
	pace, limit := rate.NewLimiter(rate.Limit(perSecond), 1), min(perSecond, cmp.Or(m.Page, pageSize))
	alone, moved := work.Tries > 0, false
	if alone {
		limit = 1
	}
	changing, cancel := spare(ctx)
	defer cancel()
	for {
		snaps, err := w.page(ctx, m, work.After, limit)
		if err != nil {
			return err
		}
		some := snaps
		if m.Older {
			some = slices.DeleteFunc(slices.Clone(snaps), func(snap *firestore.DocumentSnapshot) bool {
				return snap.CreateTime.After(work.StartedAt)
			})
		}
		is, err := w.fill(changing, m, some, pace, step.Over)
		if err = cmp.Or(err, ctx.Err()); err == nil && m.Group == Back {
			err = is.failure
		}
		if err != nil {
			return err
		}
		done := len(snaps)
		if is.left != nil {
			done = slices.Index(snaps, is.left)
		}
		if done > 0 {
			work.After, work.Tries, moved = snaps[done-1].Ref.ID, 0, true
		}
		if is.failure != nil && !moved { // it had the whole step
			if work.Tries++; work.Tries == failures {
				w.log.ErrorContext(ctx, "a migration passes over a document that fails", "migration", m.Name,
					"document", db.Path(is.left.Ref), "error", is.failure)
				work.After, work.Tries, work.Failed, done = is.left.Ref.ID, 0, work.Failed+1, done+1
			}
		}
		work.Read, work.Found, work.Written = work.Read+int64(done), work.Found+is.found, work.Written+is.written
		last := is.left == nil && len(snaps) < limit
		if is.left == nil && !last && !alone && !step.Over() {
			continue
		}
		progress := map[string]any{fields.After: work.After, fields.Read: work.Read, fields.Found: work.Found,
			fields.Written: work.Written, fields.Failed: work.Failed, fields.Tries: work.Tries, fields.ExpireAt: w.expiry()}
		if last {
			progress[fields.After], progress[fields.Pass] = "", work.Pass+1
			if m.Once {
				work.Found, progress[fields.Found] = 0, 0
			}
			if work.Found == 0 || work.Pass+1 == passes {
				progress[fields.EndedAt], progress[fields.Done] = firestore.ServerTimestamp, true
			} else {
				progress[fields.Found], progress[fields.Failed] = 0, 0
			}
		}
		return step.Save(ctx, progress, nil)
	}
}

// spare returns a context that ends while there is time to save what is done: an eighth of the time that is left.
func spare(ctx context.Context) (context.Context, context.CancelFunc) {
	if until, ok := ctx.Deadline(); ok {
		return context.WithDeadline(ctx, until.Add(-time.Until(until)/8))
	}
	return context.WithCancel(ctx)
}

// follow starts the migration that follows one that is over, and passes over those that are over, too. A migration that
// stopped early is followed by none, and neither is one whose document is gone: an operator went back.
//
// Cost: 1 read, 1 read for each migration that is over, and 1 read and 1 write for the one that starts.
func (w *Migrator) follow(ctx context.Context, work model.MigrationWork) error {
	if len(work.Next) == 0 || work.Found > 0 {
		return nil
	}
	if found, err := w.db.Get(ctx, w.ref(work.Name), nil); err != nil || !found {
		return err
	}
	for i, name := range work.Next {
		next, found, err := w.Status(ctx, name)
		if err != nil || next.Done && next.Found > 0 {
			return err
		}
		if found && next.Done {
			continue
		}
		_, err = w.Start(ctx, name, work.Rate, work.Next[i+1:]...)
		return err
	}
	return nil
}

// filled is what fill did with some documents.
type filled struct {
	found, written int64                       // how many needed the change, and how many changed, of those that are done
	left           *firestore.DocumentSnapshot // the first that is not done; nil if all are
	failure        error                       // of left; nil if its turn did not come
}

// fill changes the documents that need it, until over returns true or one fails. It begins with the first in any case.
func (w *Migrator) fill(ctx context.Context, m Migration, snaps []*firestore.DocumentSnapshot, pace *rate.Limiter,
	over func() bool) (is filled, err error) {
	lacking, err := m.lacking(ctx, snaps)
	if err != nil {
		return is, err
	}
	var g safely.Group
	g.SetLimit(atOnce)
	begun, wrote, results := 0, make([]bool, len(lacking)), make([]error, len(lacking))
	var failed atomic.Bool
	for i, snap := range lacking {
		if i > 0 && (failed.Load() || over()) || pace.Wait(ctx) != nil { // time is up
			break
		}
		begun++
		g.Go(func() error {
			results[i] = safely.Do(func() (err error) {
				wrote[i], err = w.change(ctx, m, snap)
				return err
			})
			if results[i] != nil {
				failed.Store(true)
			}
			return nil
		})
	}
	err = g.Wait()
	for i, snap := range lacking {
		switch {
		case i < begun && results[i] == nil:
			is.found++
			if wrote[i] {
				is.written++
			}
		case is.left == nil:
			is.left, is.failure = snap, results[i]
		}
	}
	return is, err
}

// lacking returns the documents of a page that need the change.
func (m Migration) lacking(ctx context.Context,
	snaps []*firestore.DocumentSnapshot) ([]*firestore.DocumentSnapshot, error) {
	switch {
	case m.Lacking != nil && len(snaps) > 0:
		return m.Lacking(ctx, snaps)
	case m.Lacks != nil:
		return slices.DeleteFunc(slices.Clone(snaps), func(snap *firestore.DocumentSnapshot) bool {
			return !m.Lacks(snap)
		}), nil
	}
	return snaps, nil
}

// change changes one document, and returns whether it did. If other processes write the document meanwhile, change
// reads it again. The next pass does what it does not manage.
func (w *Migrator) change(ctx context.Context, m Migration, snap *firestore.DocumentSnapshot) (bool, error) {
	if m.Do != nil {
		err := m.Do(ctx, snap.Ref)
		return err == nil, err
	}
	for range tries {
		updates, err := m.Update(ctx, snap)
		if err != nil {
			return false, err
		}
		// changedAt stays: readers have a fallback, and no cache needs to read the document anew.
		_, err = snap.Ref.Update(ctx, updates,
			firestore.LastUpdateTime(snap.UpdateTime))
		if err == nil || !db.Outdated(err) && !db.NotFound(err) {
			return err == nil, err
		}
		snap, err = snap.Ref.Get(ctx)
		if db.NotFound(err) {
			return false, nil
		}
		if err != nil || !m.Lacks(snap) {
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
	q := w.db.Client.Collection(m.Collection).Select(m.Fields...).
		OrderBy(firestore.DocumentID, firestore.Asc).Limit(limit)
	if after != "" {
		q = q.StartAfter(after)
	}
	return q.Documents(ctx).GetAll()
}

func (w *Migrator) ref(name string) *firestore.DocumentRef { return w.db.Doc(model.Migrations, name) }

func (w *Migrator) expiry() time.Time { return w.db.Time().Add(model.MigrationWindow) }
