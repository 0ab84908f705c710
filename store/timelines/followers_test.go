package timelines_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// linked reads all of an author's followers from their pages, sorted.
func linked(t *testing.T, s *store.Store, author model.UserID) (followers []model.UserID, pages int) {
	t.Helper()
	a, err := s.Timelines.Audience(t.Context(), author, "2026-11")
	testenv.Must(t, err)
	followers, pages = a.Followers, a.Pages
	for n := range pages {
		more, err := s.Timelines.FollowersOnPage(t.Context(), author, n)
		testenv.Must(t, err)
		for _, f := range more {
			if model.FollowerPage(f) != n {
				t.Errorf("%s is on page %d, want %d", f, n, model.FollowerPage(f))
			}
		}
		followers = append(followers, more...)
	}
	slices.Sort(followers)
	return followers, pages
}

// followersOf reads an author's followers from the relationships, sorted.
func followersOf(t *testing.T, s *store.Store, author model.UserID) []model.UserID {
	t.Helper()
	page, err := s.Graph.Followers(t.Context(), author, model.Cursor{}, 1_000)
	testenv.Must(t, err)
	followers := []model.UserID{}
	for _, r := range page.Items {
		followers = append(followers, r.FollowerID)
	}
	slices.Sort(followers)
	return followers
}

func TestLinkKeepsPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann := model.UserID("ann_`a.b%")
	fans := []model.UserID{"50%", "a.b", "a_b", "b`c", "火花"} // no easy field names
	_, err := e.Users.CreateUser(t.Context(), ann, model.NewUser{Username: "ann"})
	testenv.Must(t, err)
	for i, fan := range fans {
		_, err := e.Users.CreateUser(t.Context(), fan, model.NewUser{Username: "fan_" + string(rune('a'+i))})
		testenv.Must(t, err)
		testenv.Must(t, e.Graph.Follow(t.Context(), fan, ann))
		for range 2 { // a second link changes nothing
			testenv.Must(t, storetest.Costs(t, "Link", 6, 3, 0, func(ctx context.Context) error {
				return e.Timelines.Link(ctx, fan, ann)
			}))
		}
	}
	if got, pages := linked(t, e.Store, ann); pages != 0 || !slices.Equal(got, fans) {
		t.Errorf("followers = %q on %d pages, want %q", got, pages, fans)
	}
	testenv.Must(t, storetest.Costs(t, "Audience", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.Timelines.Audience(ctx, ann, "2026-11")
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "FollowersOnPage", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.Timelines.FollowersOnPage(ctx, ann, 3)
		return err
	}))
	for _, fan := range fans[1:] {
		testenv.Must(t, e.Graph.Unfollow(t.Context(), fan, ann))
		testenv.Must(t, storetest.Costs(t, "Link, unfollowed", 2, 3, 0, func(ctx context.Context) error {
			return e.Timelines.Link(ctx, fan, ann)
		}))
	}
	if got, _ := linked(t, e.Store, ann); !slices.Equal(got, fans[:1]) {
		t.Errorf("followers = %q, want %q", got, fans[:1])
	}
	// the event of an unfollow may come first, or alone
	testenv.Must(t, e.Timelines.Link(t.Context(), "stranger", "nobody"))
	if got, pages := linked(t, e.Store, "nobody"); len(got) != 0 || pages != 0 {
		t.Errorf("followers of nobody = %v, %d pages", got, pages)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	const perPage = 3
	e := storetest.Open(t, store.Options{FollowersPerPage: perPage})
	other := e.Again(t, store.Options{FollowersPerPage: perPage}) // does not know of a split
	e.CreateUsers(t, "ann")
	var fans []model.UserID
	join := func(s *store.Store) {
		t.Helper()
		fan := model.UserID(fmt.Sprintf("fan%02d", len(fans)))
		e.CreateUsers(t, fan)
		fans = append(fans, fan)
		follow(t, s, fan, "ann")
	}
	check := func(wantPages int) {
		t.Helper()
		if got, pages := linked(t, e.Store, "ann"); pages != wantPages || !slices.Equal(got, fans) {
			t.Errorf("followers = %v on %d pages, want %v on %d", got, pages, fans, wantPages)
		}
	}
	for range perPage {
		join(e.Store)
		check(0)
	}
	join(e.Store) // one too many
	check(model.FollowerPageCount)
	if first := e.Doc(t, "followerPages/ann"); len(first["followers"].(map[string]any)) != 0 ||
		first["splittingUntil"] != nil {
		t.Errorf("the first page after the split = %v", first)
	}
	join(other)
	check(model.FollowerPageCount)
	for _, s := range []*store.Store{e.Store, other} {
		testenv.Must(t, storetest.Costs(t, "Link to a hashed page", 6, 3, 0, func(ctx context.Context) error {
			return s.Timelines.Link(ctx, fans[0], "ann")
		}))
	}
	for len(fans) > 1 { // few followers again, but the pages stay
		unfollow(t, other, fans[0], "ann")
		fans = fans[1:]
		check(model.FollowerPageCount)
	}
}

