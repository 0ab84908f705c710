package verify_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A partial graph has the newest follows, and home pages show these authors alone.
func TestPartialGraph(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{MaxViewerEntries: 2, CacheTTL: time.Nanosecond})
	ctx := t.Context()
	authors := []model.UserID{"bob", "cat", "dan"}
	e.CreateUsers(t, append(authors, "ann")...)
	for _, author := range authors {
		e.Clock.Add(time.Second)
		testenv.Must(t, e.Graph.Follow(ctx, "ann", author))
		e.Publish(t, author, "a spark")
	}
	testenv.Must(t, e.Viewers.Restore(ctx, "ann"))
	check := func(what string, want ...found) {
		t.Helper()
		if diff := cmp.Diff(append([]found{}, want...), differences(t, e, "ann", model.Viewers, model.Heads)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("a partial graph")
	w := &writer{t, ctx, e.Raw}
	since := func(author string) any {
		return printed(w.get("relationships/"+model.RelationshipKey("ann", model.UserID(author)),
			firestore.FieldPath{"createdAt"}))
	}
	newest := w.get("viewers/ann", firestore.FieldPath{"follows", "dan"})
	w.set("viewers/ann", firestore.FieldPath{"follows", "dan"}, firestore.Delete)
	w.merge("viewers/ann", "follows", "bob", newest)
	check("with an older follow", found{"viewers/ann", "follows.bob", printed(newest), nil, false},
		found{"viewers/ann", "follows.dan", nil, since("dan"), false})
	_, err := e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	check("after a repair")
	w.set("viewers/ann", firestore.FieldPath{"choice"}, firestore.Delete)
	w.set("viewers/ann", firestore.FieldPath{"blockStrangers"}, firestore.Delete)
	check("without copies", found{"viewers/ann", "choice", nil, "{[] map[] <nil> map[]}", false},
		found{"viewers/ann", "blockStrangers", nil, "false", false})
	_, err = e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	check("after a second repair")
}

// A user without a profile has no graph, and a repair removes it.
func TestGraphOfNobody(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	w := &writer{t, t.Context(), e.Raw}
	w.put("viewers/nobody", map[string]any{"follows": map[string]any{}})
	for _, want := range [][]found{{{"viewers/nobody", "", "graph", nil, true}}, {}} {
		ds, err := e.Audit.All(t.Context(), verify.Options{Repair: true, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		if diff := cmp.Diff(want, bare(ds)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// The graph has copies of the followed tags and of the members of exclusive lists. A copy that differs is found and
// mended.
func TestCopiesOfTagsAndLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.FollowTag(ctx, "ann", "spark"))
	l, err := e.Lists.Create(ctx, "ann", model.ListPatch{Title: new("x"), Exclusive: new(true)}, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, e.Lists.Add(ctx, "ann", l.ID, "bob"))
	fields := func() (all []string) {
		for _, d := range differences(t, e, "ann", model.Viewers, model.Heads) {
			all = append(all, d.Field)
		}
		return all
	}
	if got := fields(); len(got) > 0 {
		t.Errorf("differences of what is right: %v", got)
	}
	w := &writer{t, ctx, e.Raw}
	w.set("viewers/ann", firestore.FieldPath{"followedTags"}, firestore.Delete)
	w.set("viewers/ann", firestore.FieldPath{"exclusive", l.ID}, []string{"bob", "cat"})
	if diff := cmp.Diff([]string{"followedTags", "exclusive"}, fields()); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	_, err = e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	if got := fields(); len(got) > 0 {
		t.Errorf("differences after a repair: %v", got)
	}
}
