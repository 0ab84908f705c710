package graph_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A note is for its user alone. A later one replaces it, and an empty one removes it.
func TestPersonNote(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	put := func(text string) func(context.Context) error {
		return func(ctx context.Context) error { _, err := e.Graph.PutNote(ctx, "ann", "bob", text); return err }
	}
	want := func(uid, about model.UserID, text string) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Note", 1, 0, 0, func(ctx context.Context) error {
			n, err := e.Graph.Note(ctx, uid, about)
			if n.Text != text || n.UpdatedAt.IsZero() != (text == "") {
				t.Errorf("the note of %s on %s is %+v, want %q", uid, about, n, text)
			}
			return err
		}))
	}
	want("ann", "bob", "")
	testenv.Must(t, storetest.Costs(t, "PutNote, profiles not known", 2, 1, 0, put(" met at work ")))
	want("ann", "bob", "met at work")
	want("bob", "ann", "")
	testenv.Must(t, storetest.Costs(t, "PutNote", 0, 1, 0, put(strings.Repeat("𝕏", model.MaxPersonNote))))
	want("ann", "bob", strings.Repeat("𝕏", model.MaxPersonNote))
	testenv.Must(t, storetest.Costs(t, "PutNote of nothing", 0, 0, 1, put(" \u200b ")))
	want("ann", "bob", "")
	testenv.Must(t, storetest.Costs(t, "RemoveNote", 0, 0, 1, func(ctx context.Context) error {
		return e.Graph.RemoveNote(ctx, "ann", "bob")
	}))
	for _, test := range []struct {
		uid, about model.UserID
		text       string
		kind       errs.Kind
		code       string
	}{
		{"ann", "ann", "x", errs.Invalid, "self_note"},
		{"ann", "bob", strings.Repeat("x", model.MaxPersonNote+1), errs.Invalid, "too_long"},
		{"ann", "nobody", "x", errs.NotFound, "user_not_found"},
		{"nobody", "bob", "x", errs.Forbidden, "profile_required"},
	} {
		_, err := e.Graph.PutNote(t.Context(), test.uid, test.about, test.text)
		storetest.WantErr(t, err, test.kind, test.code)
	}
	// A user may forget somebody who has left.
	_, err := e.Graph.PutNote(t.Context(), "ann", "nobody", "")
	testenv.Must(t, err)
}

// A removed follower follows no more, in both documents, and may follow again. A request is refused.
func TestRemoveFollower(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	follows := func(want bool) {
		t.Helper()
		_, err := e.Graph.Relationship(ctx, "bob", "ann")
		page, failed := e.Graph.Following(ctx, "bob", model.Cursor{}, 10)
		testenv.Must(t, failed)
		if (err == nil) != want || (len(page.Items) > 0) != want {
			t.Errorf("bob follows ann: %v (%v), and %+v", err == nil, err, page.Items)
		}
	}
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	testenv.Must(t, e.Graph.Follow(ctx, "ann", "bob"))
	follows(true)
	for n := range int64(2) {
		testenv.Must(t, storetest.Costs(t, "RemoveFollower", 2, 1-n, 2-2*n, func(ctx context.Context) error {
			return e.Graph.RemoveFollower(ctx, "ann", "bob")
		}))
		follows(false)
	}
	testenv.Must(t, e.Graph.RemoveFollower(ctx, "ann", "nobody"))
	if there := e.IDs(t, model.Viewers); slices.Contains(there, "nobody") {
		t.Errorf("the graphs are of %q", there)
	}
	if _, err := e.Graph.Relationship(ctx, "ann", "bob"); err != nil {
		t.Errorf("ann follows bob no more: %v", err)
	}
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	follows(true)
	testenv.Must(t, e.Users.UpdateUser(ctx, "ann", model.UserPatch{Locked: new(true)}))
	if asks, err := e.Graph.FollowOrAsk(ctx, "cat", "ann"); err != nil || !asks {
		t.Fatalf("cat asks: %v, %v", asks, err)
	}
	testenv.Must(t, e.Graph.RemoveFollower(ctx, "ann", "cat"))
	if ids := e.IDs(t, model.FollowRequests); len(ids) != 0 {
		t.Errorf("the requests are %q", ids)
	}
}
