package store_test

import (
	"context"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// linked reads all of an author's followers from their pages, sorted.
func linked(t *testing.T, s *store.Store, author model.UserID) (followers []model.UserID, pages int) {
	t.Helper()
	audience, err := s.Audience(t.Context(), author, "2026-11")
	must(t, err)
	followers = audience.Followers
	for n := range audience.Pages {
		more, err := s.FollowersOnPage(t.Context(), author, n)
		must(t, err)
		for _, f := range more {
			if model.FollowerPage(f) != n {
				t.Errorf("%s is on page %d, want %d", f, n, model.FollowerPage(f))
			}
		}
		followers = append(followers, more...)
	}
	slices.Sort(followers)
	return followers, audience.Pages
}

// followersOf reads an author's followers from the facts, sorted.
func followersOf(t *testing.T, s *store.Store, author model.UserID) []model.UserID {
	t.Helper()
	page, err := s.Followers(t.Context(), author, store.Cursor{}, 1_000)
	must(t, err)
	followers := []model.UserID{}
	for _, r := range page.Items {
		followers = append(followers, r.FollowerID)
	}
	slices.Sort(followers)
	return followers
}

func TestLinkTimelineKeepsPages(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	ann := model.UserID("ann_`a.b%")
	fans := []model.UserID{"50%", "a.b", "a_b", "b`c", "火花"} // no easy field names
	_, err := e.CreateUser(t.Context(), ann, store.NewUser{Username: "ann"})
	must(t, err)
	for i, fan := range fans {
		_, err := e.CreateUser(t.Context(), fan, store.NewUser{Username: "fan_" + string(rune('a'+i))})
		must(t, err)
		must(t, e.Follow(t.Context(), fan, ann))
		for range 2 { // linking again changes nothing
			must(t, costs(t, "LinkTimeline", 5, 3, 0, func(ctx context.Context) error { return e.LinkTimeline(ctx, fan, ann) }))
		}
	}
	if got, pages := linked(t, e.Store, ann); pages != 0 || !slices.Equal(got, fans) {
		t.Errorf("followers = %q on %d pages, want %q", got, pages, fans)
	}
	must(t, costs(t, "Audience", 1, 0, 0, func(ctx context.Context) error { _, err := e.Audience(ctx, ann, "2026-11"); return err }))
	must(t, costs(t, "FollowersOnPage", 1, 0, 0, func(ctx context.Context) error { _, err := e.FollowersOnPage(ctx, ann, 3); return err }))
	for _, fan := range fans[1:] {
		must(t, e.Unfollow(t.Context(), fan, ann))
		must(t, costs(t, "LinkTimeline, unfollowed", 2, 3, 0, func(ctx context.Context) error { return e.LinkTimeline(ctx, fan, ann) }))
	}
	if got, _ := linked(t, e.Store, ann); !slices.Equal(got, fans[:1]) {
		t.Errorf("followers = %q, want %q", got, fans[:1])
	}
	must(t, e.LinkTimeline(t.Context(), "stranger", "nobody")) // an unfollow may be heard of first, or alone
	if got, pages := linked(t, e.Store, "nobody"); len(got) != 0 || pages != 0 {
		t.Errorf("followers of nobody = %v, %d pages", got, pages)
	}
}
