package reactions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A second mute, perhaps because an answer was lost, keeps the position in the list, and costs as documented. A user
// without a profile cannot be muted, and cannot mute.
func TestHidden(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	hide := func(uid, sharer model.UserID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Shares.Hide(ctx, uid, sharer) }
	}
	unhide := func(uid, sharer model.UserID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Shares.Unhide(ctx, uid, sharer) }
	}
	hidden := func() (got []model.UserID) {
		t.Helper()
		for from := (model.Cursor{}); ; {
			page, err := e.Shares.Hidden(t.Context(), "ann", from, 1)
			testenv.Must(t, err)
			for _, h := range page.Items {
				got = append(got, h.SharerID)
			}
			if from = page.Next; from == (model.Cursor{}) {
				return got
			}
		}
	}
	testenv.Must(t, storetest.Costs(t, "Hide, two profiles not known", 2, 2, 0, hide("ann", "bob")))
	e.Clock.Add(time.Second)
	testenv.Must(t, lossy.Shares.Hide(t.Context(), "ann", "cat"))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "Hide again", 0, 0, 0, hide("ann", "bob")))
	testenv.Must(t, hide("bob", "ann")(t.Context()))
	if losses.Count() != 1 {
		t.Errorf("%d answers were lost, want 1", losses.Count())
	}
	if got := hidden(); !slices.Equal(got, []model.UserID{"cat", "bob"}) {
		t.Errorf("ann hides %v", got)
	}
	storetest.WantErr(t, hide("ann", "ann")(t.Context()), errs.Invalid, "self_hide")
	storetest.WantErr(t, hide("ann", "nobody")(t.Context()), errs.NotFound, "user_not_found")
	storetest.WantErr(t, hide("nobody", "ann")(t.Context()), errs.Forbidden, "profile_required")

	testenv.Must(t, storetest.Costs(t, "Unhide", 0, 1, 1, unhide("ann", "bob")))
	testenv.Must(t, unhide("ann", "bob")(t.Context()))
	if got := hidden(); !slices.Equal(got, []model.UserID{"cat"}) {
		t.Errorf("then ann hides %v", got)
	}
}
