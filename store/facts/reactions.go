package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// A month of reactions holds limits.Reactions likes. Every like counts the month's size up,
// and the answer to the commit tells the new size. So a process learns of a full month
// without a read. From then on the process writes that the month is full, in the place of
// the like. A full month stays full.
//
// A process that does not know of a full month puts one like too many into it, and learns.

// fullMonths is how many full months a process remembers.
const fullMonths = 10_000

// monthsOnPage is how many months of reactions a page reads.
const monthsOnPage = 20

// noteLike returns the merge that notes a like in a month of reactions.
func (s *Store) noteLike(uid model.UserID, id model.TweetID) map[string]any {
	merge := map[string]any{"userId": uid, "month": id.Month()}
	if s.full.Contains(model.MonthKey(uid, id.Month())) {
		merge["full"] = true
	} else {
		merge["tweets"], merge[bucket.SizeField] = map[string]any{string(id): true}, firestore.Increment(1)
	}
	return merge
}

// noteUnlike returns the merge that notes the end of a like in a month of reactions. The
// size stays, because a full month may not hold the like.
func noteUnlike(uid model.UserID, id model.TweetID) map[string]any {
	return map[string]any{
		"userId": uid, "month": id.Month(), "tweets": map[string]any{string(id): firestore.Delete},
	}
}

// learnFull remembers that a month of reactions is full, if the answer to a commit says so.
func (s *Store) learnFull(uid model.UserID, id model.TweetID, sizes *bucket.Sizes) {
	if month := model.MonthKey(uid, id.Month()); sizes.Of(month) >= int64(s.limits.Reactions) {
		s.full.Add(month, struct{}{})
	}
}

// Liked tells which of the tweets a viewer likes. An empty viewer is signed out and likes
// nothing.
//
// Cost: 1 read for each month of the tweets.
// A full month costs 1 read more for each tweet that it does not hold.
// Tweets of more than monthsOnPage months cost 1 read each, and no month.
func (s *Store) Liked(ctx context.Context, viewer model.UserID, ids []model.TweetID) (_ map[model.TweetID]bool, err error) {
	defer errs.Wrap(&err, "facts.Liked(%q, %d)", viewer, len(ids))
	if viewer == "" || len(ids) == 0 {
		return nil, nil
	}
	months := map[model.Month]*model.ReactionMonth{}
	for _, id := range ids {
		months[id.Month()] = nil
	}
	if len(months) > monthsOnPage { // the likes themselves cost little more, whether a month is full or not
		return s.liked(ctx, viewer, ids, nil)
	}
	clear(months)
	var refs []*firestore.DocumentRef
	var read []*model.ReactionMonth // of refs
	for _, id := range ids {
		if m := id.Month(); months[m] == nil {
			months[m] = &model.ReactionMonth{}
			refs, read = append(refs, s.db.ReactionMonth(viewer, m)), append(read, months[m])
		}
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, snap := range snaps {
		if _, err := db.Decode(snap, nil)(read[i]); err != nil {
			return nil, err
		}
	}
	return s.liked(ctx, viewer, ids, months)
}

// LikedIn is [Store.Liked] for tweets of one month whose reactions the caller has read.
//
// Cost: nothing. A full month costs 1 read for each tweet that it does not hold.
func (s *Store) LikedIn(ctx context.Context, viewer model.UserID, month *model.ReactionMonth, ids []model.TweetID) (_ map[model.TweetID]bool, err error) {
	defer errs.Wrap(&err, "facts.LikedIn(%q, %d)", viewer, len(ids))
	months := map[model.Month]*model.ReactionMonth{}
	for _, id := range ids {
		months[id.Month()] = month
	}
	return s.liked(ctx, viewer, ids, months)
}

// liked asks the facts where a full month does not tell, or was not read.
func (s *Store) liked(ctx context.Context, viewer model.UserID, ids []model.TweetID, months map[model.Month]*model.ReactionMonth) (map[model.TweetID]bool, error) {
	liked := make(map[model.TweetID]bool, len(ids))
	var unsure []model.TweetID
	var refs []*firestore.DocumentRef
	for _, id := range ids {
		if _, ok := liked[id]; ok {
			continue
		}
		month := months[id.Month()]
		if month == nil {
			unsure, refs = append(unsure, id), append(refs, s.db.Like(viewer, id))
			liked[id] = false
			continue
		}
		if month.Full {
			s.full.Add(model.MonthKey(viewer, id.Month()), struct{}{})
		}
		var known bool
		if liked[id], known = month.Liked(id); !known {
			unsure, refs = append(unsure, id), append(refs, s.db.Like(viewer, id))
		}
	}
	if len(refs) == 0 {
		return liked, nil
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, snap := range snaps {
		liked[unsure[i]] = snap.Exists()
	}
	return liked, nil
}

// SettleReaction makes the month of a user's reactions agree with whether the user likes a
// tweet now.
//
// Cost: 1 read and 1 write.
func (s *Store) SettleReaction(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "facts.SettleReaction(%q, %q)", uid, id)
	ctx, sizes := bucket.Watch(ctx)
	err = s.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		liked, err := db.Decode(tx.Get(s.db.Like(uid, id)))(nil)
		if err != nil {
			return err
		}
		merge := noteUnlike(uid, id)
		if liked {
			merge = s.noteLike(uid, id)
		}
		return tx.Set(s.db.ReactionMonth(uid, id.Month()), merge, firestore.MergeAll)
	})
	s.learnFull(uid, id, sizes)
	return err
}
