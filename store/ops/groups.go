package ops

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Of lists the migrations of a group, in their order.
func (w *Migrator) Of(g Group) []Migration {
	return slices.DeleteFunc(slices.Clone(w.all), func(m Migration) bool { return m.Group != g })
}

// StartGroup starts the first migration of a group that is not over; the others follow it. If one is under way, it goes
// on, and the others follow. The name is empty if all are over. The way forward ends a way back that is not over.
//
// Cost: 1 read a migration, and what Start costs. Forward costs 1 delete for each migration back.
func (w *Migrator) StartGroup(ctx context.Context, g Group, perSecond int) (name string, err error) {
	defer errs.Wrap(&err, "ops.StartGroup(%q)", g)
	if g == Forward {
		if err := w.Forget(ctx, Back); err != nil {
			return "", err
		}
	}
	var left []string
	for _, m := range w.Of(g) {
		work, found, err := w.Status(ctx, m.Name)
		if err != nil {
			return "", err
		}
		if !found || !work.Done || work.Found > 0 {
			left = append(left, m.Name)
		}
	}
	if len(left) == 0 {
		return "", nil
	}
	_, err = w.Start(ctx, left[0], perSecond, left[1:]...)
	return left[0], err
}

// Plan is what a migration will about cost, if every document that it counts needs the change.
type Plan struct{ Documents, Reads, Writes, Deletes int64 }

// Plan counts the documents of a migration.
//
// Cost: 1 read for each 1,000 documents, at least 1.
func (w *Migrator) Plan(ctx context.Context, name string) (p Plan, err error) {
	defer errs.Wrap(&err, "ops.Plan(%q)", name)
	m, err := w.named(name)
	if err != nil {
		return p, err
	}
	all, err := db.Count(ctx, w.db.Client.Collection(m.Collection).Query)
	if err != nil {
		return p, err
	}
	n, read := all, 2*all // the second pass finds nothing
	if m.Once || m.deletes() {
		read = all
	}
	if m.Lacking != nil {
		read *= 2
	}
	if m.Count != nil {
		n, err = m.Count(ctx)
	}
	return Plan{n, read + n*m.Reads, n * m.Writes, n * m.Deletes}, err
}

// Forget deletes the work documents of a group, so that StartGroup starts all of it anew.
//
// Cost: 1 delete a migration.
func (w *Migrator) Forget(ctx context.Context, g Group) (err error) {
	defer errs.Wrap(&err, "ops.Forget(%q)", g)
	for _, m := range w.Of(g) {
		if _, err := w.ref(m.Name).Delete(ctx); err != nil {
			return err
		}
	}
	return nil
}

// RunGroup does a group in this process, from the first migration that is not over, and calls report after each step.
// It does not need the functions, which may belong to another version; they may do steps at the same time. It ends with
// errs.NotFound if another command forgets the group.
//
// Cost: that of the migrations, and 1 read a step.
func (w *Migrator) RunGroup(ctx context.Context, g Group, perSecond int, report func(model.MigrationWork)) (err error) {
	defer errs.Wrap(&err, "ops.RunGroup(%q)", g)
	for {
		name, err := w.StartGroup(ctx, g, perSecond)
		if err != nil || name == "" {
			return err
		}
		m, err := w.named(name)
		if err != nil {
			return err
		}
		for last := (time.Time{}); ; {
			work, found, err := w.Status(ctx, name)
			if err != nil {
				return err
			}
			if !found {
				return errs.New(errs.NotFound, "migration_not_found", "another command ended %s", name)
			}
			report(work)
			if work.Done && work.Found > 0 {
				return errs.New(errs.Conflict, "old_writer", "%s found %d documents in its last pass: another version writes",
					name, work.Found)
			}
			if work.Done {
				break
			}
			if work.WrittenAt.Equal(last) { // another process does the step
				if err := db.Pause(ctx, time.Second); err != nil {
					return err
				}
			}
			last = work.WrittenAt
			if err := w.migrate(ctx, m, work); err != nil {
				return err
			}
		}
	}
}

// Unfinished counts the work documents of functions, by collection. With no writes and no events on their way there is
// none: another version would do the rest of the work with other names of counters.
//
// Cost: 1 read a collection.
func (w *Migrator) Unfinished(ctx context.Context) (by map[string]int64, err error) {
	defer errs.Wrap(&err, "ops.Unfinished")
	by = map[string]int64{}
	for _, name := range []string{model.RollUps, model.ClaimedRollUps, model.Flushes, model.Overflows, model.CleanUps,
		model.StockRuns, model.Propagations, model.PostRuns, model.LinkFetches} {
		if by[name], err = db.Count(ctx, w.db.Client.Collection(name).Query); err != nil {
			return nil, err
		}
	}
	return by, nil
}

// deletes reports whether the migration deletes the documents of its collection, so that a second pass reads none.
func (m Migration) deletes() bool { return m.Deletes > 0 && m.Count == nil }

// Delete is a migration that deletes the documents of a collection; all of them if lacks is nil.
func Delete(name, collection string, g Group, lacks func(*firestore.DocumentSnapshot) bool) Migration {
	return Migration{Name: name, Collection: collection, Group: g, Lacks: lacks, Deletes: 1,
		About: "deletes documents of " + collection,
		Do: func(ctx context.Context, ref *firestore.DocumentRef) error {
			_, err := ref.Delete(ctx)
			return err
		}}
}
