package timelines

import (
	"context"
	"maps"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// beQuiet makes the page leave out what its reader does not want to see. The page has read the reader's graph. A graph
// that is not whole has the filters alone, and [positions.mutes] reads the mutes.
func (k *positionPage) beQuiet(uid model.UserID, now time.Time) {
	if k.known = k.viewer; !k.whole() {
		k.known = &model.ViewerGraph{Filters: k.viewer.Filters, Muted: map[model.UserID]model.Mute{}}
	}
	k.quiet = k.known.Quiet(uid, now)
}

// hides reports whether the page leaves out a tweet, and remembers the filters that warn of it.
func (k *positionPage) hides(t *model.Tweet) bool {
	if k.quiet.HidesTweet(t) {
		return true
	}
	hits := k.quiet.Filters(t.AuthorID, t.FilterText(), model.FilterHome)
	k.hits[t.ID] = hits
	return model.Hidden(hits)
}

// mutes reads which authors and sharers of some tweets the reader mutes, if the page does not know the reader's graph.
//
// Cost: nothing with a whole graph; otherwise of each 30 users who are new to the page, 1 read for each mute, at least
// 1.
func (r *positions) mutes(ctx context.Context, uid model.UserID, k *positionPage, ids []model.TweetID,
	tweets map[model.TweetID]*model.Tweet) error {
	if k.quiet == nil || k.whole() {
		return nil
	}
	var others []model.UserID
	ask := func(other model.UserID) {
		if other != uid && !k.asked[other] {
			k.asked[other] = true
			others = append(others, other)
		}
	}
	for _, id := range ids {
		if t := tweets[id]; t != nil {
			ask(t.AuthorID)
		}
		for _, s := range k.shares[id] {
			ask(s.Author)
		}
	}
	muted, err := r.viewers.Muted(ctx, uid, others)
	maps.Copy(k.known.Muted, muted)
	return err
}
