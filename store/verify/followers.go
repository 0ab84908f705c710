package verify

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// followerList compares the list of a user's newest followers with the relationships. A list that is not whole has
// every follower from its oldest one on, and has at least as many as a function leaves. A missing list is right: lists
// of followers then come from a query. A user without a profile has no list.
func followerList(a *Auditor, u *snapshot.User) (ds []Difference) {
	path, is := at(model.FollowerLists, string(u.ID)), &u.FollowerList
	restore := &fix{path, func(ctx context.Context) error { return a.followerLists.Restore(ctx, u.ID) }}
	differ := func(field string, have, want any) {
		add(&ds, model.FollowerLists, path, field, have, want, restore)
	}
	switch {
	case !u.HasFollowerList:
		return nil
	case u.User == nil:
		differ("", "list", nil)
		return ds
	case len(is.Followers) > a.followerLists.Most():
		differ("", len(is.Followers), a.followerLists.Most())
	case is.Whole || len(is.Followers) >= a.followerLists.Refill():
	case len(u.Followers) <= a.followerLists.Most():
		differ("whole", false, true)
	default:
		differ("", len(is.Followers), a.followerLists.Most())
	}
	want := model.FollowerList{Whole: true}
	for _, r := range u.Followers {
		if is.Reaches(r) {
			want.Put(r)
		}
	}
	for _, follower := range slices.Sorted(maps.Keys(merged(want.Followers, is.Followers))) {
		have, should := is.Followers[follower], want.Followers[follower]
		if !have.Equal(should) {
			differ("followers."+string(follower), present(is.Followers, follower), present(want.Followers, follower))
		}
	}
	return ds
}
