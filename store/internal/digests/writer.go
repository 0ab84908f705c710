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
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

const (
	// every is the shortest interval between two digests of a process. With the interval of home pages, 2 s, a change is
	// on every page within 3 s.
	every = 750 * time.Millisecond

	// late is the longest time between writtenAt of a digest, which the database sets when the write starts, and its
	// commit. A writer that waited longer for an answer writes the digest again.
	late = time.Second

	// tries is how often a writer writes a digest. After that its events fail, and come again.
	tries = 4
)

// Writer writes digests if the mode says so. Otherwise List does nothing, and Stamped is [db.DB.Stamped].
//
// Whoever writes a head or tweet with [Writer.Stamped] calls [Writer.List] after the commit, and before it acknowledges
// the event: so if the process is killed between the two, the event comes again. A repeated event calls List as well,
// although it finds the change done.
type Writer struct {
	db    *db.DB
	late  time.Duration
	group groupcommit.Queue[struct{}, []*firestore.DocumentRef, struct{}] // nil if the Writer writes none
}

// NewWriter returns a Writer whose digests are at least a time apart, 750 ms at most.
func NewWriter(d *db.DB, mode model.DigestMode, apart time.Duration) *Writer {
	w := &Writer{db: d, late: late}
	if mode != model.DigestsWritten {
		return w
	}
	group := groupcommit.New(min(apart, every), model.DigestItems, w.write)
	group.Weigh = func(refs []*firestore.DocumentRef) int { return len(refs) }
	group.Aside = true
	w.group = group
	return w
}

// Stamped is [db.DB.Stamped] for a change that a digest will list: the query for changed documents does not find it.
// The write changes listedAt, so that other writers notice it.
func (w *Writer) Stamped(ref *firestore.DocumentRef, updates []firestore.Update) []firestore.Update {
	switch {
	case !listed(ref):
		return updates
	case w.group == nil:
		return w.db.Stamped(ref, updates)
	}
	return append(updates, firestore.Update{Path: db.ChangedAt, Value: firestore.Delete},
		firestore.Update{Path: fields.ListedAt, Value: firestore.ServerTimestamp})
}

// Unheard sets changedAt of a new tweet so that no process hears of it. No cache has the tweet, so none needs to.
func (w *Writer) Unheard(t *model.Tweet) {
	if w.group != nil {
		t.ChangedAt = time.Unix(0, 0).UTC()
	}
}

// listed reports whether digests list documents of a collection.
func listed(ref *firestore.DocumentRef) bool {
	return ref.Parent.ID == model.Tweets || ref.Parent.ID == model.Heads
}

// List returns when a digest with the heads and tweets among some documents is committed. Callers within 750 ms share a
// digest. An event that waits gives up its place.
//
// Cost: 1 write, shared by all callers, and later 1 delete.
func (w *Writer) List(ctx context.Context, refs ...*firestore.DocumentRef) (err error) {
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

// write writes a digest. It writes another one if the answer was late, because a reader may have asked for digests with
// a later writtenAt before the commit.
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
	for range tries {
		begun := time.Now()
		_, err := w.db.Client.Collection(model.ChangeDigests).NewDoc().Create(ctx, digest)
		if err != nil && !db.AlreadyExists(err) { // it exists if the client sent it twice
			return nil, err
		}
		if since(begun, time.Now()) <= w.late {
			return make([]struct{}, len(all)), nil
		}
	}
	return nil, errs.New(errs.Unavailable, "", "the database commits change digests too late")
}

// since returns the time between two times of this process, by the larger difference of its two clocks.
func since(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}
