package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestFollow(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "a_b", "c%d") // uids may hold what joins and escapes
	follow := func(ctx context.Context) error { return e.Follow(ctx, "a_b", "c%d") }
	unfollow := func(ctx context.Context) error { return e.Unfollow(ctx, "a_b", "c%d") }
	must(t, costs(t, "Follow", 2, 1, 0, follow))
	want := &model.Relationship{FollowerID: "a_b", FollowedID: "c%d", CreatedAt: e.clock.now()}
	e.coolDown()
	must(t, costs(t, "Follow again", 2, 0, 0, follow))
	must(t, costs(t, "Follow again, cached", 0, 0, 0, follow))
	must(t, costs(t, "Relationship", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Relationship(ctx, "a_b", "c%d")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Relationship (-want +got):\n%s", diff)
		}
		return err
	}))
	_, err := e.Relationship(t.Context(), "c%d", "a_b")
	wantErr(t, err, errs.NotFound, "not_following")
	must(t, costs(t, "Unfollow", 0, 0, 1, unfollow))
	must(t, costs(t, "Unfollow again", 0, 0, 1, unfollow)) // billed though nothing is there
	_, err = e.Relationship(t.Context(), "a_b", "c%d")
	wantErr(t, err, errs.NotFound, "not_following")

	wantErr(t, e.Follow(t.Context(), "a_b", "a_b"), errs.Invalid, "self_follow")
	wantErr(t, e.Follow(t.Context(), "a_b", "nobody"), errs.NotFound, "user_not_found")
	wantErr(t, e.Follow(t.Context(), "nobody", "a_b"), errs.Forbidden, "profile_required")
	if got := e.ids(t, model.Relationships); len(got) != 0 {
		t.Errorf("relationships = %v, want none", got)
	}
}

func TestFollowsAtOnce(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	for _, err := range atOnce(10, func(int) error { return e.Follow(t.Context(), "ann", "bob") }) {
		must(t, err)
	}
	if got := e.ids(t, model.Relationships); len(got) != 1 {
		t.Errorf("relationships = %v, want one", got)
	}
}

func TestBlock(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	block := func(ctx context.Context) error { return e.Block(ctx, "ann", "bob") }
	must(t, costs(t, "Block", 1, 1, 0, block))
	want := e.doc(t, "blocks/ann_bob")
	if want["blockerId"] != "ann" || want["blockeeId"] != "bob" {
		t.Errorf("block = %v", want)
	}
	e.coolDown()
	must(t, costs(t, "Block again", 1, 0, 0, block))
	if diff := cmp.Diff(want, e.doc(t, "blocks/ann_bob")); diff != "" {
		t.Errorf("blocking again changed it (-want +got):\n%s", diff)
	}
	must(t, costs(t, "Unblock", 0, 0, 1, func(ctx context.Context) error { return e.Unblock(ctx, "ann", "bob") }))
	must(t, e.Unblock(t.Context(), "ann", "bob"))
	wantErr(t, e.Block(t.Context(), "ann", "ann"), errs.Invalid, "self_block")
	wantErr(t, e.Block(t.Context(), "ann", "nobody"), errs.NotFound, "user_not_found")
	if got := e.ids(t, model.Blocks); len(got) != 0 {
		t.Errorf("blocks = %v, want none", got)
	}
}
