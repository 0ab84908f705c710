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
)

func TestViewerRelationshipsOf(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "me", "a_friend", "an_idol", "a_fan", "a_foe", "a%hater", "a_recluse", "nobody")
	for _, pair := range [][2]model.UserID{{"me", "a_friend"}, {"a_friend", "me"}, {"me", "an_idol"}, {"a_fan", "me"}} {
		testenv.Must(t, e.Graph.Follow(t.Context(), pair[0], pair[1]))
	}
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "a_recluse", model.UserPatch{Locked: new(true)}))
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "me", model.UserPatch{Locked: new(true)}))
	testenv.Must(t, e.Graph.Follow(t.Context(), "me", "a_recluse"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "a_foe", "me")) // until the block
	testenv.Must(t, e.Graph.Follow(t.Context(), "nobody", "me"))
	testenv.Must(t, e.Graph.Block(t.Context(), "me", "a_foe"))
	testenv.Must(t, e.Graph.Block(t.Context(), "a%hater", "me"))
	want := map[model.UserID]model.ViewerRelationship{
		"a_friend": {Follows: true, Followed: true}, "an_idol": {Follows: true}, "a_fan": {Followed: true},
		"a_foe": {Blocks: true}, "a_recluse": {Requested: true},
		"a%hater": {}, // a blocked user is not told
		"nobody":  {}, "unknown": {},
	}
	others := []model.UserID{"me", "a_friend", "an_idol", "a_fan", "a_foe", "a%hater", "a_recluse", "nobody", "unknown",
		"nobody"}
	check := func(what string, reads int64, uid model.UserID, others []model.UserID,
		want map[model.UserID]model.ViewerRelationship) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, 0, 0, func(ctx context.Context) error {
			got, err := e.Graph.ViewerRelationshipsOf(ctx, uid, others)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
			return err
		}))
	}
	check("all", 1+2+1, "me", others, want)
	check("a stranger", 1+1+1, "me", []model.UserID{"a_fan"}, map[model.UserID]model.ViewerRelationship{
		"a_fan": want["a_fan"]})
	check("one who is followed", 1+1, "me", []model.UserID{"a_friend"}, map[model.UserID]model.ViewerRelationship{
		"a_friend": want["a_friend"]})
	check("oneself", 0, "me", []model.UserID{"me"}, map[model.UserID]model.ViewerRelationship{})
	check("signed out", 0, "", []model.UserID{"me"}, map[model.UserID]model.ViewerRelationship{"me": {}})
	many, none := []model.UserID{}, map[model.UserID]model.ViewerRelationship{}
	for i := range 31 {
		many = append(many, model.UserID(fmt.Sprint("stranger", i)))
		none[many[i]] = model.ViewerRelationship{}
	}
	check("31 strangers", 1+2*2, "me", many, none)

	_, err := e.Raw.Doc("viewers/me").Set(t.Context(), model.ViewerGraph{Partial: true})
	testenv.Must(t, err)
	check("all, without the graph", 1+2+2+1+1+1, "me", others, want)
	check("one, without the graph", 1+5, "me", []model.UserID{"a_friend"}, map[model.UserID]model.ViewerRelationship{
		"a_friend": want["a_friend"]})
	check("31 strangers, without the graph", 1+5*2, "me", many, none)
}
