package functions_test

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// senders are what users decided about notifications of users whom they do not follow.
type senders struct {
	policy    map[model.UserID]model.SenderAction // of users whom the user does not follow; absent for accept
	accepted  map[[2]model.UserID]bool            // user, sender
	dismissed map[[2]model.UserID]bool            // user, sender: a request was dismissed, once
	filtered  []*told                             // dropped by a policy, in the requests unless a request was dismissed
}

func newSenders() senders {
	return senders{policy: map[model.UserID]model.SenderAction{}, accepted: map[[2]model.UserID]bool{},
		dismissed: map[[2]model.UserID]bool{}}
}

// action is what the policy of a user does with what the user would be told.
func (w *world) action(n *told) model.SenderAction {
	k := [2]model.UserID{n.to, n.by}
	policy := w.senders.policy[n.to]
	if policy == "" || !n.kind.Filterable() || w.senders.accepted[k] || w.follows[k] != nil {
		return model.SenderAccept
	}
	return policy
}

// strange lets a user set or clear a policy, take an acceptance back, or answer a request. If nobody has a request, a
// stranger makes one.
func (h *history) strange(ctx context.Context, u model.UserID) {
	n := h.rng.IntN(8)
	accepted := h.acceptedBy(u)
	switch {
	case n < 2:
		h.police(ctx, u, pick(h.rng, []model.SenderAction{model.SenderFilter, model.SenderDrop, model.SenderAccept}))
		return
	case n < 3 && len(accepted) > 0:
		h.unaccept(ctx, u, pick(h.rng, accepted))
		return
	}
	requests := h.requests(ctx)
	if len(requests) == 0 || n < 5 {
		h.provoke(ctx, u)
		requests = h.requests(ctx)
	}
	if len(requests) == 0 {
		return
	}
	if k := pick(h.rng, requests); n < 6 {
		h.acceptSender(ctx, k[0], k[1])
	} else {
		h.dismissSender(ctx, k[0], k[1])
	}
}

// requests are the users and senders of all requests of notifications.
func (h *history) requests(ctx context.Context) (all [][2]model.UserID) {
	for _, u := range h.world.users {
		is, err := h.store.Settings.Requests(ctx, u)
		h.must(err)
		from := is.Senders()
		slices.Sort(from)
		for _, sender := range from {
			all = append(all, [2]model.UserID{u, sender})
		}
	}
	return all
}

// provoke lets strangers follow a user who filters what they do, and like a tweet of the user.
func (h *history) provoke(ctx context.Context, u model.UserID) {
	w := h.world
	for _, other := range w.users {
		if w.senders.policy[u] != model.SenderFilter && w.senders.policy[other] == model.SenderFilter {
			u = other
		}
	}
	if w.senders.policy[u] != model.SenderFilter {
		h.police(ctx, u, model.SenderFilter)
	}
	for range 2 {
		v := pick(h.rng, w.users)
		if w.follows[[2]model.UserID{u, v}] != nil {
			continue
		}
		h.follow(ctx, v, u)
		if own := w.by(u); len(own) > 0 && !w.tweets[own[0]].flagged {
			h.like(ctx, v, own[0])
		}
	}
	if h.rng.IntN(4) > 0 {
		h.idle()
	}
}

func (h *history) police(ctx context.Context, u model.UserID, to model.SenderAction) {
	h.must(testenv.Patiently(func() error {
		_, err := h.store.Settings.ChangePolicy(ctx, u, model.NotificationPolicyPatch{NotFollowed: &to})
		return err
	}))
	if h.world.senders.policy[u] = to; to == model.SenderAccept {
		delete(h.world.senders.policy, u)
	}
	h.seen.add(changedPolicy, 1)
	h.world.chose(u)
}

// acceptSender accepts the request of a sender. What was filtered comes, and what is under way too. A withdrawal may
// have taken the request away meanwhile.
func (h *history) acceptSender(ctx context.Context, u, sender model.UserID) {
	err := testenv.Patiently(func() error { return h.store.Settings.AcceptRequest(ctx, u, sender) })
	if errs.CodeOf(err) == "notification_request_not_found" {
		return
	}
	h.must(err)
	h.seen.add(acceptedSender, 1)
	h.world.senders.accepted[[2]model.UserID{u, sender}] = true
	h.world.chose(u)
}

// dismissSender dismisses the request of a sender. The database may lose the answer, so that there is no request at the
// next try.
func (h *history) dismissSender(ctx context.Context, u, sender model.UserID) {
	err := testenv.Patiently(func() error { return h.store.Settings.DismissRequest(ctx, u, sender) })
	if errs.CodeOf(err) != "notification_request_not_found" {
		h.must(err)
	}
	h.seen.add(dismissedSender, 1)
	h.world.senders.dismissed[[2]model.UserID{u, sender}] = true
}

func (h *history) unaccept(ctx context.Context, u, sender model.UserID) {
	h.must(testenv.Patiently(func() error { return h.store.Settings.Refuse(ctx, u, sender) }))
	delete(h.world.senders.accepted, [2]model.UserID{u, sender})
	h.world.chose(u)
}

// acceptedBy are the senders whom a user accepts, sorted.
func (h *history) acceptedBy(u model.UserID) (all []model.UserID) {
	for k := range h.world.senders.accepted {
		if k[0] == u {
			all = append(all, k[1])
		}
	}
	slices.Sort(all)
	return all
}

// compareFiltered compares each user's policy, whom the user accepts, and what is in the requests.
func (h *history) compareFiltered() {
	h.t.Helper()
	type event struct {
		Type model.NotificationKind
		At   time.Time
	}
	w := h.world
	w.senders.filtered = slices.DeleteFunc(w.senders.filtered, func(n *told) bool { return n.gone })
	h.seen.add(filteredEvent, len(w.senders.filtered))
	for _, u := range w.users {
		choice, err := h.store.Settings.NotificationEvents(h.t.Context(), u)
		h.must(err)
		var policy model.SenderAction
		if choice.Policy != nil {
			policy = choice.Policy.NotFollowed
		}
		if want := w.senders.policy[u]; policy != want {
			h.t.Errorf("the policy of %s is %q, want %q", u, policy, want)
		}
		accepted := choice.AcceptedSenders()
		slices.Sort(accepted)
		if diff := cmp.Diff(h.acceptedBy(u), accepted, cmpopts.EquateEmpty()); diff != "" {
			h.t.Errorf("senders whom %s accepts (-want +got):\n%s", u, diff)
		}
		got, want := map[model.UserID]map[event]bool{}, map[model.UserID]map[event]bool{}
		for _, n := range w.senders.filtered {
			if n.to == u {
				if want[n.by] == nil {
					want[n.by] = map[event]bool{}
				}
				want[n.by][event{n.kind, n.at[0].UTC()}] = true
			}
		}
		is, err := h.store.Settings.Requests(h.t.Context(), u)
		h.must(err)
		for _, by := range is.Senders() {
			got[by] = map[event]bool{}
			for _, e := range is.Of(by).Events {
				got[by][event{e.Type, e.At.UTC()}] = true
			}
		}
		for _, by := range slices.Sorted(maps.Keys(want)) {
			if w.senders.dismissed[[2]model.UserID{u, by}] || len(want[by]) > model.MaxFilteredEvents { // some are left
				maps.DeleteFunc(want[by], func(e event, _ bool) bool { return !got[by][e] })
			}
			if len(want[by]) == 0 {
				delete(want, by)
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			h.t.Errorf("notification requests of %s (-want +got):\n%s", u, diff)
		}
	}
}