// A process begins a split and ends. Another process takes over the split after the lease. Until then no follower is
// lost.
func TestSplitAbandoned(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{FollowersPerPage: 2})
	e.CreateUsers(t, "ann")
	var fans []model.UserID
	join := func() {
		t.Helper()
		fan := model.UserID(fmt.Sprint("fan", len(fans)))
		e.CreateUsers(t, fan)
		fans = append(fans, fan)
		follow(t, e.Store, fan, "ann")
	}
	join()
	join()
	_, err := e.Raw.Doc("followerPages/ann").
		Update(t.Context(), []firestore.Update{{Path: "splittingUntil", Value: e.Clock.Now().Add(30 * time.Second)}})
	testenv.Must(t, err)
	for range 3 {
		join()
		if got, pages := linked(t, e.Store, "ann"); pages != 0 || !slices.Equal(got, fans) {
			t.Errorf("during the lease: %v on %d pages, want %v", got, pages, fans)
		}
	}
	unfollow(t, e.Store, fans[1], "ann")
	fans = slices.Delete(fans, 1, 2)
	e.Clock.Add(31 * time.Second)
	testenv.Must(t, e.Timelines.Link(t.Context(), fans[0], "ann")) // any link takes over the split
	if got, pages := linked(t, e.Store, "ann"); pages != model.FollowerPageCount || !slices.Equal(got, fans) {
		t.Errorf("after the lease: %v on %d pages, want %v", got, pages, fans)
	}
}

// Users follow and unfollow an author during the split of the author's page. Two processes see the changes. The trigger
// of each change runs at any time after the change, and some triggers run twice.
func TestSplitConcurrently(t *testing.T) {
	t.Parallel()
	const fans, toggles = 8, 4
	e := storetest.Open(t, store.Options{FollowersPerPage: 3})
	for i := range fans {
		e.CreateUsers(t, model.UserID(fmt.Sprint("fan", i)))
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	split := 0
	for round := range 12 {
		author := model.UserID(fmt.Sprint("author", round))
		e.CreateUsers(t, author)
		stores := []*store.Store{e.Store, e.Store}
		if round%4 == 0 {
			stores[1] = e.Again(t, store.Options{FollowersPerPage: 3})
		}
		var g errgroup.Group
		for i := range fans {
			g.Go(func() error {
				rng := rand.New(rand.NewPCG(seed, uint64(round*fans+i)))
				fan := model.UserID(fmt.Sprint("fan", i))
				var triggers errgroup.Group
				triggers.SetLimit(3)
				for n := range toggles + rng.IntN(2) {
					change := e.Graph.Follow
					if n%2 == 1 {
						change = e.Graph.Unfollow
					}
					if err := testenv.Patiently(func() error { return change(t.Context(), fan, author) }); err != nil {
						return err
					}
					for range 1 + rng.IntN(4)/3 {
						s := stores[rng.IntN(2)]
						triggers.Go(func() error {
							return testenv.Patiently(func() error { return s.Timelines.Link(t.Context(), fan, author) })
						})
					}
				}
				return triggers.Wait()
			})
		}
		testenv.Must(t, g.Wait())
		got, pages := linked(t, e.Store, author)
		if pages > 0 {
			split++
		}
		if want := followersOf(t, e.Store, author); !slices.Equal(got, want) {
			t.Errorf("round %d: followers = %v on %d pages, want %v", round, got, pages, want)
		}
	}
	if split == 0 {
		t.Error("no page was split")
	}
}
