package graph_test

import (
	"context"
	"fmt"
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

// lock locks or unlocks a user.
func lock(t *testing.T, s *store.Store, uid model.UserID, locked bool) {
	t.Helper()
	testenv.Must(t, s.Users.UpdateUser(t.Context(), uid, model.UserPatch{Locked: &locked}))
}

// ask returns a call of FollowOrAsk that must return wants.
func ask(t *testing.T, e *storetest.Env, follower, followed model.UserID, wants bool) func(context.Context) error {
	return func(ctx context.Context) error {
		t.Helper()
		requested, err := e.Graph.FollowOrAsk(ctx, follower, followed)
		if err == nil && requested != wants {
			t.Errorf("%s asks to follow %s: %v, want %v", follower, followed, requested, wants)
		}
		return err
	}
}

// wantFollows fails the test for other requests or relationships, by their keys.
func wantFollows(t *testing.T, e *storetest.Env, what string, requests, relationships []string) {
	t.Helper()
	if got := e.IDs(t, model.FollowRequests); !slices.Equal(got, requests) {
		t.Errorf("%s: requests are %v, want %v", what, got, requests)
	}
	if got := e.IDs(t, model.Relationships); !slices.Equal(got, relationships) {
		t.Errorf("%s: relationships are %v, want %v", what, got, relationships)
	}
}

// A user who asks to follow a locked user follows after the accept, and not before. Each act has the same effect twice
// as once.
func TestFollowRequests(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "b_b", "cat", "dan")
	testenv.Must(t, ask(t, e, "dan", "ann", false)(t.Context()))
	lock(t, e.Again(t, store.Options{}), "ann", true) // another process: this one remembers that ann is open

	testenv.Must(t, storetest.Costs(t, "ask", 2+2+3, 1, 0, ask(t, e, "b_b", "ann", true)))
	first := e.Doc(t, "followRequests/b%5Fb_ann")
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "ask again", 1+2+3, 0, 0, ask(t, e, "b_b", "ann", true)))
	if got := e.Doc(t, "followRequests/b%5Fb_ann"); !got["createdAt"].(time.Time).Equal(first["createdAt"].(time.Time)) ||
		got["followerId"] != "b_b" || got["followedId"] != "ann" {
		t.Errorf("the request is %v, and was %v", got, first)
	}
	testenv.Must(t, ask(t, e, "cat", "ann", true)(t.Context()))
	testenv.Must(t, storetest.Costs(t, "a follower from before asks", 1+2+3, 0, 0, ask(t, e, "dan", "ann", false)))
	wantFollows(t, e, "asked", []string{"b%5Fb_ann", "cat_ann"}, []string{"dan_ann"})

	list := func(limit int) (got []model.UserID) {
		t.Helper()
		for from := (model.Cursor{}); ; {
			page, err := e.Requests.List(t.Context(), "ann", from, limit)
			testenv.Must(t, err)
			for _, r := range page.Items {
				got = append(got, r.FollowerID)
			}
			if from = page.Next; from.IsZero() {
				return got
			}
		}
	}
	for _, limit := range []int{1, 10} {
		if got := list(limit); !slices.Equal(got, []model.UserID{"cat", "b_b"}) {
			t.Errorf("pages of %d: %v ask ann", limit, got)
		}
	}
	testenv.Must(t, storetest.Costs(t, "list", 2, 0, 0, func(ctx context.Context) error {
		_, err := e.Requests.List(ctx, "ann", model.Cursor{}, 10)
		return err
	}))

	e.Clock.Add(time.Second)
	accept := func(ctx context.Context) error { return e.Requests.Accept(ctx, "ann", "b_b") }
	testenv.Must(t, storetest.Costs(t, "accept", 1, 2, 1, accept)) // the profile of ann was never needed
	relationship, err := e.Graph.Relationship(t.Context(), "b_b", "ann")
	testenv.Must(t, err)
	if !relationship.CreatedAt.Equal(e.Clock.Now()) {
		t.Errorf("the relationship is of %v, want when it was accepted, %v", relationship.CreatedAt, e.Clock.Now())
	}
	testenv.Must(t, storetest.Costs(t, "accept again", 1, 0, 0, accept))
	refuse := func(ctx context.Context) error { return e.Requests.Refuse(ctx, "ann", "cat") }
	testenv.Must(t, storetest.Costs(t, "refuse", 0, 0, 1, refuse))
	testenv.Must(t, refuse(t.Context()))
	wantFollows(t, e, "answered", []string{}, []string{"b%5Fb_ann", "dan_ann"})
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "cat"), errs.NotFound, "request_not_found")
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "ann"), errs.NotFound, "request_not_found")
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "nobody"), errs.NotFound, "user_not_found")
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "nobody", "ann"), errs.Forbidden, "profile_required")

	testenv.Must(t, ask(t, e, "cat", "ann", true)(t.Context())) // a refused user may ask again
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "cat", "ann"))
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "cat"), errs.NotFound, "request_not_found")
	wantFollows(t, e, "withdrawn", []string{}, []string{"b%5Fb_ann", "dan_ann"})

	// A user with a request from before the unlock follows with one more call.
	testenv.Must(t, ask(t, e, "cat", "ann", true)(t.Context()))
	lock(t, e.Again(t, store.Options{}), "ann", false)
	wantFollows(t, e, "open", []string{"cat_ann"}, []string{"b%5Fb_ann", "dan_ann"})
	testenv.Must(t, ask(t, e, "cat", "ann", false)(t.Context()))
	wantFollows(t, e, "followed", []string{}, []string{"b%5Fb_ann", "cat_ann", "dan_ann"})
}

