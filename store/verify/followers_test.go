package verify_test

import (
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A dormant follower may be marked or not. A follower who is active must not be marked.
func TestMarks(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	for _, follower := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Graph.Follow(ctx, follower, "ann"))
		testenv.Must(t, e.Timelines.Link(ctx, follower, "ann"))
	}
	w := &writer{t, ctx, e.Raw}
	check := func(what string, want []found) {
		t.Helper()
		if diff := cmp.Diff(want, differences(t, e, "ann", model.FollowerPages)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("all are awake", []found{})
	w.delete("homes/bob")
	check("a sleeper without a mark", []found{})
	w.set("followerPages/ann", firestore.FieldPath{"asleep", "bob"}, true)
	check("a sleeper with a mark", []found{})
	w.put("homes/bob", model.Home{SeenAt: e.Clock.Now()})
	check("a mark of one who is awake", []found{{"followerPages/ann", "asleep.bob", "true", nil, false}})
}
