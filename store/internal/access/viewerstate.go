package access

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// ViewerState returns which of some tweets a viewer likes, shares and bookmarks. An empty viewer is signed out and has
// no reactions.
//
// Cost: 1 read a month of the tweets; a saturated month also 1 read a reaction, at least 1 for each 30 tweets.
func (s *Store) ViewerState(ctx context.Context, viewer model.UserID,
	ids []model.TweetID) (_ map[model.TweetID]model.ViewerState, err error) {
	defer errs.Wrap(&err, "access.ViewerState(%q, %d)", viewer, len(ids))
	return s.viewerState.Of(ctx, viewer, ids)
}

// ViewerStateIn is [Store.ViewerState] for tweets of one month whose reactions the caller has read.
//
// Cost: nothing; for a saturated month the cost of [Store.ViewerState].
func (s *Store) ViewerStateIn(ctx context.Context, viewer model.UserID, month *model.ReactionMonth,
	ids []model.TweetID) (_ map[model.TweetID]model.ViewerState, err error) {
	defer errs.Wrap(&err, "access.ViewerStateIn(%q, %d)", viewer, len(ids))
	return s.viewerState.In(ctx, viewer, month, ids)
}
