package store

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// reaction is the merge that notes a like, or its end, in a month of reactions.
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

// liked tells which of ids a viewer likes: a read for each month that ids are of.
func (s *Store) liked(ctx context.Context, viewer model.UserID, ids []model.TweetID) (map[model.TweetID]bool, error) {
	if viewer == "" || len(ids) == 0 {
		return nil, nil
	}
	months := map[model.Month]bool{}
	var refs []*firestore.DocumentRef
	for _, id := range ids {
		if m := id.Month(); !months[m] {
			months[m] = true
			refs = append(refs, s.reactionMonth(viewer, m))
		}
	}
	snaps, err := s.fs.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	liked := map[model.TweetID]bool{}
	for _, snap := range snaps {
		var month model.ReactionMonth
		if _, err := decode(snap, nil)(&month); err != nil {
			return nil, err
		}
		for id, r := range month.Tweets {
			liked[id] = r.Liked
		}
	}
	return liked, nil
}

// Liked tells which of ids a viewer likes, through the months of reactions.
func (s *Store) Liked(ctx context.Context, viewer model.UserID, ids []model.TweetID) (map[model.TweetID]bool, error) {
	return s.liked(ctx, viewer, ids)
}

func (s *Store) reactionMonth(uid model.UserID, m model.Month) *firestore.DocumentRef {
	return s.doc(model.Reactions, model.MonthKey(uid, m))
}
