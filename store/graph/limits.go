package graph

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Limits holds the limits of one user's relationships. No limit may be 0.
type Limits struct {
	Follows   int // users whom one user may follow
	Followers int // followers whom one user may have
}

// followLimit returns the error of a limit that one more relationship would exceed.
//
// The counts of the profiles decide, and they are a little late. So near the limit, followLimit counts the
// relationships of the follower. A followed user may get a few followers more than allowed.
//
// Cost: nothing; near the limit 1 read for each 1,000 users whom the follower follows.
func (s *Store) followLimit(ctx context.Context, follower, followed *model.User) (refusal, err error) {
	if most := s.limits.Followers; followed.FollowerCount >= int64(most) {
		return errs.New(errs.Forbidden, "follower_limit", "%s has %d followers, and nobody may have more", followed.Username,
			most), nil
	}
	most := int64(s.limits.Follows)
	if follower.FollowedCount < most-max(most/100, 20) {
		return nil, nil
	}
	q := s.db.Client.Collection(model.Relationships).Where(fields.FollowerID, "==", follower.ID)
	n, err := db.Count(ctx, q)
	if err != nil || n < most {
		return nil, err
	}
	return errs.New(errs.Forbidden, "follow_limit", "%s follows %d users, and nobody may follow more", follower.Username,
		most), nil
}

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
