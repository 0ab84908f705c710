package erasure

import (
	"context"
	"slices"
	"sync/atomic"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// together is how many documents one query finds. atOnce is how many commits run concurrently.
const (
	together = db.MaxTogether
	atOnce   = 4
)

// Leave does the next step of an account deletion. A step passes over the erasure rules and removes the user's
// documents of each, until its time is over.
//
// A pass that removed something is followed by another. After a pass that found nothing, Leave deletes the user's
// account, and waits. The daily sweep enqueues the account deletion again. When no event of that time can come any
// more, Leave makes one more pass. If that pass finds nothing, the account deletion is over.
//
// No step depends on the results of an earlier step: a step that is repeated, or that runs twice at once, removes what
// it finds.
//
// Cost: 1 read and 1 write a step; 1 read a rule and pass. 1 read and 1 delete for each document.
func (w *Writer) Leave(ctx context.Context, work model.DeletionWork) (err error) {
	defer errs.Wrap(&err, "erasure.Leave(%q)", work.UserID)
	if work.Done || work.Place < 0 {
		return nil
	}
	step, current, err := w.db.Begin(ctx, w.db.AccountDeletion(work.UserID), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	cleared := !work.ClearedAt.IsZero()
	if !cleared { // no profile can be made before the account deletion is over, which takes a day
		w.db.SawGone(w.db.User(work.UserID))
	}
	if cleared && w.db.Server.Now().Sub(work.ClearedAt) < w.After {
		return nil // the daily sweep enqueues it again
	}
	if work.Place == 0 && work.Pass > 0 && !cleared {
		if err := db.Pause(ctx, w.Pause); err != nil {
			return err
		}
	}
	if work.Removed == nil {
		work.Removed = map[string]int64{}
	}
	for at := work.Place; at < len(rules); at++ {
		n, empty, err := w.empty(ctx, rules[at], work.UserID, step.Over)
		if err != nil {
			return err
		}
		work.Removed[rules[at].Name] += n
		work.Found += n
		if !empty || step.Over() && at+1 < len(rules) {
			if empty {
				at++
			}
			return w.save(ctx, step, work, map[string]any{fields.Place: at, fields.Found: work.Found})
		}
	}
	next := map[string]any{fields.Place: 0, fields.Found: 0, fields.Pass: work.Pass + 1}
	switch {
	case work.Found > 0:
		next[fields.ClearedAt] = firestore.Delete
	case !cleared:
		if w.DeleteAccount != nil && !work.UserID.Remote() { // who has an account elsewhere has none here
			if err := w.DeleteAccount(ctx, work.UserID); err != nil {
				return err
			}
		}
		next[fields.ClearedAt] = firestore.ServerTimestamp
	default:
		next[fields.EndedAt], next[fields.Done] = firestore.ServerTimestamp, true
	}
	return w.save(ctx, step, work, next)
}

// save ends a step.
func (w *Writer) save(ctx context.Context, step *db.Step, work model.DeletionWork, progress map[string]any) error {
	progress[fields.Removed], progress[fields.ExpireAt] = work.Removed, w.db.Time().Add(model.AccountDeletionWindow)
	return step.Save(ctx, progress, nil)
}

// empty removes the user's documents of a rule until over returns true. It returns how many it removed, and whether
// none is left.
//
// Cost: 1 read and 1 delete for each document, and 1 read.
func (w *Writer) empty(ctx context.Context, p rule, uid model.UserID, over func() bool) (removed int64, empty bool,
	err error) {
	if p.files {
		return w.Exports.Remove(ctx, uid, over)
	}
	for {
		snaps, err := w.some(ctx, p, uid, together)
		if err != nil || len(snaps) == 0 {
			return removed, err == nil, err
		}
		n, err := w.remove(ctx, p, uid, snaps, over)
		removed += n
		if err != nil {
			return removed, false, err
		}
		if p.alone != nil && over() {
			return removed, false, nil // with a rest
		}
		if p.docs != nil || len(snaps) < together {
			return removed, true, nil
		}
		if over() {
			return removed, false, nil
		}
	}
}

// remove removes documents of a rule, in as many commits as they need. It returns how many documents it removed, with
// the documents that belong to them. Those of a rule that is alone stay once over returns true.
//
// Documents that stay are written together. If one of them changed or went meanwhile, each is written alone.
//
// Cost: 1 delete for each document.
func (w *Writer) remove(ctx context.Context, p rule, uid model.UserID,
	snaps []*firestore.DocumentSnapshot, over func() bool) (int64, error) {
	if p.alone != nil {
		var removed int64
		for _, snap := range snaps {
			n, err := p.alone(ctx, w.db, uid, snap.Ref.ID, over)
			if removed += int64(n); err != nil || over() {
				return removed, err
			}
		}
		return removed, nil
	}
	var removed atomic.Int64
	g, side := safely.WithContext(ctx)
	g.SetLimit(atOnce)
	for some := range slices.Chunk(snaps, p.together()) {
		g.Go(func() error {
			beside := map[*firestore.DocumentSnapshot]int{}
			parts := db.Parts[*firestore.DocumentSnapshot]{Add: func(b *db.Batch, snap *firestore.DocumentSnapshot) (err error) {
				if p.stays != nil {
					return p.stays(w, b, snap, uid)
				}
				if p.remove == nil {
					b.Delete(snap.Ref)
					return nil
				}
				beside[snap], err = p.remove(side, w, b, snap)
				return err
			}}
			n, err := parts.Commit(side, w.db, some)
			if p.stays != nil && (db.Outdated(err) || db.NotFound(err)) { // the others must not wait for one that changes
				for n, err = 0, nil; n < len(some) && err == nil; n++ {
					err = w.takeOutAlone(side, p, uid, some[n].Ref)
				}
			}
			if err != nil {
				removed.Add(int64(n))
				return err
			}
			for _, more := range beside {
				n += more
			}
			removed.Add(int64(n))
			return nil
		})
	}
	err := g.Wait()
	return removed.Load(), err
}

// takeOutAlone takes a user out of one document that stays, as the document is now. A document that is gone is left
// alone.
//
// Cost: 1 read, and the writes of the rule, for each attempt.
func (w *Writer) takeOutAlone(ctx context.Context, p rule, uid model.UserID, ref *firestore.DocumentRef) error {
	return w.db.Update(ctx, func(ctx context.Context) error {
		snap, err := ref.Get(ctx)
		if db.NotFound(err) {
			return nil
		} else if err != nil {
			return err
		}
		b := w.db.Batch()
		if err := p.stays(w, b, snap, uid); err != nil {
			return err
		}
		_, err = b.Commit(ctx)
		return db.Late(err)
	})
}

// some reads some of the user's documents of a rule: their ids, unless the rule needs more.
//
// Cost: 1 read for each document, at least 1.
func (w *Writer) some(ctx context.Context, p rule, uid model.UserID, limit int) (there []*firestore.DocumentSnapshot,
	err error) {
	if p.docs == nil {
		q := p.find(w.db, uid).Limit(limit)
		if !p.whole {
			q = q.Select()
		}
		return q.Documents(ctx).GetAll()
	}
	snaps, err := w.db.Client.GetAll(ctx, p.docs(w.db, uid))
	for _, snap := range snaps {
		if snap.Exists() {
			there = append(there, snap)
		}
	}
	return there, err
}

// Remains lists documents and files of a deleted account, as the collection and the path of each, at most 200 a rule.
//
// Cost: 1 read for each document, at least 1 a rule.
func (w *Writer) Remains(ctx context.Context, uid model.UserID) (_ [][2]string, err error) {
	defer errs.Wrap(&err, "erasure.Remains(%q)", uid)
	var all [][2]string
	for _, p := range rules {
		if p.files {
			files, err := w.Exports.List(ctx, uid, together)
			if err != nil {
				return nil, err
			}
			for _, name := range files {
				all = append(all, [2]string{p.Name, "file " + name})
			}
			continue
		}
		snaps, err := w.some(ctx, p, uid, together)
		if err != nil {
			return nil, err
		}
		for _, snap := range snaps {
			all = append(all, [2]string{p.Name, db.Path(snap.Ref)})
		}
	}
	return all, nil
}

// Again restarts an account deletion that is over, for remains that were found since.
//
// Cost: 1 write.
func (w *Writer) Again(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "erasure.Again(%q)", uid)
	_, err = w.db.AccountDeletion(uid).Update(ctx, []firestore.Update{
		{Path: fields.Done, Value: false}, {Path: fields.Place, Value: 0}, {Path: fields.Found, Value: 0},
		{Path: fields.ClearedAt, Value: firestore.Delete},
		{Path: fields.EndedAt, Value: firestore.Delete},
		{Path: fields.ExpireAt, Value: w.db.Time().Add(model.AccountDeletionWindow)},
	})
	if db.NotFound(err) {
		return nil
	}
	return err
}
