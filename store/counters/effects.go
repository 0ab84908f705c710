package counters

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/contention"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Effect is what one event changes in counts. Either [Effect.Commit] commits it alone, with an idempotency record, or
// the commit of another document takes its writes by [Effect.Add]. The other document then keeps [Effect.Mark], and a
// repeated event finds the mark there. An effect serves one delivery of an event, and one goroutine at a time.
type Effect struct {
	store  *Store
	record IdempotencyRecord
	deltas []delta
	docs   []rollUp // the documents that an earlier delivery may have counted in
	before func(context.Context) error
}

// effect returns the effect of an event, without the profiles that this process knows to be gone.
func (s *Store) effect(e IdempotencyRecord, deltas []delta) *Effect {
	f := &Effect{store: s, record: e}
	for _, m := range deltas {
		f.docs = append(f.docs, rollUp{Collection: m.ref.Parent.ID, ID: m.ref.ID})
	}
	f.deltas = s.withoutGone(deltas)
	for i, m := range f.deltas {
		f.deltas[i].shard = s.contention.Shard(m.counter())
	}
	return f
}

// Reaction is the effect of a like or share: it changes a count of the tweet. If the tweet is gone and the reaction is
// new, the effect removes the reaction. The tweets of a deleted account are deleted too, or are gone.
//
// Cost: nothing before the commit.
func (s *Store) Reaction(e IdempotencyRecord, l model.AnyReaction, by int64) *Effect {
	kind, r, field := l.Kind(), l.Base(), model.LikeCount
	if kind == model.ReactionShare {
		field = model.ShareCount
	}
	remove, tweet := s.remove(kind, r.UserID, r.TweetID, by), s.db.Tweet(r.TweetID)
	if s.db.KnowsGone(r.AuthorID) {
		f := s.effect(e, nil)
		f.docs, f.before = []rollUp{{Collection: model.Tweets, ID: tweet.ID}}, remove
		return f
	}
	return s.effect(e, []delta{{ref: tweet, field: field, by: by, gone: remove}})
}

// Prepare removes what an effect cannot count because its process knows that the account is gone. It comes before the
// first commit.
//
// Cost: nothing, or what [reactions.Store.Remove] costs.
func (f *Effect) Prepare(ctx context.Context) error {
	if f.before == nil {
		return nil
	}
	err := f.before(ctx)
	if err == nil {
		f.before = nil
	}
	return err
}

// Commit applies the deltas of an event. It leaves out deleted documents, because they have no counts, and calls their
// gone before it commits. If gone fails or the process is killed, the event comes again and finds no record.
//
// Even if nothing is left to count, Commit commits the record. An earlier delivery may have counted in a shard and have
// ended before it enqueued the roll-up. Then the record exists, and Commit enqueues the roll-up. A delivery that is
// still under way can no longer count.
//
// Increments and decrements commute, so only repetition could do harm. For a repeated event the record exists already,
// and the commit fails.
//
// If a document is hot and not busy, the effects of this process on the document wait up to a second for each other and
// share a commit, see commitTogether.
//
// Cost: 1 write, and 1 write for each document; callers that share a commit share the write of a document; that of
// Finish. For a repeated event that of Recorded. If a document is gone: 1 read for each document.
func (f *Effect) Commit(ctx context.Context) error {
	if err := f.Prepare(ctx); err != nil {
		return err
	}
	if path := f.crowded(); path != "" {
		if done, err := f.store.crowds.Do(ctx, path, f); done || err != nil {
			return err
		}
		if err := gate.Return(ctx); err != nil {
			return err
		}
	}
	again := false
	return f.store.db.Update(ctx, func(ctx context.Context) error {
		if again {
			if err := f.LeaveGone(ctx); err != nil {
				return err
			}
		}
		again = true
		b := f.store.db.Batch()
		f.Add(b)
		f.AddRecord(b)
		_, err := b.Commit(ctx)
		switch {
		case db.AlreadyExists(err):
			_, err := f.Recorded(ctx)
			return err
		case db.NotFound(err):
			return db.Late(err)
		case err != nil:
			return err
		}
		return f.Finish(ctx)
	})
}

// Mark names the effect in a document that has its count: 64 bits of a hash of the event and the function.
func (f *Effect) Mark() string { return model.CountMark(f.record.EventID, f.record.Function) }

// Sharded reports whether the effect counts in shards, so that a roll-up must follow its commit.
func (f *Effect) Sharded() bool { return len(f.rollUps()) > 0 }

