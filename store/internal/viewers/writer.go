package viewers

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// Writer makes readers' documents agree with the blocks by others.
type Writer struct {
	*Store
	blocks groupcommit.Queue[model.UserID, model.UserID, struct{}] // blockers, by the blocked user
}

// NewWriter returns a writer. every is about the shortest time between two writes of one document.
func NewWriter(s *Store, every time.Duration) *Writer {
	w := &Writer{Store: s}
	w.blocks = groupcommit.New(every, groupcommit.RunSize, w.reconcile)
	return w
}

// Block makes the document of a blocked user agree with the present block and relationship between the two users. Calls
// for one user within a second share a write.
//
// Cost: 3 reads; 2 reads and 1 write more if something differs.
func (w *Writer) Block(ctx context.Context, blocker, blockee model.UserID) (err error) {
	defer errs.Wrap(&err, "viewers.Block(%q, %q)", blocker, blockee)
	_, err = w.blocks.Do(ctx, blockee, blocker)
	return err
}

// reconcile makes the document of a blocked user agree with the blocks by some users, and with the relationships to
// them. It reads the blocks again after its write. So of concurrent writers, the last one leaves the present state. It
// writes only if the document is as it was read: a process that was frozen since the read overwrites no later follow. A
// missing document stays away: a page that builds it reads the blocks.
//
// The relationships are those of the blocked user to the blockers. [graph.Store.Block] ends them in the document, too.
// Only a follow at the same moment leaves an entry for reconcile.
func (w *Writer) reconcile(ctx context.Context, uid model.UserID, blockers []model.UserID) ([]struct{}, error) {
	done := make([]struct{}, len(blockers))
	var l db.Lookup
	var written time.Time // of the document as this call knows it
	doc := db.Find[model.ViewerGraph](&l, w.db.Viewer(uid))
	for {
		blocks := make([]*db.Found[struct{}], len(blockers))
		follows := make([]*db.Found[model.Relationship], len(blockers))
		for i, blocker := range blockers {
			blocks[i] = db.Find[struct{}](&l, w.db.Block(blocker, uid))
			follows[i] = db.Find[model.Relationship](&l, w.db.Relationship(uid, blocker))
		}
		if err := w.db.Read(ctx, &l); err != nil || !doc.Found {
			return done, err
		}
		l = db.Lookup{}
		if written.IsZero() {
			written = doc.Snap.UpdateTime
		}
		updates := updates(&doc.Doc, blockers, blocks, follows)
		if len(updates) == 0 {
			return done, nil
		}
		ctx, grown := w.Watch(ctx)
		result, err := w.db.Viewer(uid).Update(ctx, updates, firestore.LastUpdateTime(written))
		switch {
		case db.NotFound(err):
			return done, nil
		case db.Outdated(err):
			written, doc = time.Time{}, db.Find[model.ViewerGraph](&l, w.db.Viewer(uid))
			continue
		case err != nil:
			return nil, err
		}
		written = result.UpdateTime
		grown(uid)
	}
}

// updates returns the updates of a document by which it agrees with blocks and relationships, and changes the document
// likewise.
func updates(v *model.ViewerGraph, blockers []model.UserID, blocks []*db.Found[struct{}],
	follows []*db.Found[model.Relationship]) (all []firestore.Update) {
	if v.BlockedBy == nil {
		v.BlockedBy = map[model.UserID]bool{}
	}
	if v.Follows == nil {
		v.Follows = map[model.UserID]time.Time{}
	}
	added := 0
	set := func(field string, blocker model.UserID, there bool, value any) {
		if !there {
			value = firestore.Delete
		} else {
			added++
		}
		all = append(all, firestore.Update{FieldPath: firestore.FieldPath{field, string(blocker)}, Value: value})
	}
	for i, blocker := range blockers {
		if there := blocks[i].Found; there != v.BlockedBy[blocker] && !v.Partial {
			set(fields.BlockedBy, blocker, there, true)
			if v.BlockedBy[blocker] = true; !there {
				delete(v.BlockedBy, blocker)
			}
		}
		since, followed := v.Follows[blocker]
		if rel := follows[i]; rel.Found != followed || rel.Found && !rel.Doc.CreatedAt.Equal(since) {
			set(fields.Follows, blocker, rel.Found, rel.Doc.CreatedAt)
			if v.Follows[blocker] = rel.Doc.CreatedAt; !rel.Found {
				delete(v.Follows, blocker)
			}
		}
	}
	if added > 0 {
		all = append(all, firestore.Update{Path: bucket.SizeField, Value: firestore.Increment(added)})
	}
	return all
}
