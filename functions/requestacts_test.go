package functions_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// gate lets a user lock, whom another then asks, or answer a request, or open again.
func (h *history) gate(ctx context.Context, u, v model.UserID) {
	switch n := h.rng.IntN(10); {
	case n < 4:
		h.lock(ctx, v, true)
		h.follow(ctx, u, v)
	case n < 5:
		h.lock(ctx, v, false)
	case n < 6:
		h.accept(ctx, u, v) // who may have asked for nothing
	default:
		open := slices.SortedFunc(maps.Keys(h.world.requests), func(a, b [2]model.UserID) int {
			return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
		})
		if len(open) == 0 {
			return
		}
		k := pick(h.rng, open)
		switch n {
		case 6:
			h.refuse(ctx, k[0], k[1])
		case 7:
			h.unfollow(ctx, k[0], k[1])
		default:
			h.accept(ctx, k[0], k[1])
		}
	}
}

func (h *history) lock(ctx context.Context, u model.UserID, locked bool) {
	h.must(testenv.Patiently(func() error { return h.store.Users.UpdateUser(ctx, u, model.UserPatch{Locked: &locked}) }))
	h.world.locked[u] = locked
}

// asked notes that u asks to follow v by now.
func (h *history) asked(ctx context.Context, u, v model.UserID) {
	k := [2]model.UserID{u, v}
	if h.world.requests[k] {
		return
	}
	h.world.requests[k] = true
	var r model.FollowRequest
	snap, err := h.raw.Collection(model.FollowRequests).Doc(model.FollowRequestKey(u, v)).Get(ctx)
	h.must(err)
	h.must(snap.DataTo(&r))
	h.world.notify(v, "followRequest", u, "", r.CreatedAt)
}

// accept lets v accept that u follows. Without a request it is refused, but for a follower.
func (h *history) accept(ctx context.Context, u, v model.UserID) {
	k := [2]model.UserID{u, v}
	err := testenv.Patiently(func() error { return h.store.Requests.Accept(ctx, v, u) })
	if !h.world.requests[k] && h.world.follows[k] == nil {
		if errs.CodeOf(err) != "request_not_found" {
			h.t.Errorf("%s accepts %s, who does not ask: %v", v, u, err)
		}
		return
	}
	h.must(err)
	if h.world.requests[k] {
		h.seen.add(acceptedRequest, 1)
		h.answered(k)
	}
	h.follows(ctx, u, v)
}

func (h *history) refuse(ctx context.Context, u, v model.UserID) {
	h.must(testenv.Patiently(func() error { return h.store.Requests.Refuse(ctx, v, u) }))
	h.seen.add(refusedRequest, 1)
	h.answered([2]model.UserID{u, v})
}

// compareRequests compares who asks to follow a user, and what the user is told of requests of
// the user's own.
func compareRequests(t *testing.T, s *store.Store, w *world, uid model.UserID) {
	t.Helper()
	page, err := s.Requests.List(t.Context(), uid, model.Cursor{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	viewerRelationships, err := s.Graph.ViewerRelationshipsOf(t.Context(), uid, w.users)
	if err != nil {
		t.Fatal(err)
	}
	got := map[model.UserID]bool{}
	for _, r := range page.Items {
		got[r.FollowerID] = true
	}
	for _, other := range w.users {
		if want := w.requests[[2]model.UserID{other, uid}]; got[other] != want {
			t.Errorf("%s asks to follow %s: %v, want %v", other, uid, got[other], want)
		}
		if want := w.requests[[2]model.UserID{uid, other}]; viewerRelationships[other].Requested != want {
			t.Errorf("%s is told to ask %s: %v, want %v", uid, other, viewerRelationships[other].Requested, want)
		}
	}
}