// rollUps returns the documents in whose shards the effect counts.
func (f *Effect) rollUps() (all []rollUp) {
	for _, m := range f.deltas {
		if m.shard != contention.Cold {
			all = append(all, rollUp{Collection: m.ref.Parent.ID, ID: m.ref.ID})
		}
	}
	return all
}

// Add adds the increments of the effect to a commit. It reads and locks no document.
//
// A cold counter is incremented in its document. If the document is missing, the whole commit fails as NotFound; then
// the caller calls [Effect.LeaveGone]. The commit creates a missing tag usage. A hot counter is incremented in a shard,
// and the caller calls [Effect.Finish] after the commit. The commit of a hot counter does not show a missing document;
// the roll-up finds it.
//
// Cost: 1 write for each document.
func (f *Effect) Add(b *db.Batch) {
	updates := map[string][]firestore.Update{} // by path, because a reply may quote the tweet that it answers
	var cold []*firestore.DocumentRef
	for _, m := range f.deltas {
		switch {
		case m.shard != contention.Cold:
			b.Set(db.Shard(m.ref, m.shard), m.merge(), firestore.MergeAll)
		case m.ref.Parent.ID == model.TagUsages:
			b.Set(m.ref, tagUsageMerge(m), firestore.MergeAll)
		default:
			if updates[m.ref.Path] == nil {
				cold = append(cold, m.ref)
			}
			updates[m.ref.Path] = append(updates[m.ref.Path], m.update())
		}
	}
	for _, ref := range cold {
		b.Update(ref, f.store.digests.Stamped(ref, updates[ref.Path]))
	}
}

// AddRecord adds the creation of the idempotency record to a commit. If the event has been counted with a record, the
// commit fails as AlreadyExists, and the caller calls [Effect.Recorded].
//
// Cost: 1 write.
func (f *Effect) AddRecord(b *db.Batch) {
	b.Create(f.recordRef(), processed{ExpireAt: f.store.db.Time().Add(model.DedupeWindow), RollUps: f.rollUps()})
}

func (f *Effect) recordRef() *firestore.DocumentRef {
	return f.store.db.Doc(model.ProcessedEvents, model.IdempotencyRecordKey(f.record.EventID, f.record.Function))
}

// Recorded reports whether an earlier delivery was counted with an idempotency record. It enqueues the roll-ups of that
// delivery and lists its tweets, because its process may have ended before it did.
//
// Cost: 1 read; at most 1 write for each roll-up; that of [digests.Writer.ListAgain].
func (f *Effect) Recorded(ctx context.Context) (bool, error) {
	var p processed
	found, err := f.store.db.Get(ctx, f.recordRef(), &p)
	if err != nil || !found {
		return false, err
	}
	if err := f.store.askRollUps(ctx, p.RollUps); err != nil {
		return false, err
	}
	return true, f.list(ctx)
}

// LeaveGone leaves out the documents that are gone, and calls their gone. The caller commits again.
//
// Cost: that of onlyExisting.
func (f *Effect) LeaveGone(ctx context.Context) (err error) {
	f.deltas, err = f.store.onlyExisting(ctx, f.deltas)
	return err
}

// Finish enqueues the roll-ups after the commit of the effect, and lists the tweets that the commit changed.
//
// Cost: at most 1 write for each document of which a shard was incremented, and that of [digests.Writer.List].
func (f *Effect) Finish(ctx context.Context) error {
	if wanted := f.rollUps(); len(wanted) > 0 {
		if err := f.store.askRollUps(ctx, wanted); err != nil {
			return err
		}
	}
	var changed []*firestore.DocumentRef
	for _, m := range f.deltas {
		if m.shard == contention.Cold {
			changed = append(changed, m.ref)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return f.store.digests.List(ctx, changed...)
}

// Resume is Finish for an earlier delivery, of which another document has the mark. sharded says that the delivery
// counted in shards.
//
// Cost: that of Finish, and that of [digests.Writer.ListAgain] in place of its digest.
func (f *Effect) Resume(ctx context.Context, sharded bool) error {
	if sharded {
		if err := f.store.askRollUps(ctx, f.docs); err != nil {
			return err
		}
	}
	return f.list(ctx)
}

// list lists the tweets that an earlier delivery may have changed.
//
// Cost: that of [digests.Writer.ListAgain].
func (f *Effect) list(ctx context.Context) error {
	refs := make([]*firestore.DocumentRef, len(f.docs))
	for i, doc := range f.docs {
		refs[i] = f.store.db.Doc(doc.Collection, doc.ID)
	}
	return f.store.digests.ListAgain(ctx, refs...)
}
