package counters

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// revisionsTogether is how many revisions one commit deletes: they may count towards its 10 MiB.
const revisionsTogether = 20

// RemoveRevisions deletes the revisions of a tweet that is gone, until over answers true. It
// tells whether all are gone.
//
// Cost: 1 read and 1 delete for each revision, at least 1 read.
func (s *Store) RemoveRevisions(ctx context.Context, id model.TweetID, over func() bool) (done bool, err error) {
	defer errs.Wrap(&err, "counters.RemoveRevisions(%q)", id)
	q := s.db.Tweet(id).Collection(model.Revisions).Select().Limit(revisionsTogether)
	for {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err == nil, err
		}
		b := s.db.Batch()
		for _, snap := range snaps {
			b.Delete(snap.Ref)
		}
		if _, err := b.Commit(ctx); err != nil || len(snaps) < revisionsTogether || over() {
			return err == nil && len(snaps) < revisionsTogether, err
		}
	}
}