// A block deletes the requests between the two users, and refuses new ones.
func TestFollowRequestsAndBlocks(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	lock(t, e.Store, "ann", true)
	lock(t, e.Store, "bob", true)
	for _, blocker := range []model.UserID{"ann", "bob"} {
		testenv.Must(t, ask(t, e, "ann", "bob", true)(t.Context()))
		testenv.Must(t, ask(t, e, "bob", "ann", true)(t.Context()))
		blockee := map[model.UserID]model.UserID{"ann": "bob", "bob": "ann"}[blocker]
		testenv.Must(t, e.Graph.Block(t.Context(), blocker, blockee))
		wantFollows(t, e, "blocked", []string{}, []string{})
		storetest.WantErr(t, ask(t, e, "ann", "bob", true)(t.Context()), errs.Forbidden, "not_allowed")
		storetest.WantErr(t, ask(t, e, "bob", "ann", true)(t.Context()), errs.Forbidden, "not_allowed")
		storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "bob"), errs.NotFound, "request_not_found")
		testenv.Must(t, e.Graph.Unblock(t.Context(), blocker, blockee))
	}
}

// The number of open requests is limited, of one user and to one user. Beyond the limit nothing is written, and
// existing requests stay.
func TestRequestLimits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve")
	lock(t, e.Store, "ann", true)
	lock(t, e.Store, "dan", true)
	plant := func(n int, of func(i int) model.FollowRequest) {
		t.Helper()
		w := e.Raw.BulkWriter(t.Context())
		for i := range n {
			r := of(i)
			_, err := w.Create(e.Raw.Doc("followRequests/"+model.FollowRequestKey(r.FollowerID, r.FollowedID)), r)
			testenv.Must(t, err)
		}
		w.End()
	}
	plant(model.MaxRequestsBy-1, func(i int) model.FollowRequest {
		return model.FollowRequest{FollowerID: "bob", FollowedID: model.UserID(fmt.Sprint("u", i)), CreatedAt: e.Clock.Now()}
	})
	plant(model.MaxRequestsTo-2, func(i int) model.FollowRequest {
		return model.FollowRequest{FollowerID: model.UserID(fmt.Sprint("u", i)), FollowedID: "ann", CreatedAt: e.Clock.Now()}
	})
	testenv.Must(t, storetest.Costs(t, "the last request of bob", 2+1+5+3, 1, 0, ask(t, e, "bob", "ann", true)))
	e.CoolDown()
	storetest.WantErr(t, storetest.Costs(t, "one more of bob", 2+1+1+2, 0, 0, ask(t, e, "bob", "dan", true)),
		errs.Forbidden, "request_limit")
	testenv.Must(t, ask(t, e, "cat", "ann", true)(t.Context()))
	storetest.WantErr(t, ask(t, e, "eve", "ann", true)(t.Context()), errs.Forbidden, "request_limit")
	testenv.Must(t, ask(t, e, "bob", "ann", true)(t.Context())) // the request exists already
	testenv.Must(t, ask(t, e, "bob", "cat", false)(t.Context()))
	testenv.Must(t, e.Requests.Accept(t.Context(), "ann", "bob"))
	testenv.Must(t, ask(t, e, "eve", "ann", true)(t.Context()))
	testenv.Must(t, ask(t, e, "bob", "dan", true)(t.Context()))
}

