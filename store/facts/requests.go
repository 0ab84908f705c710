package facts

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// requestLimit returns the error of a limit that one more follow request would exceed. Concurrent requests may exceed
// the limit by a few.
//
// Cost: 1 read for each 1,000 requests of the follower and to the followed user, at least 2.
func (s *Store) requestLimit(ctx context.Context, follower, followed model.UserID) (refusal, err error) {
	var by, to int64
	g, ctx := safely.WithContext(ctx)
	count := func(n *int64, field string, uid model.UserID, most int) {
		g.Go(func() (err error) {
			*n, err = db.Count(ctx, s.db.Client.Collection(model.FollowRequests).Where(field, "==", uid).Limit(most))
			return err
		})
	}
	count(&by, "followerId", follower, model.MaxRequestsBy)
	count(&to, "followedId", followed, model.MaxRequestsTo)
	if err := g.Wait(); err != nil {
		return nil, err
	}
	switch {
	case by >= model.MaxRequestsBy:
		return errs.New(errs.Forbidden, "request_limit", "%d people have not answered your requests, and nobody may ask "+
			"more; unfollow one of them first", model.MaxRequestsBy), nil
	case to >= model.MaxRequestsTo:
		return errs.New(errs.Forbidden, "request_limit", "%d people ask to follow this user, and nobody may be asked by more",
			model.MaxRequestsTo), nil
	}
	return nil, nil
}
