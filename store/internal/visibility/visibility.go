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

// InPartitions picks the tweets that a home page shows of some that a timeline has: those that
// are there, belong on an audience partition, and that the reader may see. An entry stays in the timeline
// for a moment when its reader has left the author, and for good when its tweet is not for
// followers any more.
//
// follows says whom the reader follows. If nil, InPartitions reads the relationships.
//
// Cost: what [Of] costs; nothing with follows.
func InPartitions(ctx context.Context, d *db.DB, reader model.UserID, follows func(model.UserID) bool,
	ids []model.TweetID, tweets map[model.TweetID]*model.Tweet) (shown []model.TweetID, err error) {
	v := model.Viewer{ID: reader, Role: model.Member}
	var some []*model.Tweet
	for _, id := range ids {
		if t := tweets[id]; t != nil && t.AudiencePartition() != model.NoAudiencePartition {
			some = append(some, t)
		}
	}
	if follows != nil {
		for _, t := range some {
			if model.Visible(v, t, model.ViewerRelationship{Follows: follows(t.AuthorID)}) {
				shown = append(shown, t.ID)
			}
		}
		return shown, nil
	}
	visible, _, err := Of(ctx, d, v, some)
	for _, t := range some {
		if visible[t.ID] {
			shown = append(shown, t.ID)
		}
	}
	return shown, err
}
