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

func TestBlock(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann", "bob")
	block := func(ctx context.Context) error { return e.Facts.Block(ctx, "ann", "bob") }
	testenv.Must(t, storetest.Costs(t, "Block", 1, 1, 0, block))
	want := e.Doc(t, "blocks/ann_bob")
	if want["blockerId"] != "ann" || want["blockeeId"] != "bob" {
		t.Errorf("block = %v", want)
	}
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Block again", 1, 0, 0, block))
	if diff := cmp.Diff(want, e.Doc(t, "blocks/ann_bob")); diff != "" {
		t.Errorf("blocking again changed it (-want +got):\n%s", diff)
	}
	testenv.Must(t, storetest.Costs(t, "Unblock", 0, 0, 1, func(ctx context.Context) error { return e.Facts.Unblock(ctx, "ann", "bob") }))
	testenv.Must(t, e.Facts.Unblock(t.Context(), "ann", "bob"))
	storetest.WantErr(t, e.Facts.Block(t.Context(), "ann", "ann"), errs.Invalid, "self_block")
	storetest.WantErr(t, e.Facts.Block(t.Context(), "ann", "nobody"), errs.NotFound, "user_not_found")
	if got := e.IDs(t, model.Blocks); len(got) != 0 {
		t.Errorf("blocks = %v, want none", got)
	}
}