// A request is accepted only within the limits of following, and stays otherwise.
func TestAcceptWithinLimits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{MaxFollows: 1, MaxFollowers: 30})
	e.CreateUsers(t, "ann", "bob", "cat")
	lock(t, e.Store, "ann", true)
	testenv.Must(t, ask(t, e, "bob", "ann", true)(t.Context()))
	testenv.Must(t, ask(t, e, "bob", "cat", false)(t.Context()))
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "bob"), errs.Forbidden, "follow_limit")
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "cat"))
	e.Counts(t, "ann", model.FollowerCount, 30)
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "bob"), errs.Forbidden, "follower_limit")
	wantFollows(t, e, "beyond the limits", []string{"bob_ann"}, []string{})
	e.Counts(t, "ann", model.FollowerCount, 29)
	testenv.Must(t, e.Requests.Accept(t.Context(), "ann", "bob"))
	e.Counts(t, "ann", model.FollowerCount, 30)
	testenv.Must(t, e.Requests.Accept(t.Context(), "ann", "bob"))
	storetest.WantErr(t, e.Requests.Accept(t.Context(), "ann", "cat"), errs.Forbidden, "follower_limit")
}

// Concurrent acts never leave both a relationship and a request. A withdrawal and a block leave neither, and an
// accepted request is not refused as well.
func TestFollowRequestsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	other := e.Again(t, store.Options{})
	accept := func(ctx context.Context) error {
		if err := e.Requests.Accept(ctx, "ann", "bob"); errs.CodeOf(err) != "request_not_found" {
			return err
		}
		return nil
	}
	follow := func(ctx context.Context) error {
		if err := other.Graph.Follow(ctx, "bob", "ann"); errs.CodeOf(err) != "not_allowed" {
			return err
		}
		return nil
	}
	tests := []struct {
		name string
		acts []func(context.Context) error
		none bool // neither the request nor the relationship is left
	}{
		{"withdrawn while accepted", []func(context.Context) error{accept, func(ctx context.Context) error {
			return other.Graph.Unfollow(ctx, "bob", "ann")
		}}, true},
		{"blocked while accepted", []func(context.Context) error{accept, func(ctx context.Context) error {
			return other.Graph.Block(ctx, "ann", "bob")
		}}, true},
		{"blocked while asked", []func(context.Context) error{follow, func(ctx context.Context) error {
			return other.Graph.Block(ctx, "bob", "ann")
		}}, true},
		{"accepted twice", []func(context.Context) error{accept, accept, accept}, false},
		{"accepted while asked", []func(context.Context) error{accept, follow, follow, accept}, false},
		{"opened while asked and accepted", []func(context.Context) error{accept, follow, follow,
			func(ctx context.Context) error {
				return other.Users.UpdateUser(ctx, "ann", model.UserPatch{Locked: new(false)})
			}}, false},
		{"refused while accepted", []func(context.Context) error{accept, func(ctx context.Context) error {
			return other.Requests.Refuse(ctx, "ann", "bob")
		}}, false},
	}
	for _, test := range tests {
		for range 8 {
			lock(t, e.Store, "ann", true)
			testenv.Must(t, ask(t, e, "bob", "ann", true)(t.Context()))
			for _, err := range testenv.AtOnce(len(test.acts), func(i int) error {
				return test.acts[i](t.Context())
			}) {
				testenv.Must(t, err)
			}
			requests, relationships := e.IDs(t, model.FollowRequests), e.IDs(t, model.Relationships)
			if n := len(requests) + len(relationships); n > 1 || n > 0 && test.none {
				t.Errorf("%s: requests are %v, relationships %v", test.name, requests, relationships)
			}
			testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "ann"))
			testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
			testenv.Must(t, e.Graph.Unblock(t.Context(), "bob", "ann"))
			e.CoolDown()
		}
	}
}

// TestLostAnswers answers requests in a store that loses the answer to each commit. The client itself commits a second
// time, and the caller must get the result of the first commit.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	lock(t, e.Store, "ann", true)
	losses := storetest.LoseAnswers(1, 1)
	s := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	for _, asker := range []model.UserID{"bob", "cat"} {
		requested, err := s.Graph.FollowOrAsk(t.Context(), asker, "ann")
		if err != nil || !requested {
			t.Errorf("%s asks: %v, %v", asker, requested, err)
		}
	}
	wantFollows(t, e, "asked", []string{"bob_ann", "cat_ann"}, []string{})
	testenv.Must(t, s.Requests.Accept(t.Context(), "ann", "bob"))
	testenv.Must(t, s.Requests.Refuse(t.Context(), "ann", "cat"))
	wantFollows(t, e, "answered", []string{}, []string{"bob_ann"})
	if losses.Count() != 4 {
		t.Errorf("%d answers were lost, want 4", losses.Count())
	}
}
