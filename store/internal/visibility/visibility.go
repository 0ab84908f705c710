// Package visibility decides which tweets a viewer may see.
package visibility

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Of returns which of some tweets a viewer may see. Follows are not cached: a tweet for followers is hidden as soon as
// the viewer has unfollowed its author. paid has the first hidden tweet of each author whose relationship Of read.
//
// Cost: 1 read for each author of tweets for followers, other than the viewer.
func Of(ctx context.Context, d *db.DB, v model.Viewer, tweets []*model.Tweet) (visible, paid map[model.TweetID]bool,
	err error) {
	var l db.Lookup
	first := map[model.UserID]model.TweetID{} // of the tweets for which the viewer's follow matters
	relationships := map[model.UserID]*db.Found[struct{}]{}
	for _, t := range tweets {
		if first[t.AuthorID] == "" && model.FollowDecides(v, t) {
			first[t.AuthorID] = t.ID
			relationships[t.AuthorID] = db.Find[struct{}](&l, d.Relationship(v.ID, t.AuthorID))
		}
	}
	if err := d.Read(ctx, &l); err != nil {
		return nil, nil, err
	}
	visible, paid = make(map[model.TweetID]bool, len(tweets)), map[model.TweetID]bool{}
	for _, t := range tweets {
		r := relationships[t.AuthorID]
		follows := r != nil && r.Found
		visible[t.ID] = model.Visible(v, t, model.ViewerRelationship{Follows: follows})
		paid[t.ID] = first[t.AuthorID] == t.ID && !follows
	}
	return visible, paid, nil
}

// InPartitions picks the tweets that a home page shows of some that a timeline has: those that are there, belong in an
// audience partition, and that the reader may see. follows says whom the reader follows.
//
// Cost: nothing.
func InPartitions(reader model.UserID, follows func(model.UserID) bool, ids []model.TweetID,
	tweets map[model.TweetID]*model.Tweet) (shown []model.TweetID) {
	v := model.Viewer{ID: reader, Role: model.Member}
	for _, id := range ids {
		t := tweets[id]
		if t != nil && t.AudiencePartition() != model.NoAudiencePartition &&
			model.Visible(v, t, model.ViewerRelationship{Follows: follows(t.AuthorID)}) {
			shown = append(shown, id)
		}
	}
	return shown
}
