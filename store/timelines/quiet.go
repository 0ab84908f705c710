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

// mutes reads which of some users the reader mutes, if the page does not know the reader's graph. It asks of each user
// once.
//
// Cost: nothing with a whole graph; otherwise of each 30 users who are new to the page, 1 read for each mute, at least
// 1.
func (r *positions) mutes(ctx context.Context, uid model.UserID, k *positionPage, of []model.UserID) error {
	if k.quiet == nil || k.whole() {
		return nil
	}
	var others []model.UserID
	for _, other := range of {
		if other != uid && !k.asked[other] {
			k.asked[other] = true
			others = append(others, other)
		}
	}
	muted, err := r.viewers.Muted(ctx, uid, others)
	maps.Copy(k.known.Muted, muted)
	return err
}
