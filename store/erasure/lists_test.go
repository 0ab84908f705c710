package erasure_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// An account deletion takes a user off the lists of others, although an owner changes one exclusive list at the same
// moment, and another owner deletes one. No change is lost, in the list and in its copy.
func TestLeaveChangingLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "zoe")
	lists := map[model.UserID]string{}
	for _, uid := range []model.UserID{"ann", "bob", "cat", "dan"} {
		l, err := e.Lists.Create(t.Context(), uid, model.ListPatch{Title: new("x"), Exclusive: new(uid != "dan")},
			model.Request{})
		testenv.Must(t, err)
		lists[uid] = l.ID
		testenv.Must(t, e.Lists.Add(t.Context(), uid, l.ID, "zoe"))
	}
	_, err := e.Users.Leave(t.Context(), "zoe")
	testenv.Must(t, err)
	path := func(uid model.UserID) string { return "lists/" + model.ListKey(uid, lists[uid]) }
	var changed error
	s := e.Again(t, store.Options{LeavePause: time.Millisecond, Meter: meter.Options{Below: storetest.Before(
		storetest.WritesTo(path("ann")), func() {
			if changed = e.Lists.Add(t.Context(), "bob", lists["bob"], "ann"); changed == nil {
				changed = e.Lists.Delete(t.Context(), "dan", lists["dan"])
			}
		})}})
	snap, err := e.Raw.Doc("leavings/zoe").Get(t.Context())
	testenv.Must(t, err)
	var work model.DeletionWork
	testenv.Must(t, snap.DataTo(&work))
	work.WrittenAt = snap.UpdateTime
	testenv.Must(t, s.AccountDeletions.Leave(t.Context(), work)) // one step
	testenv.Must(t, changed)
	for uid, want := range map[model.UserID][]model.UserID{"ann": {}, "bob": {"ann"}, "cat": {}} {
		snap, err := e.Raw.Doc(path(uid)).Get(t.Context())
		testenv.Must(t, err)
		var l model.PeopleList
		testenv.Must(t, snap.DataTo(&l))
		var graph model.ViewerGraph
		snap, err = e.Raw.Doc("viewers/" + string(uid)).Get(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, snap.DataTo(&graph))
		is := map[string][]model.UserID{lists[uid]: l.Members}
		if !model.EqualExclusive(is, map[string][]model.UserID{lists[uid]: want}) ||
			!model.EqualExclusive(graph.Exclusive, is) {
			t.Errorf("%s has %v, and the copy %v, want %v", uid, l.Members, graph.Exclusive, want)
		}
	}
	if doc := e.Doc(t, path("dan")); doc != nil {
		t.Errorf("the deleted list is %v", doc)
	}
}
