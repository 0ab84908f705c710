package functions_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// mute lets a user mute another, or a part of what the other does, or take that back, or change a filter that no tweet
// matches.
func (h *history) mute(ctx context.Context, u, v model.UserID, n int) {
	w, k := h.world, [2]model.UserID{u, v}
	if n%8 == 0 {
		f := model.Filter{Title: "f", Action: model.FilterHide, Contexts: model.FilterContexts,
			Keywords: []model.FilterKeyword{{Keyword: fmt.Sprint("nothing that is posted ", h.rng.IntN(10))}}}
		h.must(testenv.Patiently(func() error { _, err := h.store.Graph.PutFilter(ctx, u, "f", f); return err }))
		if h.rng.IntN(3) == 0 {
			h.must(testenv.Patiently(func() error { return h.store.Graph.RemoveFilter(ctx, u, "f") }))
		}
		return
	}
	if h.rng.IntN(3) == 0 {
		for _, other := range w.users { // the first, if there is one
			if w.mutes[[2]model.UserID{u, other}] != "" {
				k[1] = other
			}
		}
		h.must(testenv.Patiently(func() error { return h.store.Graph.Unmute(ctx, k[0], k[1]) }))
		delete(w.mutes, k)
		w.chose(u)
		return
	}
	if i := slices.IndexFunc(w.underWay, func(n *told) bool { return n.to == u && n.by != u }); i >= 0 {
		k[1] = w.underWay[i].by
	}
	if k[0] == k[1] {
		return
	}
	m := model.MutedUser{UserID: k[0], MutedID: k[1], HideNotifications: true,
		Part: []model.MutePart{model.MuteAll, model.MuteShares, model.MuteReplies}[n%3]}
	h.must(testenv.Patiently(func() error { return h.store.Graph.Mute(ctx, m, 0) }))
	w.mutes[k] = m.Part
	h.seen.add(mutedUser, 1)
	w.chose(u)
}
