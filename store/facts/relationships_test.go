package facts_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestFollow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "a_b", "c%d") // uids may hold the characters that join and escape keys
	follow := func(ctx context.Context) error { return e.Facts.Follow(ctx, "a_b", "c%d") }
	unfollow := func(ctx context.Context) error { return e.Facts.Unfollow(ctx, "a_b", "c%d") }
	testenv.Must(t, storetest.Costs(t, "Follow", 2, 1, 0, follow))
	want := &model.Relationship{FollowerID: "a_b", FollowedID: "c%d", CreatedAt: e.Clock.Now()}
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Follow again", 2, 0, 0, follow))
	testenv.Must(t, storetest.Costs(t, "Follow again, cached", 0, 0, 0, follow))
	testenv.Must(t, storetest.Costs(t, "Relationship", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Facts.Relationship(ctx, "a_b", "c%d")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Relationship (-want +got):\n%s", diff)
		}
		return err
	}))
	_, err := e.Facts.Relationship(t.Context(), "c%d", "a_b")
	storetest.WantErr(t, err, errs.NotFound, "not_following")
	testenv.Must(t, storetest.Costs(t, "Unfollow", 0, 0, 1, unfollow))
	testenv.Must(t, storetest.Costs(t, "Unfollow again", 0, 0, 1, unfollow)) // billed though nothing is there
	_, err = e.Facts.Relationship(t.Context(), "a_b", "c%d")
	storetest.WantErr(t, err, errs.NotFound, "not_following")

	storetest.WantErr(t, e.Facts.Follow(t.Context(), "a_b", "a_b"), errs.Invalid, "self_follow")
	storetest.WantErr(t, e.Facts.Follow(t.Context(), "a_b", "nobody"), errs.NotFound, "user_not_found")
	storetest.WantErr(t, e.Facts.Follow(t.Context(), "nobody", "a_b"), errs.Forbidden, "profile_required")
	if got := e.IDs(t, model.Relationships); len(got) != 0 {
		t.Errorf("relationships = %v, want none", got)
	}
}

func TestFollowsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
	for _, err := range testenv.AtOnce(10, func(int) error { return e.Facts.Follow(t.Context(), "ann", "bob") }) {
		testenv.Must(t, err)
	}
	if got := e.IDs(t, model.Relationships); len(got) != 1 {
		t.Errorf("relationships = %v, want one", got)
	}
}
