package audit_test

import (
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/audit"
)

// TestFullMonth audits a user who likes more tweets than a month of reactions holds.
func TestFullMonth(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{ReactionsPerMonth: 2}, nil)
	e.join(t, "ann", "bob")
	ids := make([]model.TweetID, 5)
	for i := range ids {
		var err error
		ids[i], err = e.post(t.Context(), "ann", nil)
		testenv.Must(t, err)
		if i > 0 {
			testenv.Must(t, e.Store.Facts.Like(t.Context(), "bob", ids[i]))
		}
	}
	testenv.Must(t, e.Runner.WaitIdle(t.Context()))
	month := e.raw.Doc("reactions/" + model.MonthKey("bob", ids[0].Month()))
	check := func(what string, o audit.Options, want ...found) {
		t.Helper()
		ds, err := e.Store.Audit.User(t.Context(), "bob", o)
		testenv.Must(t, err)
		if diff := cmp.Diff(append([]found{}, want...), bare(ds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		liked, err := e.Store.Facts.Liked(t.Context(), "bob", ids[1:])
		testenv.Must(t, err)
		for _, id := range ids[1:] {
			if !liked[id] {
				t.Errorf("%s: bob does not like %s", what, id)
			}
		}
	}
	check("a full month", audit.Options{})

	set := func(id model.TweetID, to any) {
		t.Helper()
		_, err := month.Update(t.Context(), []firestore.Update{{FieldPath: firestore.FieldPath{"tweets", string(id)}, Value: to}})
		testenv.Must(t, err)
	}
	set(ids[1], firestore.Delete)
	check("a full month that lost a like", audit.Options{})
	set(ids[0], true)
	stray := found{"reactions/" + month.ID, "tweets." + string(ids[0]), "true", "false", false}
	check("a stray like", audit.Options{}, stray)
	stray.Repaired = true
	check("repair", audit.Options{Wait: e.Runner.WaitIdle, Repair: true}, stray)
	check("repaired", audit.Options{})

	// Repair fills a lost month no further than its limit, because it counts what it adds.
	_, err := month.Delete(t.Context())
	testenv.Must(t, err)
	_, err = e.Store.Audit.User(t.Context(), "bob", audit.Options{Wait: e.Runner.WaitIdle, Repair: true})
	testenv.Must(t, err)
	snap, err := month.Get(t.Context())
	testenv.Must(t, err)
	if held, _ := snap.Data()["tweets"].(map[string]any); len(held) > 2 || snap.Data()["full"] != true {
		t.Errorf("the rebuilt month = %v", snap.Data())
	}
	check("rebuilt", audit.Options{})
}
