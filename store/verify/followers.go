package verify

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// followers compares an author's pages of followers with the relationships: the followers, the beginnings of their
// follows, and the dormant ones. Nothing is pushed to a follower who is marked as dormant, so a mark of an active
// follower is wrong. A missing mark is no difference: a dormant reader who follows another user has none, and the mark
// only saves writes.
func followers(a *Auditor, u *snapshot.User) (ds []Difference) {
	home := func(f model.UserID) string {
		if u.Pages.Hashed > 0 {
			return model.HashedFollowerPageKey(u.ID, model.FollowerPage(f))
		}
		return model.FollowerPageKey(u.ID)
	}
	compare := func(page, field string, f model.UserID, have, want any) {
		restore := &fix{"follower " + string(f) + " on " + page, func(ctx context.Context) error {
			if page != home(f) {
				return a.removeStrayFollower(ctx, page, f)
			}
			return a.timelines.Link(ctx, f, u.ID)
		}}
		add(&ds, model.FollowerPages, at(model.FollowerPages, page), field+"."+string(f), have, want, restore)
	}
	since := map[model.UserID]time.Time{}
	for _, rel := range u.Followers {
		since[rel.FollowerID] = rel.CreatedAt
		page := home(rel.FollowerID)
		if have, ok := u.Pages.Pages[page].Followers[rel.FollowerID]; !ok {
			compare(page, "followers", rel.FollowerID, nil, rel.CreatedAt)
		} else if !have.Equal(rel.CreatedAt) {
			compare(page, "followers", rel.FollowerID, have, rel.CreatedAt)
		}
	}
	for _, page := range slices.Sorted(maps.Keys(u.Pages.Pages)) {
		for f, have := range u.Pages.Pages[page].Followers {
			if _, follows := since[f]; !follows || page != home(f) {
				compare(page, "followers", f, have, nil)
			}
		}
		for f := range u.Pages.Pages[page].Dormant {
			if _, follows := since[f]; !follows || page != home(f) || u.Pages.Active[f] {
				compare(page, "asleep", f, true, nil)
			}
		}
	}
	return ds
}
