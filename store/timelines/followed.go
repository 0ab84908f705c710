package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// clocksApart is the largest assumed difference between the clocks of two processes.
const clocksApart = time.Minute

// followedDormant returns up to most authors whom a dormant follower follows. Follows since the dormancy come first.
// Then come the authors of the list that [Rebuilder.MarkDormant] wrote, with the latest writers first. The list may
// have authors whom the reader no longer follows. Without the list, followedDormant returns up to half of most, newest
// follows first.
//
// Cost: 2 reads, 1 read a page of the list, and 1 read a newer relationship.
func followedDormant(ctx context.Context, d *db.DB, g *graph.Store, uid model.UserID, most int) ([]model.UserID,
	error) {
	list, listed, err := read(ctx, d, uid)
	if err != nil {
		return nil, err
	}
	since := time.Unix(0, 0)
	if list.Pages > 0 {
		since = list.Since.Add(-clocksApart)
	}
	newer, err := g.FollowedSince(ctx, uid, since, model.Cursor{}, most/2)
	if err != nil {
		return nil, err
	}
	var authors []model.UserID
	seen := map[model.UserID]bool{}
	for _, rel := range newer.Items {
		seen[rel.FollowedID] = true
		authors = append(authors, rel.FollowedID)
	}
	for _, author := range listed {
		if len(authors) < most && !seen[author] {
			authors = append(authors, author)
		}
	}
	return authors, nil
}
