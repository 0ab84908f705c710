package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/graph"
)

func member(uid model.UserID) model.Viewer { return model.Viewer{ID: uid, Role: model.Member} }

// Familiar followers are those of a user whom the reader follows, as a comparison of all relationships finds them. An
// answer that is not complete has only such users, too.
func TestFamiliar(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ListedFollowers: 4}) // older followers are not in the list
	r := rand.New(rand.NewPCG(1, 31))
	var users []model.UserID
	for n := range 9 {
		users = append(users, model.UserID(fmt.Sprintf("user%d", n)))
	}
	e.CreateUsers(t, users...)
	follows := map[[2]model.UserID]bool{}
	blocks := map[[2]model.UserID]bool{}
	for range 90 {
		a, b := users[r.IntN(len(users))], users[r.IntN(len(users))]
		if a == b || blocks[[2]model.UserID{a, b}] || blocks[[2]model.UserID{b, a}] {
			continue
		}
		switch r.IntN(12) {
		case 0:
			testenv.Must(t, e.Graph.Unfollow(t.Context(), a, b))
			testenv.Must(t, e.FollowerLists.Reconcile(t.Context(), b, a, false))
			delete(follows, [2]model.UserID{a, b})
		case 1:
			testenv.Must(t, e.Graph.Block(t.Context(), a, b))
			testenv.Must(t, e.Viewers.Block(t.Context(), a, b))
			testenv.Must(t, e.FollowerLists.Reconcile(t.Context(), b, a, false))
			testenv.Must(t, e.FollowerLists.Reconcile(t.Context(), a, b, false))
			blocks[[2]model.UserID{a, b}] = true
			delete(follows, [2]model.UserID{a, b})
			delete(follows, [2]model.UserID{b, a})
		default:
			testenv.Must(t, e.Graph.Follow(t.Context(), a, b))
			testenv.Must(t, e.FollowerLists.Reconcile(t.Context(), b, a, true))
			follows[[2]model.UserID{a, b}] = true
		}
		e.Clock.Add(time.Second)
	}
	some := 0
	for _, reader := range users {
		for _, of := range users {
			want := []model.UserID{}
			for _, u := range users {
				if follows[[2]model.UserID{reader, u}] && follows[[2]model.UserID{u, of}] && u != of &&
					!blocks[[2]model.UserID{reader, of}] && !blocks[[2]model.UserID{of, reader}] {
					want = append(want, u)
				}
			}
			got, err := e.Graph.Familiar(t.Context(), member(reader), of)
			testenv.Must(t, err)
			slices.Sort(got.Users)
			if diff := cmp.Diff(want, append([]model.UserID{}, got.Users...)); diff != "" || !got.Complete {
				t.Errorf("Familiar(%s, %s) complete %t (-want +got):\n%s", reader, of, got.Complete, diff)
			}
			some += len(want)
		}
	}
	if some < 20 {
		t.Errorf("%d familiar followers in all, want many", some)
	}
}

// Whatever somebody follows, the cost has a limit, and the answer says that it is not complete.
func TestFamiliarCost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "star")
	mine := map[string]any{}
	bulk := e.Raw.BulkWriter(t.Context())
	for n := range 100 {
		uid := model.UserID(fmt.Sprintf("friend%03d", n))
		mine[string(uid)] = e.Clock.Now().Add(time.Duration(n) * time.Minute)
		_, err := bulk.Set(e.Raw.Doc("relationships/"+model.RelationshipKey(uid, "star")),
			model.Relationship{FollowerID: uid, FollowedID: "star", CreatedAt: e.Clock.Now()})
		testenv.Must(t, err)
	}
	bulk.End()
	_, err := e.Raw.Doc("viewers/ann").Set(t.Context(), map[string]any{"complete": true, "follows": mine})
	testenv.Must(t, err)
	var f graph.Familiar
	testenv.Must(t, storetest.Costs(t, "familiar followers beyond the list", 62, 0, 0,
		func(ctx context.Context) (err error) {
			f, err = e.Graph.Familiar(ctx, member("ann"), "star")
			return err
		}))
	if f.Complete || len(f.Users) != 60 || f.Users[0] != "friend099" {
		t.Errorf("Familiar = %d users, complete %t, want the 60 newest, and not complete", len(f.Users), f.Complete)
	}
	_, err = e.Raw.Doc("followerLists/star").Set(t.Context(), map[string]any{"whole": true,
		"followers": map[string]any{"friend007": e.Clock.Now()}})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "familiar followers in the list", 2, 0, 0, func(ctx context.Context) (err error) {
		f, err = e.Graph.Familiar(ctx, member("ann"), "star")
		return err
	}))
	if diff := cmp.Diff(graph.Familiar{Users: []model.UserID{"friend007"}, Complete: true}, f); diff != "" {
		t.Errorf("Familiar of a whole list (-want +got):\n%s", diff)
	}
	e.CreateUsers(t, "friend007")
	testenv.Must(t, e.Graph.Mute(t.Context(), model.MutedUser{UserID: "ann", MutedID: "friend007", Part: model.MuteAll},
		0))
	if f, err = e.Graph.Familiar(t.Context(), member("ann"), "star"); err != nil || len(f.Users) != 0 || !f.Complete {
		t.Errorf("Familiar with a mute = %+v, %v, want nobody", f, err)
	}
}
