package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// reaction returns the merge that notes a like, or its end, in a month of reactions.
func reaction(uid model.UserID, id model.TweetID, liked bool) map[string]any {
	var flag any = true
	if !liked {
		flag = firestore.Delete
	}
	return map[string]any{
		"userId": uid, "month": id.Month(),
		"tweets": map[string]any{string(id): map[string]any{"liked": flag}},
	}
}

// Liked tells which of the tweets a viewer likes. An empty viewer is signed out and likes
// nothing.
//
// Cost: 1 read for each month of the tweets.
func (s *Store) Liked(ctx context.Context, viewer model.UserID, ids []model.TweetID) (_ map[model.TweetID]bool, err error) {
	defer errs.Wrap(&err, "facts.Liked(%q, %d)", viewer, len(ids))
	if viewer == "" || len(ids) == 0 {
		return nil, nil
	}
	months := map[model.Month]bool{}
	var refs []*firestore.DocumentRef
	for _, id := range ids {
		if m := id.Month(); !months[m] {
			months[m] = true
			refs = append(refs, s.db.ReactionMonth(viewer, m))
		}
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	liked := map[model.TweetID]bool{}
	for _, snap := range snaps {
		var month model.ReactionMonth
		if _, err := db.Decode(snap, nil)(&month); err != nil {
			return nil, err
		}
		for id, r := range month.Tweets {
			liked[id] = r.Liked
		}
	}
	return liked, nil
}

// SettleReaction makes the month of a user's reactions agree with whether the user likes a
// tweet now.
//
// Cost: 1 read and 1 write.
func (s *Store) SettleReaction(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.SettleReaction(%q, %q)", uid, id)
	return s.db.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		liked, err := db.Decode(tx.Get(s.db.Like(uid, id)))(nil)
		if err != nil {
			return err
		}
		return tx.Set(s.db.ReactionMonth(uid, id.Month()), reaction(uid, id, liked), firestore.MergeAll)
	})
}
