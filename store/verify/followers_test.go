package verify_test

import (
	"fmt"
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

// A list of followers that is not whole has every follower from its oldest one on. A missing list is right.
func TestFollowerLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{ListedFollowers: 4})
	w := &writer{t, t.Context(), e.Raw}
	e.CreateUsers(t, "ann")
	list := func(whole bool, followers ...string) {
		t.Helper()
		has := map[string]any{}
		for _, f := range followers {
			has[f] = w.get("relationships/"+f+"_ann", firestore.FieldPath{"createdAt"})
		}
		w.put("followerLists/ann", map[string]any{"followers": has, "whole": whole})
	}
	for n := range 6 {
		uid := model.UserID(fmt.Sprint("u", n))
		e.CreateUsers(t, uid)
		e.Clock.Add(time.Second)
		testenv.Must(t, e.Graph.Follow(t.Context(), uid, "ann"))
	}
	since := func(f string) any { return printed(w.get("relationships/"+f+"_ann", firestore.FieldPath{"createdAt"})) }
	check := func(what string, want ...found) {
		t.Helper()
		got := differences(t, e, "ann", model.FollowerLists)
		if diff := cmp.Diff(append([]found{}, want...), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("without a list")
	list(false, "u5", "u4", "u3", "u2")
	check("a full list")
	list(false, "u5", "u4")
	check("a shorter list")
	list(false, "u5", "u3")
	check("a hole", found{"followerLists/ann", "followers.u4", nil, since("u4"), false})
	list(false, "u5")
	check("a list that is too short", found{"followerLists/ann", "", "1", "4", false})
	list(true, "u5", "u4", "u3", "u2", "u1", "u0")
	check("a list that is too long", found{"followerLists/ann", "", "6", "4", false})
	_, err := e.Audit.User(t.Context(), "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	check("after a repair")
	if doc := e.Doc(t, "followerLists/ann"); len(doc["followers"].(map[string]any)) != 4 || doc["whole"] != false {
		t.Errorf("the list is %v", doc)
	}
}

// A user without a profile has no list of followers, and a repair removes it.
func TestFollowerListOfNobody(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	w := &writer{t, t.Context(), e.Raw}
	w.put("followerLists/nobody", map[string]any{"whole": true})
	for _, want := range [][]found{{{"followerLists/nobody", "", "list", nil, true}}, {}} {
		ds, err := e.Audit.All(t.Context(), verify.Options{Repair: true, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		if diff := cmp.Diff(want, bare(ds)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
