package functions_test

import (
	"cmp"
	"context"
	"maps"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// bar lets a user block another, who mostly did something of which the user may not have been told yet,
// or lets somebody unblock.
func (h *history) bar(ctx context.Context, u, v model.UserID) {
	blocks := slices.SortedFunc(maps.Keys(h.world.blocks), func(a, b [2]model.UserID) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	if h.rng.IntN(3) == 0 && len(blocks) > 0 {
		k := pick(h.rng, blocks)
		h.unblock(ctx, k[0], k[1])
		return
	}
	if len(h.world.underWay) > 0 && h.rng.IntN(4) > 0 {
		if n := pick(h.rng, h.world.underWay); n.kind != model.NotificationOrder {
			u, v = n.to, n.by
		}
	}
	if h.rng.IntN(3) == 0 {
		h.idle() // what v did has been told
	}
	h.block(ctx, u, v)
	if h.rng.IntN(4) == 0 { // while its event may be under way
		h.unblock(ctx, u, v)
	}
}

// block ends the following between two users, and requests for it, and takes what each did off the
// notifications of the other.
func (h *history) block(ctx context.Context, u, v model.UserID) {
	w, k, back := h.world, [2]model.UserID{u, v}, [2]model.UserID{v, u}
	if u == v {
		return
	}
	h.must(testenv.Patiently(func() error { return h.store.Graph.Block(ctx, u, v) }))
	if w.blocks[k] {
		return
	}
	w.blocks[k] = true
	w.talks.doubt[doubtful(u, v)] = true
	for _, pair := range [][2]model.UserID{k, back} {
		w.unfollow(pair[0], pair[1])
		if w.requests[pair] {
			h.answered(pair)
		}
	}
	for _, n := range w.underWay {
		switch {
		case n.kind == model.NotificationOrder, n.gone:
		case n.to == u && n.by == v, n.to == v && n.by == u:
			w.accountDeletion[k] = append(w.accountDeletion[k], n)
			h.seen.add(blockedMeanwhile, 1)
		}
	}
}

// unblock brings nothing back. What is under way, or leaves the notifications, may have been told or not.
func (h *history) unblock(ctx context.Context, u, v model.UserID) {
	w, k := h.world, [2]model.UserID{u, v}
	h.must(testenv.Patiently(func() error { return h.store.Graph.Unblock(ctx, u, v) }))
	if !w.blocks[k] {
		return
	}
	h.seen.add(unblocked, 1)
	delete(w.blocks, k)
	w.talks.doubt[doubtful(u, v)] = true
	for _, n := range w.accountDeletion[k] {
		n.either = true
	}
	delete(w.accountDeletion, k)
	w.chose(u)
	w.chose(v)
}

// between reports whether one of two users blocks the other.
func (w *world) between(u, v model.UserID) bool {
	return w.blocks[[2]model.UserID{u, v}] || w.blocks[[2]model.UserID{v, u}]
}

// lets reports whether the author of a tweet does not block a user, who tries to do something with it.
func (h *history) lets(u model.UserID, id model.TweetID) bool {
	if h.world.blocks[[2]model.UserID{h.world.tweets[id].author, u}] {
		h.seen.add(barredAct, 1)
		return false
	}
	return true
}

// compareBlocks compares whom each user blocks.
func (h *history) compareBlocks() {
	h.t.Helper()
	got := map[[2]model.UserID]bool{}
	for _, u := range h.world.users {
		page, err := h.store.Graph.Blocks(h.t.Context(), u, model.Cursor{}, 1_000)
		h.must(err)
		for _, b := range page.Items {
			got[[2]model.UserID{b.BlockerID, b.BlockeeID}] = true
		}
	}
	if diff := gocmp.Diff(h.world.blocks, got); diff != "" {
		h.t.Errorf("who blocks whom (-want +got):\n%s", diff)
	}
}
