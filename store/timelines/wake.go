package timelines

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// followedAtOnce is how many of those whom somebody follows are worked on side by side.
const followedAtOnce = backfillsTogether

// withFollowed calls do with a follower and each whom they follow, side by side.
func (s *Writer) withFollowed(ctx context.Context, follower model.UserID, do func(ctx context.Context, follower, author model.UserID) error) error {
	g, side := errgroup.WithContext(ctx)
	g.SetLimit(followedAtOnce)
	err := s.following(side, follower, func(_ context.Context, rel model.Relationship) error {
		g.Go(func() error { return do(side, follower, rel.FollowedID) })
		return nil
	})
	if failed := g.Wait(); failed != nil {
		return failed
	}
	return err
}

// Wake rebuilds the home timeline of somebody who was away, as if they had just begun to
// follow everybody whom they do: what LinkTimeline costs, for each.
func (s *Writer) Wake(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "timelines.Wake(%q)", uid)
	if err := s.withFollowed(ctx, uid, s.Link); err != nil {
		return err
	}
	b := s.db.Batch()
	b.Set(s.db.Home(uid), model.Home{SeenAt: s.db.Time()})
	b.Delete(s.db.Doc(model.Wakes, string(uid)))
	_, err = b.Commit(ctx)
	return err
}
