package ops

import (
	"cmp"
	"context"
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

	// passes is how many passes a migration makes at most. If the last one found something, a version of the code that
	// does not write the field still runs.
	passes = 5
)

// Migrator does migrations. Its methods may be called concurrently. Their errors are those of
// package errs.
type Migrator struct {
	db  *db.DB
	all []Migration
}

// NewMigrator returns a writer of a database, which also knows the migrations of other packages. Only packages below
// store have a [db.DB].
func NewMigrator(d *db.DB, more ...Migration) *Migrator {
	return &Migrator{d, append(fieldMigrations(d), more...)}
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
// lost, Start enqueues it again. began is false then. next are the migrations that follow when it is over.
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
	was, err := db.As[model.MigrationWork](ref.Get(ctx))
	if err != nil || !was.Doc.Done && slices.Equal(was.Doc.Next, next) {
		return false, err
	}
	b := w.db.Batch()
	if was.Doc.Done {
		b.Delete(ref, firestore.LastUpdateTime(was.Snap.UpdateTime))
		b.Create(ref, work)
	} else {
		b.Update(ref, []firestore.Update{{Path: fields.Next, Value: next}}, firestore.LastUpdateTime(was.Snap.UpdateTime))
	}
	if _, err = b.Commit(ctx); db.Outdated(err) || db.NotFound(err) {
		return false, nil // another process was first
	}
	return err == nil && was.Doc.Done, err
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
// until it is over.
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
		if err == nil && (!found || !work.Done) {
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
// A migration that only another version of the code knows waits: the daily sweep enqueues it again. Migrate leaves the
// steps of the group Back to RunGroup: the functions of this version write what these steps remove.
//
// Cost: 1 read a document and pass, and what the change of each document costs that needs it.
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
		found, written, err := w.fill(ctx, m, some, pace)
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
			if m.Once {
				work.Found, progress[fields.Found] = 0, 0
			}
			if work.Found == 0 || work.Pass+1 == passes {
				progress[fields.EndedAt], progress[fields.Done] = firestore.ServerTimestamp, true
			} else {
				progress[fields.Found] = 0
			}
		}
		return step.Save(ctx, progress, nil)
	}
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

// fill changes the documents that need it. It returns how many needed it, and how many it changed.
func (w *Migrator) fill(ctx context.Context, m Migration, snaps []*firestore.DocumentSnapshot,
	pace *rate.Limiter) (found, written int64, err error) {
	lacking, err := m.lacking(ctx, snaps)
	if err != nil {
		return 0, 0, err
	}
	var wrote atomic.Int64
	g, side := safely.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, snap := range lacking {
		if err = pace.Wait(side); err != nil { // time is up, or a write failed, and g has the error
			break
		}
		found++
		g.Go(func() error {
			ok, err := w.change(side, m, snap)
			if ok {
				wrote.Add(1)
			}
			return err
		})
	}
	err = cmp.Or(g.Wait(), err)
	return found, wrote.Load(), err
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
