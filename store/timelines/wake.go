package timelines

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// followedAtOnce is how many authors whom a reader follows are worked on side by side.
const followedAtOnce = backfillsTogether

// withFollowed calls do for a follower with each author whom the follower follows, side
// by side.
//
// Cost: 1 read an author, at least 1.
func (w *Writer) withFollowed(ctx context.Context, follower model.UserID, do func(ctx context.Context, follower, author model.UserID) error) error {
	g, side := errgroup.WithContext(ctx)
	g.SetLimit(followedAtOnce)
	err := w.following(side, follower, func(_ context.Context, rel model.Relationship) error {
		g.Go(func() error { return do(side, follower, rel.FollowedID) })
		return nil
	})
	if failed := g.Wait(); failed != nil {
		return failed
	}
	return err
}

// Wake rebuilds the home timeline of a reader who was away: it calls [Writer.Link] for
// each author whom the reader follows. The reader counts as awake only when all links are
// made.
//
// Cost: 1 read an author, and what Link costs for each; 1 write and 1 delete.
func (w *Writer) Wake(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "timelines.Wake(%q)", uid)
	if err := w.withFollowed(ctx, uid, w.Link); err != nil {
		return err
	}
	b := w.db.Batch()
	b.Set(w.db.Home(uid), model.Home{SeenAt: w.db.Time()})
	b.Delete(w.db.Doc(model.Wakes, string(uid)))
	_, err = b.Commit(ctx)
	return err
}
