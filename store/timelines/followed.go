package timelines

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// clocksApart is how far the clocks of two processes may be apart.
const clocksApart = time.Minute

// Followed lists at most so many authors whom a dormant follower follows: first those who were
// followed since, and then those who wrote last when the reader became dormant. Sleep left the
// list. It may have authors whom the reader has left. Without the list, Followed lists the
// newest follows, half as many.
//
// Cost: 2 reads, 1 read for each step of Sleep, and 1 read a relationship that came since.
// Without the list: 1 read, and 1 read a relationship, up to half of most.
func followedDormant(ctx context.Context, d *db.DB, f *facts.Store, uid model.UserID, most int) ([]model.UserID,
	error) {
	list, listed, err := read(ctx, d, uid)
	if err != nil {
		return nil, err
	}
	since := time.Unix(0, 0)
	if list.Pages > 0 {
		since = list.Since.Add(-clocksApart)
	}
	newer, err := f.FollowedSince(ctx, uid, since, model.Cursor{}, most/2)
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
