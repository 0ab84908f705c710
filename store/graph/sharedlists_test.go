package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Others see a public list, its members without those whom they block, and no private list. A block hides the lists.
func TestPublicLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	private, public := makeList(t, e, "ann", "bob"), makeList(t, e, "ann", "bob", "cat", "dan")
	l, err := e.Lists.Change(ctx, "ann", public, model.ListPatch{Visibility: new(model.PublicList),
		Description: new(" sparks "), RepliesPolicy: new(model.RepliesToNobody)})
	testenv.Must(t, err)
	if l.Description != "sparks" || !l.IsPublic() || l.RepliesPolicy != model.RepliesToNobody || len(l.Members) != 3 {
		t.Errorf("the list is %+v", l)
	}
	for _, p := range []model.ListPatch{{Visibility: new(model.ListVisibility("x"))},
		{RepliesPolicy: new(model.RepliesPolicy("x"))}} {
		_, err := e.Lists.Change(ctx, "ann", public, p)
		storetest.WantErr(t, err, errs.Invalid, "invalid_list")
	}
	_, err = e.Lists.Change(ctx, "ann", public, model.ListPatch{Description: new(strings.Repeat("x", 501))})
	storetest.WantErr(t, err, errs.Invalid, "too_long")
	sees := func(what string, viewer model.UserID, is bool, members ...model.UserID) {
		t.Helper()
		l, err := e.Lists.Seen(ctx, viewer, "ann", public)
		lists, failure := e.Lists.SeenOf(ctx, viewer, "ann")
		testenv.Must(t, failure)
		if !is {
			storetest.WantErr(t, err, errs.NotFound, "list_not_found")
			if len(lists) > 0 {
				t.Errorf("%s: %s sees lists of ann: %v", what, viewer, lists)
			}
			return
		}
		testenv.Must(t, err)
		got, err := e.Lists.SeenMembers(ctx, viewer, l)
		testenv.Must(t, err)
		if !slices.Equal(got, members) || len(lists) != 1 || lists[0].ID != public {
			t.Errorf("%s: %s sees the members %v of %v, want %v", what, viewer, got, lists, members)
		}
		_, err = e.Lists.Seen(ctx, viewer, "ann", private)
		storetest.WantErr(t, err, errs.NotFound, "list_not_found")
	}
	for range 2 { // without a graph, and with one
		sees("all", "bob", true, "dan", "cat", "bob")
		sees("all", "", true, "dan", "cat", "bob")
		testenv.Must(t, e.Graph.Block(ctx, "bob", "cat"))
		testenv.Must(t, e.Graph.Block(ctx, "dan", "bob"))
		testenv.Must(t, e.Viewers.Block(ctx, "dan", "bob"))
		sees("blocks of members", "bob", true, "bob")
		testenv.Must(t, e.Graph.Unblock(ctx, "bob", "cat"))
		testenv.Must(t, e.Graph.Unblock(ctx, "dan", "bob"))
		testenv.Must(t, e.Viewers.Block(ctx, "dan", "bob"))
		for _, pair := range [][2]model.UserID{{"ann", "bob"}, {"bob", "ann"}} {
			testenv.Must(t, e.Graph.Block(ctx, pair[0], pair[1]))
			testenv.Must(t, e.Viewers.Block(ctx, pair[0], pair[1]))
			sees("a block", "bob", false)
			sees("a block with the owner", "", true, "dan", "cat")
			sees("a block with the owner", "dan", true, "dan", "cat")
			testenv.Must(t, e.Graph.Unblock(ctx, pair[0], pair[1]))
			testenv.Must(t, e.Viewers.Block(ctx, pair[0], pair[1]))
		}
		testenv.Must(t, e.Viewers.Restore(ctx, "bob"))
	}
	testenv.Must(t, storetest.Costs(t, "Seen by another", 2, 0, 0, func(ctx context.Context) error {
		_, err := e.Lists.Seen(ctx, "bob", "ann", public)
		return err
	}))
	_, err = e.Lists.Change(ctx, "ann", public, model.ListPatch{Visibility: new(model.PrivateList)})
	testenv.Must(t, err)
	sees("private again", "bob", false)
}

// copyOf returns the copy of exclusive lists in a user's graph.
func copyOf(t *testing.T, e *storetest.Env, uid model.UserID) map[string][]model.UserID {
	t.Helper()
	snap, err := e.Raw.Doc("viewers/" + string(uid)).Get(t.Context())
	testenv.Must(t, err)
	var v model.ViewerGraph
	testenv.Must(t, snap.DataTo(&v))
	return v.Exclusive
}

