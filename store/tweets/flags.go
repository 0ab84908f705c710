package tweets

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Flag flags a tweet as violative, or clears the flag. A flagged tweet is hidden, see [model.Visible]. The commit
// includes the writes that also adds. If the tweet has the requested state already, Flag changes nothing and adds
// nothing. A deleted tweet is errs.Gone, and an unknown tweet errs.NotFound. An error of also stops the flag.
//
// Cost: 1 read and 1 write; 1 read without a change; 2 reads if the tweet is gone.
func (s *Store) Flag(ctx context.Context, id model.TweetID, flagged bool,
	also ...func(b *db.Batch, t *model.Tweet) error) (err error) {
	defer errs.Wrap(&err, "tweets.Flag(%q, %t)", id, flagged)
	ref := s.db.Tweet(id)
	var t model.Tweet
	found, err := s.db.Get(ctx, ref, &t)
	switch {
	case err != nil:
		return err
	case !found:
		return s.Gone(ctx, model.Viewer{Role: model.Moderator}, id)
	case t.IsViolative == flagged:
		return nil
	}
	b := s.db.Batch()
	b.Update(ref, s.db.Stamped(ref, []firestore.Update{
		{Path: fields.IsViolative, Value: flagged}, {Path: model.ModeratedAt, Value: firestore.ServerTimestamp},
	}))
	for _, add := range also {
		if err := add(b, &t); err != nil {
			return err
		}
	}
	_, err = s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
		var is model.Tweet
		found, err := s.db.Get(ctx, ref, &is)
		return found && is.IsViolative == flagged, err
	})
	s.ForgetTweet(id)
	if db.NotFound(err) {
		return s.Gone(ctx, model.Viewer{Role: model.Moderator}, id)
	}
	return err
}
