package functions_test

import (
	"context"
	"strings"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// choices are what users follow and keep besides people, for their home timelines.
type choices struct {
	tag       map[model.UserID]bool    // who follows #go
	members   map[[2]model.UserID]bool // who is on whose list
	exclusive map[model.UserID]bool    // whose list is exclusive
}

func newChoices() choices {
	return choices{map[model.UserID]bool{}, map[[2]model.UserID]bool{}, map[model.UserID]bool{}}
}

// list lets a user follow a tag, or change a list that home may leave out.
func (h *history) list(ctx context.Context, u, v model.UserID, n int) {
	w := h.world
	if n%3 == 0 {
		act := h.store.Graph.FollowTag
		if w.choices.tag[u] && h.rng.IntN(2) == 0 {
			act = h.store.Graph.UnfollowTag
			delete(w.choices.tag, u)
		} else {
			w.choices.tag[u] = true
		}
		h.must(testenv.Patiently(func() error { return act(ctx, u, "Go") }))
		return
	}
	var id string
	h.must(testenv.Patiently(func() error {
		l, err := h.store.Lists.Create(ctx, u, model.ListPatch{Title: new("a list")}, model.Request{Key: "list"})
		if err == nil {
			id = l.ID
		}
		return err
	}))
	is := h.rng.IntN(3) > 0
	switch k := [2]model.UserID{u, v}; {
	case n%3 == 1:
		h.must(testenv.Patiently(func() error {
			_, err := h.store.Lists.Change(ctx, u, id, model.ListPatch{Exclusive: &is})
			return err
		}))
		w.choices.exclusive[u] = is
	case !is:
		h.must(testenv.Patiently(func() error { return h.store.Lists.Remove(ctx, u, id, v) }))
		delete(w.choices.members, k)
	case !w.between(u, v):
		h.must(testenv.Patiently(func() error { return h.store.Lists.Add(ctx, u, id, v) }))
		w.choices.members[k] = true
	}
}

// leavesOut reports whether a user's home timeline leaves out what another writes and shares.
func (w *world) leavesOut(u, other model.UserID) bool {
	return u != other && w.choices.exclusive[u] && w.choices.members[[2]model.UserID{u, other}]
}

// tagged returns the tweets that come to a user's home timeline by the tag.
func (w *world) tagged(u model.UserID) (ids []model.TweetID) {
	if !w.choices.tag[u] {
		return nil
	}
	all := map[model.TweetID]bool{}
	for id, t := range w.tweets {
		if strings.Contains(t.content, "#go") && t.doc.Visibility == model.Public {
			all[id] = true
		}
	}
	var pick model.TagPick
	for _, id := range model.Newest(all, model.FollowedTagReads) {
		if author := w.tweets[id].author; !w.locked[author] && pick.Take(author) && !w.leavesOut(u, author) &&
			!w.between(u, author) {
			ids = append(ids, id)
		}
	}
	return ids
}
