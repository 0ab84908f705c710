// Package digests tells the processes of the API which heads and tweets functions have changed.
//
// Without digests each process reads each changed document. With digests a process that changes documents lists them,
// in one document for all changes of some tenths of a second, and the other processes read this list.
package digests

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

const (
	// every is the shortest interval between two digests of a process. With the interval of home pages, 2 s, a change is
	// on every page within 3 s.
	every = 750 * time.Millisecond

	// late is the longest time that readers allow between writtenAt of a digest, which the database sets when the write
	// starts, and its commit. A writer that waited longer for an answer writes the digest again, see write.
	late = time.Second
)

// Writer writes digests if the mode says so. Otherwise List does nothing, and Stamped is [db.DB.Stamped].
//
// Whoever writes a head or tweet with [Writer.Stamped] calls [Writer.List] after the commit, and before it acknowledges
// the event: so if the process is killed between the two, the event comes again. A repeated event that finds the change
// done calls [Writer.ListAgain].
type Writer struct {
	db    *db.DB
	mode  model.DigestMode
	late  time.Duration
	group groupcommit.Queue[struct{}, []*firestore.DocumentRef, struct{}] // nil if nobody reads digests
}

// NewWriter returns a Writer whose digests are at least a time apart, 750 ms at most.
func NewWriter(d *db.DB, mode model.DigestMode, apart time.Duration) *Writer {
	w := &Writer{db: d, mode: mode, late: late}
	if mode != model.DigestsHeard && mode != model.DigestsWritten {
		return w
	}
	group := groupcommit.New(min(apart, every), model.DigestItems, w.write)
	group.Weigh = func(refs []*firestore.DocumentRef) int { return len(refs) }
	w.group = group
	return w
}

// Stamped is [db.DB.Stamped] for a change that a digest will list. The write changes listedAt, so that other writers
// notice it. It leaves changedAt as it is: a time of long ago, so that the query for changed documents does not find
// the document, or that of an edit or flag a moment ago, which the query must find.
func (w *Writer) Stamped(ref *firestore.DocumentRef, updates []firestore.Update) []firestore.Update {
	switch {
	case !listed(ref):
		return updates
	case w.mode != model.DigestsWritten:
		return w.db.Stamped(ref, updates)
	}
	return append(updates, firestore.Update{Path: fields.ListedAt, Value: firestore.ServerTimestamp})
}

// Unheard lets no process hear of a new tweet: no cache has it, so none needs to. The document gets no changedAt,
// because the client writes a field with the tag serverTimestamp only if it is zero.
func (w *Writer) Unheard(t *model.Tweet) {
	if w.mode == model.DigestsWritten {
		t.ChangedAt = time.Unix(0, 0).UTC()
	}
}

// listed reports whether digests list documents of a collection.
func listed(ref *firestore.DocumentRef) bool {
	return ref.Parent.ID == model.Tweets || ref.Parent.ID == model.Heads
}

// List returns when a digest with the heads and tweets among some documents is committed, which the caller has changed
// with [Writer.Stamped]. Callers within 750 ms share a digest. Unless functions write digests, List does nothing.
//
// Cost: 1 write, shared by all callers, and later 1 delete.
func (w *Writer) List(ctx context.Context, refs ...*firestore.DocumentRef) error {
	if w.mode != model.DigestsWritten {
		return nil
	}
	return w.ListAgain(ctx, refs...)
}

// ListAgain is [Writer.List] for a change that an earlier delivery of the event may have committed. That delivery may
// have ended before its digest, in a process that writes digests. So a process that only hears of them writes one, too.
//
// Cost: that of List, also in [model.DigestsHeard].
func (w *Writer) ListAgain(ctx context.Context, refs ...*firestore.DocumentRef) (err error) {
	if w.group == nil {
		return nil
	}
	var own []*firestore.DocumentRef
	for _, ref := range refs {
		if listed(ref) {
			own = append(own, ref)
		}
	}
	if len(own) == 0 {
		return nil
	}
	defer errs.Wrap(&err, "digests.List(%d)", len(own))
	_, err = w.group.Do(ctx, struct{}{}, own)
	return err
}

// write writes a digest.
//
// If the answer came late, a reader may have asked for digests with a later writtenAt before the commit, and never hear
// of this one. So write then writes another one, whose writtenAt lies in the future by the longest time that a run
// takes. Readers get it with each query until then, however long its commit takes.
func (w *Writer) write(ctx context.Context, _ struct{}, all [][]*firestore.DocumentRef) ([]struct{}, error) {
	digest := model.ChangeDigest{ExpireAt: w.db.Time().Add(model.DigestWindow)}
	known := map[string]bool{}
	for _, refs := range all {
		for _, ref := range refs {
			switch {
			case known[ref.Path]:
			case ref.Parent.ID == model.Heads:
				digest.Heads = append(digest.Heads, model.UserID(ref.ID))
			default:
				digest.Tweets = append(digest.Tweets, model.TweetID(ref.ID))
			}
			known[ref.Path] = true
		}
	}
	begun := time.Now()
	at, err := w.create(ctx, digest)
	if err == nil && readcache.Elapsed(begun, time.Now()) > w.late {
		_, err = w.create(ctx, ahead{Heads: digest.Heads, Tweets: digest.Tweets, ExpireAt: digest.ExpireAt,
			WrittenAt: at.Add(groupcommit.RunTimeout)})
	}
	if err != nil {
		return nil, err
	}
	return make([]struct{}, len(all)), nil
}

// ahead is a [model.ChangeDigest] whose writtenAt is not the time of the write.
type ahead struct {
	Heads     []model.UserID  `firestore:"heads,omitempty"`
	Tweets    []model.TweetID `firestore:"tweets,omitempty"`
	WrittenAt time.Time       `firestore:"writtenAt"`
	ExpireAt  time.Time       `firestore:"expireAt"`
}

// create creates a digest, and returns when the database committed it. If the answer with this time was lost, create
// creates another digest.
func (w *Writer) create(ctx context.Context, digest any) (at time.Time, err error) {
	for {
		result, err := w.db.Client.Collection(model.ChangeDigests).NewDoc().Create(ctx, digest)
		switch {
		case err == nil:
			return w.db.Server.WrittenAt(result), nil
		case !db.AlreadyExists(err): // the client sent it twice
			return at, err
		}
	}
}
