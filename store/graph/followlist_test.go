package graph_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/graph"
)

// Some members are followed in each step: a locked one is asked, one who blocks is skipped, and nobody twice, also if a
// step is repeated and a member comes or goes meanwhile.
func TestFollowMembers(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{true, false} {
		t.Run(fmt.Sprint("graph ", whole), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			ctx := t.Context()
			e.CreateUsers(t, "ann", "m0", "m1", "m2", "m3", "m4", "m5", "m6")
			testenv.Must(t, e.Users.UpdateUser(ctx, "m1", model.UserPatch{Locked: new(true)}))
			testenv.Must(t, e.Users.UpdateUser(ctx, "m6", model.UserPatch{Locked: new(true)}))
			testenv.Must(t, e.Graph.Follow(ctx, "ann", "m6"))
			testenv.Must(t, e.Graph.Follow(ctx, "ann", "m2"))
			testenv.Must(t, e.Graph.Block(ctx, "m3", "ann"))
			if whole {
				testenv.Must(t, e.Viewers.Restore(ctx, "ann"))
			} else {
				_, err := e.Raw.Doc("viewers/ann").Set(ctx, map[string]any{"limited": true})
				testenv.Must(t, err)
			}
			members := []model.UserID{"m5", "ann", "m0", "nobody", "m2", "m1", "m3", "m6"}
			step := func(members []model.UserID, after model.UserID, next model.UserID, want ...graph.MemberFollow) {
				t.Helper()
				got, is, err := e.Graph.FollowMembers(ctx, "ann", members, after, 3)
				testenv.Must(t, err)
				if diff := cmp.Diff(want, got); diff != "" || is != next {
					t.Errorf("after %q next is %q, want %q (-want +got):\n%s", after, is, next, diff)
				}
			}
			followed, requested := graph.Followed, graph.FollowRequested
			step(members, "", "m2", graph.MemberFollow{UserID: "m0", Result: followed, New: true},
				graph.MemberFollow{UserID: "m1", Result: requested, New: true},
				graph.MemberFollow{UserID: "m2", Result: graph.FollowedAlready})
			step(members, "", "m2", graph.MemberFollow{UserID: "m0", Result: graph.FollowedAlready},
				graph.MemberFollow{UserID: "m1", Result: requested},
				graph.MemberFollow{UserID: "m2", Result: graph.FollowedAlready})
			changed := []model.UserID{"m5", "m0", "nobody", "m1", "m3", "m6", "m4"} // m2 went, m4 came
			step(changed, "m2", "m5", graph.MemberFollow{UserID: "m3", Result: graph.FollowSkipped, Reason: "not_allowed"},
				graph.MemberFollow{UserID: "m4", Result: followed, New: true},
				graph.MemberFollow{UserID: "m5", Result: followed, New: true})
			step(changed, "m5", "", graph.MemberFollow{UserID: "m6", Result: requested},
				graph.MemberFollow{UserID: "nobody", Result: graph.FollowSkipped, Reason: "user_not_found"})
			step(changed, "nobody", "")
			for _, uid := range []string{"m0", "m2", "m4", "m5"} {
				if e.Doc(t, "relationships/ann_"+uid) == nil {
					t.Errorf("ann does not follow %s", uid)
				}
			}
			if whole {
				testenv.Must(t, storetest.Costs(t, "a step of followed members", 1, 0, 0, func(ctx context.Context) error {
					_, _, err := e.Graph.FollowMembers(ctx, "ann", []model.UserID{"m0", "m2", "m4"}, "", 3)
					return err
				}))
			}
		})
	}
}
