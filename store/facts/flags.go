package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Flag flags a tweet as violative, or takes the flag back. A flagged tweet is hidden, see
// [model.Visible]. Flagging again changes nothing. A deleted tweet is errs.Gone, and an
// unknown tweet errs.NotFound.
//
// Cost: 1 read and 1 write; 1 read if the tweet is so already; 2 reads if the tweet is gone.
func (s *Store) Flag(ctx context.Context, id model.TweetID, flagged bool) (err error) {
	defer errs.Wrap(&err, "facts.Flag(%q, %t)", id, flagged)
	ref := s.db.Tweet(id)
	var t model.Tweet
	found, err := s.db.Get(ctx, ref, &t)
	switch {
	case err != nil:
		return err
	case !found:
		return s.gone(ctx, id)
	case t.IsViolative == flagged:
		return nil
	}
	_, err = ref.Update(ctx, s.db.Stamped(ref, []firestore.Update{
		{Path: "isViolative", Value: flagged}, {Path: model.ModeratedAt, Value: firestore.ServerTimestamp},
	}))
	s.tweets.Forget(id)
	if db.NotFound(err) {
		return s.gone(ctx, id)
	}
	return err
}
