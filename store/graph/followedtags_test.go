package graph_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A user follows and unfollows tags. The copy in the user's graph is the same after each, and after a rebuild.
func TestFollowedTags(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	wants := func(what string, want map[string]model.FollowedTag) {
		t.Helper()
		is, err := e.Graph.FollowedTags(t.Context(), "ann")
		testenv.Must(t, err)
		if diff := cmp.Diff(want, is.Tags); diff != "" {
			t.Errorf("%s: the tags (-want +got):\n%s", what, diff)
		}
		for _, rebuilt := range []bool{false, true} {
			if rebuilt {
				testenv.Must(t, e.Viewers.Restore(t.Context(), "ann"))
			}
			var graph model.ViewerGraph
			snap, err := e.Raw.Doc("viewers/ann").Get(t.Context())
			testenv.Must(t, err)
			testenv.Must(t, snap.DataTo(&graph))
			if !model.EqualFollowedTags(want, graph.FollowedTags) {
				t.Errorf("%s: the copy, rebuilt %v, is %v", what, rebuilt, graph.FollowedTags)
			}
		}
	}
	follow := func(ctx context.Context) error { return e.Graph.FollowTag(ctx, "ann", "#Flame") }
	testenv.Must(t, storetest.Costs(t, "FollowTag", 2, 2, 0, follow)) // the profile, which the process then knows
	at := e.Clock.Now()
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "FollowTag again", 1, 0, 0, follow))
	wants("one", map[string]model.FollowedTag{"flame": {Content: "Flame", FollowedAt: at}})
	testenv.Must(t, e.Graph.FollowTag(t.Context(), "ann", "花火"))
	wants("two", map[string]model.FollowedTag{"flame": {Content: "Flame", FollowedAt: at},
		"花火": {Content: "花火", FollowedAt: e.Clock.Now()}})
	for uid, want := range map[model.UserID]bool{"ann": true, "bob": false, "": false} {
		if got, err := e.Graph.FollowsTag(t.Context(), uid, "flame"); err != nil || got != want {
			t.Errorf("FollowsTag(%q) = %v, %v", uid, got, err)
		}
	}
	unfollow := func(ctx context.Context) error { return e.Graph.UnfollowTag(ctx, "ann", "FLAME") }
	testenv.Must(t, storetest.Costs(t, "UnfollowTag", 1, 2, 0, unfollow))
	testenv.Must(t, storetest.Costs(t, "UnfollowTag again", 1, 0, 0, unfollow))
	testenv.Must(t, e.Graph.UnfollowTag(t.Context(), "ann", "花火"))
	wants("none", nil)
	for n := range model.MaxFollowedTags {
		testenv.Must(t, e.Graph.FollowTag(t.Context(), "ann", fmt.Sprint("t", n)))
	}
	storetest.WantErr(t, e.Graph.FollowTag(t.Context(), "ann", "more"), errs.Conflict, "too_many_followed_tags")
	testenv.Must(t, e.Graph.FollowTag(t.Context(), "ann", "T0"))
	storetest.WantErr(t, e.Graph.FollowTag(t.Context(), "ann", "a b"), errs.Invalid, "invalid_tag")
	storetest.WantErr(t, e.Graph.FollowTag(t.Context(), "nobody", "go"), errs.Forbidden, "profile_required")
}
