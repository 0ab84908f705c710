package graph_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestBlock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	block := func(ctx context.Context) error { return e.Graph.Block(ctx, "ann", "bob") }
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Block", 2, 3, 4, block))
	if got := e.IDs(t, model.Relationships); len(got) != 0 {
		t.Errorf("relationships = %v, want none", got)
	}
	want := e.Doc(t, "blocks/ann_bob")
	if want["blockerId"] != "ann" || want["blockeeId"] != "bob" {
		t.Errorf("block = %v", want)
	}
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Block again", 1, 0, 0, block))
	for _, pair := range [][2]model.UserID{{"ann", "bob"}, {"bob", "ann"}} {
		storetest.WantErr(t, e.Graph.Follow(t.Context(), pair[0], pair[1]), errs.Forbidden, "not_allowed")
	}
	storetest.WantErr(t, e.Graph.Block(t.Context(), "nobody", "ann"), errs.Forbidden, "profile_required")
	if diff := cmp.Diff(want, e.Doc(t, "blocks/ann_bob")); diff != "" {
		t.Errorf("blocking again changed it (-want +got):\n%s", diff)
	}
	testenv.Must(t, storetest.Costs(t, "Unblock", 0, 1, 1, func(ctx context.Context) error {
		return e.Graph.Unblock(ctx, "ann", "bob")
	}))
	testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
	storetest.WantErr(t, e.Graph.Block(t.Context(), "ann", "ann"), errs.Invalid, "self_block")
	storetest.WantErr(t, e.Graph.Block(t.Context(), "ann", "nobody"), errs.NotFound, "user_not_found")
	if got := e.IDs(t, model.Blocks); len(got) != 0 {
		t.Errorf("blocks = %v, want none", got)
	}
}

// A follow and a block at the same moment end in a block without a follow, whichever comes first.
func TestFollowDuringBlock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	other := e.Again(t, store.Options{})
	for range 20 {
		for _, err := range testenv.AtOnce(3, func(i int) error {
			if i == 1 {
				return other.Graph.Block(t.Context(), "ann", "bob")
			}
			err := e.Graph.Follow(t.Context(), "bob", "ann")
			if errs.CodeOf(err) == "not_allowed" {
				return nil
			}
			return err
		}) {
			testenv.Must(t, err)
		}
		if got := e.IDs(t, model.Relationships); len(got) != 0 {
			t.Fatalf("relationships = %v, want none: ann blocks bob", got)
		}
		testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
	}
}

// The list of who blocks a user has the newest block first, page by page, and no block by the user.
func TestBlockers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	for _, pair := range [][2]model.UserID{{"bob", "ann"}, {"cat", "ann"}, {"dan", "ann"}, {"ann", "bob"},
		{"cat", "bob"}} {
		testenv.Must(t, e.Graph.Block(t.Context(), pair[0], pair[1]))
	}
	testenv.Must(t, e.Graph.Unblock(t.Context(), "dan", "ann"))
	page := func(from model.Cursor, most int, reads int64) (who []model.UserID, next model.Cursor) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Blockers", reads, 0, 0, func(ctx context.Context) error {
			got, err := e.Graph.Blockers(ctx, "ann", from, most)
			for _, b := range got.Items {
				who = append(who, b.BlockerID)
			}
			next = got.Next
			return err
		}))
		return who, next
	}
	if got, _ := page(model.Cursor{}, 10, 2); !slices.Equal(got, []model.UserID{"cat", "bob"}) {
		t.Errorf("ann is blocked by %q, want cat and bob", got)
	}
	first, next := page(model.Cursor{}, 1, 1)
	if got, _ := page(next, 1, 1); !slices.Equal(append(first, got...), []model.UserID{"cat", "bob"}) {
		t.Errorf("pages of one are %q and %q, want cat and bob", first, got)
	}
}
