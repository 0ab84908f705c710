package functions_test

import (
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hibana-sns/hibana/model"
)

// compareViewers compares each reader's document of the graph with whom the reader follows, mutes and blocks, with who
// blocks the reader, and with whom the reader's home timeline leaves out.
func (h *history) compareViewers() {
	h.t.Helper()
	type viewer struct {
		Follows, Mutes, Blocks, BlockedBy []model.UserID
		Excluded                          []model.UserID // others whom the home timeline leaves out
		Whole                             bool
		Muted                             map[model.UserID]model.Mute
	}
	for _, uid := range h.world.users {
		snap, err := h.raw.Collection(model.Viewers).Doc(string(uid)).Get(h.t.Context())
		h.must(err)
		var is model.ViewerGraph
		h.must(snap.DataTo(&is))
		got := viewer{slices.Sorted(maps.Keys(is.Follows)), slices.Sorted(maps.Keys(is.Mutes)),
			slices.Sorted(maps.Keys(is.Blocks)), slices.Sorted(maps.Keys(is.BlockedBy)),
			slices.Sorted(maps.Keys(is.Excluded())), is.Whole, is.Muted}
		got.Excluded = slices.DeleteFunc(got.Excluded, func(other model.UserID) bool { return other == uid })
		want := viewer{Whole: true, Muted: map[model.UserID]model.Mute{}}
		for k, part := range h.world.mutes {
			if k[0] == uid {
				want.Muted[k[1]] = (&model.MutedUser{Part: part, HideNotifications: true}).Mute()
			}
		}
		for k := range h.world.follows {
			if k[0] == uid {
				want.Follows = append(want.Follows, k[1])
			}
		}
		for _, other := range h.world.users {
			if h.world.leavesOut(uid, other) {
				want.Excluded = append(want.Excluded, other)
			}
		}
		for k := range h.world.hides {
			if k[0] == uid && h.world.hides[k] {
				want.Mutes = append(want.Mutes, k[1])
			}
		}
		for k := range h.world.blocks {
			if k[0] == uid {
				want.Blocks = append(want.Blocks, k[1])
			}
			if k[1] == uid {
				want.BlockedBy = append(want.BlockedBy, k[0])
			}
		}
		for _, list := range [][]model.UserID{want.Follows, want.Mutes, want.Blocks, want.BlockedBy} {
			slices.Sort(list)
		}
		if choice, err := h.store.Settings.NotificationEvents(h.t.Context(), uid); err != nil {
			h.t.Error(err)
		} else if diff := cmp.Diff(choice, is.Choice, cmpopts.EquateEmpty()); diff != "" {
			h.t.Errorf("the settings of %s in the graph (-want +got):\n%s", uid, diff)
		}
		if filters, err := h.store.Graph.Filters(h.t.Context(), uid); err != nil {
			h.t.Error(err)
		} else if !model.EqualFilters(filters.Filters, is.Filters) {
			h.t.Errorf("the filters of %s in the graph are %+v, want %+v", uid, is.Filters, filters.Filters)
		}
		if tags, err := h.store.Graph.FollowedTags(h.t.Context(), uid); err != nil {
			h.t.Error(err)
		} else if _, follows := is.FollowedTags["go"]; !model.EqualFollowedTags(tags.Tags, is.FollowedTags) ||
			follows != h.world.choices.tag[uid] {
			h.t.Errorf("the tags of %s in the graph are %v, want %v", uid, is.FollowedTags, tags.Tags)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			h.t.Errorf("the graph of %s (-want +got):\n%s", uid, diff)
		}
	}
}
