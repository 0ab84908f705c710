package counters

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// revisionsTogether is how many revisions one commit deletes: each has up to 271 KB, and they count
// towards its 10 MiB.
const revisionsTogether = 20

// RemoveRevisions deletes the revisions of a deleted tweet until over returns true. It returns whether all are gone.
//
// Cost: 1 read and 1 delete for each revision, at least 1 read.
func (s *Store) RemoveRevisions(ctx context.Context, id model.TweetID, over func() bool) (done bool, err error) {
	defer errs.Wrap(&err, "counters.RemoveRevisions(%q)", id)
	q := s.db.Tweet(id).Collection(model.Revisions).Select().Limit(revisionsTogether)
	parts := db.Parts[*firestore.DocumentSnapshot]{Add: func(b *db.Batch, snap *firestore.DocumentSnapshot) error {
		b.Delete(snap.Ref)
		return nil
	}}
	for {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err == nil, err
		}
		if _, err := parts.Commit(ctx, s.db, snaps); err != nil || len(snaps) < revisionsTogether || over() {
			return err == nil && len(snaps) < revisionsTogether, err
		}
	}
}
