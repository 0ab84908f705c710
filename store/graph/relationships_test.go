package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestFollow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "a_b", "c%d") // uids may hold the characters that join and escape keys
	follow := func(ctx context.Context) error { return e.Graph.Follow(ctx, "a_b", "c%d") }
	unfollow := func(ctx context.Context) error { return e.Graph.Unfollow(ctx, "a_b", "c%d") }
	testenv.Must(t, storetest.Costs(t, "Follow", 2+2, 2, 1, follow))
	want := &model.Relationship{FollowerID: "a_b", FollowedID: "c%d", CreatedAt: e.Clock.Now()}
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "Follow again", 2+2, 0, 0, follow))
	testenv.Must(t, storetest.Costs(t, "Follow again, cached", 2+1, 0, 0, follow))
	testenv.Must(t, storetest.Costs(t, "Relationship", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Graph.Relationship(ctx, "a_b", "c%d")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Relationship (-want +got):\n%s", diff)
		}
		return err
	}))
	_, err := e.Graph.Relationship(t.Context(), "c%d", "a_b")
	storetest.WantErr(t, err, errs.NotFound, "not_following")
	testenv.Must(t, storetest.Costs(t, "Unfollow", 0, 1, 2, unfollow))
	testenv.Must(t, storetest.Costs(t, "Unfollow again", 0, 1, 2, unfollow)) // billed though nothing is there
	_, err = e.Graph.Relationship(t.Context(), "a_b", "c%d")
	storetest.WantErr(t, err, errs.NotFound, "not_following")

	storetest.WantErr(t, e.Graph.Follow(t.Context(), "a_b", "a_b"), errs.Invalid, "self_follow")
	storetest.WantErr(t, e.Graph.Follow(t.Context(), "a_b", "nobody"), errs.NotFound, "user_not_found")
	storetest.WantErr(t, e.Graph.Follow(t.Context(), "nobody", "a_b"), errs.Forbidden, "profile_required")
	if got := e.IDs(t, model.Relationships); len(got) != 0 {
		t.Errorf("relationships = %v, want none", got)
	}
}

func TestFollowsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	for _, err := range testenv.AtOnce(10, func(int) error { return e.Graph.Follow(t.Context(), "ann", "bob") }) {
		testenv.Must(t, err)
	}
	if got := e.IDs(t, model.Relationships); len(got) != 1 {
		t.Errorf("relationships = %v, want one", got)
	}
}

func TestFollowLimit(t *testing.T) {
	t.Parallel()
	const limit = 3
	e := storetest.Open(t, store.Options{MaxFollows: limit})
	e.CreateUsers(t, "ann", "u0", "u1", "u2", "u3")
	follow := func(n int) func(context.Context) error {
		return func(ctx context.Context) error { return e.Graph.Follow(ctx, "ann", model.UserID(fmt.Sprint("u", n))) }
	}
	for n := range limit { // no function has counted yet
		e.CoolDown()
		testenv.Must(t, storetest.Costs(t, "Follow, near the limit", 3+2, 2, 1, follow(n)))
	}
	// a profile, the count, the relationship and the request
	err := storetest.Costs(t, "Follow, at the limit", 2+2, 0, 0, follow(limit))
	storetest.WantErr(t, err, errs.Forbidden, "follow_limit")
	if !strings.Contains(errs.PublicText(err), fmt.Sprint(limit)) {
		t.Errorf("%v does not name the limit", err)
	}
	testenv.Must(t, storetest.Costs(t, "Follow again, at the limit", 2+2, 0, 0, follow(0)))
	if got := e.IDs(t, model.Relationships); len(got) != limit {
		t.Errorf("relationships = %v, want %d", got, limit)
	}
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", "u0"))
	testenv.Must(t, follow(limit)(t.Context()))
	storetest.WantErr(t, follow(0)(t.Context()), errs.Forbidden, "follow_limit")
}

// A count is late. Far from the limit the count decides, and near the limit the relationships do.
func TestFollowLimitByCount(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{MaxFollows: 10_000})
	e.CreateUsers(t, "ann")
	tests := []struct {
		count int
		reads int64
	}{{9_899, 2}, {9_900, 3}, {10_000, 3}, {12_000, 3}}
	for n, test := range tests {
		followed := model.UserID(fmt.Sprint("u", n))
		e.CreateUsers(t, followed)
		e.Counts(t, "ann", model.FollowedCount, test.count)
		testenv.Must(t, storetest.Costs(t, fmt.Sprint("Follow with a count of ", test.count), test.reads+2, 2, 1,
			func(ctx context.Context) error {
				return e.Graph.Follow(ctx, "ann", followed)
			}))
	}
}

func TestFollowerLimit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{MaxFollowers: 30})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow := func(follower model.UserID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Graph.Follow(ctx, follower, "ann") }
	}
	e.Counts(t, "ann", model.FollowerCount, 29)
	testenv.Must(t, storetest.Costs(t, "Follow, below the limit", 2+2, 2, 1, follow("bob")))
	e.Counts(t, "ann", model.FollowerCount, 30)
	err := storetest.Costs(t, "Follow, at the limit", 2+2, 0, 0, follow("cat"))
	storetest.WantErr(t, err, errs.Forbidden, "follower_limit")
	if !strings.Contains(errs.PublicText(err), "30") {
		t.Errorf("%v does not name the limit", err)
	}
	testenv.Must(t, follow("bob")(t.Context())) // bob follows ann already
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "dan"))
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "ann"))
	storetest.WantErr(t, follow("bob")(t.Context()), errs.Forbidden, "follower_limit") // until the count is updated
	e.Counts(t, "ann", model.FollowerCount, 29)
	testenv.Must(t, follow("cat")(t.Context()))
}

// The list of followed users is the same from one document and from the relationships, on pages of any size. It reads
// one document.
func TestFollowing(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	for i := range 7 {
		uid := model.UserID(fmt.Sprint("user_", i))
		e.CreateUsers(t, uid)
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", uid))
		if i%3 != 0 { // some follows are at the same time
			e.Clock.Add(time.Second)
		}
	}
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", "user_3"))
	testenv.Must(t, e.Graph.Block(t.Context(), "user_5", "ann"))
	list := func(limit int, reads func(found int) int64) (all []model.Relationship) {
		for from := (model.Cursor{}); ; {
			var m meter.Meter
			page, err := e.Graph.Following(meter.With(t.Context(), &m), "ann", from, limit)
			testenv.Must(t, err)
			if got, want := m.Reads(), reads(len(page.Items)); got != want || len(page.Items) > limit {
				t.Errorf("a page of %d of %d costs %d reads, want %d", len(page.Items), limit, got, want)
			}
			if all, from = append(all, page.Items...), page.Next; from.IsZero() || len(all) > 7 {
				return all
			}
		}
	}
	whole := func(is bool) {
		_, err := e.Raw.Doc("viewers/ann").Update(t.Context(), []firestore.Update{{Path: "complete", Value: is}})
		testenv.Must(t, err)
	}
	for _, limit := range []int{1, 2, 3, 5, 20} {
		got := list(limit, func(int) int64 { return 1 })
		whole(false)
		want := list(limit, func(found int) int64 { return 1 + max(1, int64(found)) })
		whole(true)
		if diff := cmp.Diff(want, got); diff != "" || len(got) != 5 {
			t.Errorf("%d followed by pages of %d (-query +document):\n%s", len(got), limit, diff)
		}
	}
	if page, err := e.Graph.Following(t.Context(), "nobody", model.Cursor{}, 20); err != nil || len(page.Items) > 0 {
		t.Errorf("Following(nobody) = %+v, %v", page, err)
	}
}