// wantCopy compares the copy of exclusive lists with the lists, also after a rebuild.
func wantCopy(t *testing.T, what string, e *storetest.Env, uid model.UserID) {
	t.Helper()
	all, err := e.Lists.Of(t.Context(), uid)
	testenv.Must(t, err)
	want := map[string][]model.UserID{}
	for _, l := range all {
		if l.Exclusive {
			want[l.ID] = l.Members
		}
	}
	if got := copyOf(t, e, uid); !model.EqualExclusive(want, got) {
		t.Errorf("%s: the copy is %v, want %v", what, got, want)
	}
	testenv.Must(t, e.Viewers.Restore(t.Context(), uid))
	if got := copyOf(t, e, uid); !model.EqualExclusive(want, got) {
		t.Errorf("%s: the rebuilt copy is %v, want %v", what, got, want)
	}
}

// The graph of an owner has the members of exclusive lists after each change of a list and its members, also of members
// who leave, and while answers of commits are lost.
func TestExclusiveLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LeavePause: time.Nanosecond})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	exclusive := func(id string, is bool) {
		t.Helper()
		_, err := e.Lists.Change(ctx, "ann", id, model.ListPatch{Exclusive: &is})
		testenv.Must(t, err)
	}
	first, second := makeList(t, e, "ann", "bob", "cat"), makeList(t, e, "ann", "cat")
	testenv.Must(t, e.Viewers.Restore(ctx, "ann"))
	wantCopy(t, "none", e, "ann")
	exclusive(first, true)
	wantCopy(t, "one", e, "ann")
	exclusive(second, true)
	testenv.Must(t, storetest.Costs(t, "add to an exclusive list", 4, 2, 0, func(ctx context.Context) error {
		return e.Again(t, store.Options{}).Lists.Add(ctx, "ann", second, "dan")
	}))
	wantCopy(t, "two", e, "ann")
	testenv.Must(t, storetest.Costs(t, "remove from an exclusive list", 1, 2, 0, func(ctx context.Context) error {
		return e.Lists.Remove(ctx, "ann", first, "cat")
	}))
	wantCopy(t, "cat on one", e, "ann")
	work, err := e.Users.Leave(ctx, "cat")
	testenv.Must(t, err)
	testenv.Must(t, e.AccountDeletions.Leave(ctx, *work))
	wantCopy(t, "a member left", e, "ann")
	if diff := cmp.Diff(map[string][]model.UserID{first: {"bob"}, second: {"dan"}}, copyOf(t, e, "ann")); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
	exclusive(first, false)
	wantCopy(t, "one again", e, "ann")
	testenv.Must(t, storetest.Costs(t, "delete an exclusive list", 1, 1, 1, func(ctx context.Context) error {
		return e.Lists.Delete(ctx, "ann", second)
	}))
	wantCopy(t, "none again", e, "ann")
	made, err := e.Lists.Create(ctx, "ann", model.ListPatch{Title: new("x"), Exclusive: new(true)}, model.Request{})
	testenv.Must(t, err)
	wantCopy(t, "a new one", e, "ann")
	for range model.MaxExclusiveLists - 1 {
		exclusive(makeList(t, e, "ann"), true)
	}
	_, err = e.Lists.Change(ctx, "ann", first, model.ListPatch{Exclusive: new(true)})
	storetest.WantErr(t, err, errs.Conflict, "too_many_exclusive_lists")
	_, err = e.Lists.Create(ctx, "ann", model.ListPatch{Title: new("x"), Exclusive: new(true)}, model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "too_many_exclusive_lists")
	exclusive(made.ID, true) // it is already
}

// Several processes change the lists of a user at once, and lose answers. The copy agrees with the lists.
func TestExclusiveListsTogether(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	members := []model.UserID{"m0", "m1", "m2", "m3"}
	e.CreateUsers(t, append(slices.Clone(members), "ann")...)
	ids := []string{makeList(t, e, "ann"), makeList(t, e, "ann")}
	var g errgroup.Group
	for n := range 3 {
		s, _ := e.Lossy(t, 0.2)
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		g.Go(func() error {
			for range 15 {
				id, member := ids[rng.IntN(2)], members[rng.IntN(4)]
				var err error
				switch rng.IntN(4) {
				case 0, 1:
					err = s.Lists.Add(t.Context(), "ann", id, member)
				case 2:
					err = s.Lists.Remove(t.Context(), "ann", id, member)
				case 3:
					_, err = s.Lists.Change(t.Context(), "ann", id, model.ListPatch{Exclusive: new(rng.IntN(3) > 0)})
				}
				if k := errs.KindOf(err); err != nil && k != errs.Unavailable {
					return fmt.Errorf("process %d: %w", n, err)
				}
			}
			return nil
		})
	}
	testenv.Must(t, g.Wait())
	wantCopy(t, "after all", e, "ann")
}
