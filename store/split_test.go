package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	const perPage = 3
	e := open(t, store.Options{FollowersPerPage: perPage})
	other := e.again(t, store.Options{FollowersPerPage: perPage}) // knows nothing of a split
	e.users(t, "ann")
	var fans []model.UserID
	join := func(s *store.Store) {
		t.Helper()
		fan := model.UserID(fmt.Sprintf("fan%02d", len(fans)))
		e.users(t, fan)
		fans = append(fans, fan)
		must(t, s.Follow(t.Context(), fan, "ann"))
		must(t, s.LinkTimeline(t.Context(), fan, "ann"))
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
	if first := e.doc(t, "followerPages/ann"); len(first["followers"].(map[string]any)) != 0 || first["splittingUntil"] != nil {
		t.Errorf("the first page after the split = %v", first)
	}
	join(other)
	check(model.FollowerPageCount)
	for _, s := range []*store.Store{e.Store, other} {
		must(t, costs(t, "LinkTimeline to a hashed page", 5, 3, 0, func(ctx context.Context) error { return s.LinkTimeline(ctx, fans[0], "ann") }))
	}
	for len(fans) > 1 { // few followers again, but the pages stay
		must(t, e.Unfollow(t.Context(), fans[0], "ann"))
		must(t, other.LinkTimeline(t.Context(), fans[0], "ann"))
		fans = fans[1:]
		check(model.FollowerPageCount)
	}
}

// A split that was begun by a process which then ended is taken up once its lease is
// over, and until then nobody is lost.
func TestSplitAbandoned(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{FollowersPerPage: 2})
	e.users(t, "ann")
	var fans []model.UserID
	join := func() {
		t.Helper()
		fan := model.UserID(fmt.Sprint("fan", len(fans)))
		e.users(t, fan)
		fans = append(fans, fan)
		must(t, e.Follow(t.Context(), fan, "ann"))
		must(t, e.LinkTimeline(t.Context(), fan, "ann"))
	}
	join()
	join()
	_, err := e.raw.Doc("followerPages/ann").Update(t.Context(), []firestore.Update{{Path: "splittingUntil", Value: e.clock.now().Add(30 * time.Second)}})
	must(t, err)
	for range 3 {
		join()
		if got, pages := linked(t, e.Store, "ann"); pages != 0 || !slices.Equal(got, fans) {
			t.Errorf("during the lease: %v on %d pages, want %v", got, pages, fans)
		}
	}
	must(t, e.Unfollow(t.Context(), fans[1], "ann"))
	must(t, e.LinkTimeline(t.Context(), fans[1], "ann"))
	fans = slices.Delete(fans, 1, 2)
	e.clock.add(31 * time.Second)
	must(t, e.LinkTimeline(t.Context(), fans[0], "ann")) // any follower takes it up
	if got, pages := linked(t, e.Store, "ann"); pages != model.FollowerPageCount || !slices.Equal(got, fans) {
		t.Errorf("after the lease: %v on %d pages, want %v", got, pages, fans)
	}
}

// People follow and unfollow while the page is split, seen by two processes, with the
// trigger of each change run at any time after it, and some twice.
func TestSplitConcurrently(t *testing.T) {
	t.Parallel()
	const fans, toggles = 8, 4
	e := open(t, store.Options{FollowersPerPage: 3})
	for i := range fans {
		e.users(t, model.UserID(fmt.Sprint("fan", i)))
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	split := 0
	for round := range 12 {
		author := model.UserID(fmt.Sprint("author", round))
		e.users(t, author)
		stores := []*store.Store{e.Store, e.Store}
		if round%4 == 0 {
			stores[1] = e.again(t, store.Options{FollowersPerPage: 3})
		}
		var g errgroup.Group
		for i := range fans {
			g.Go(func() error {
				rng := rand.New(rand.NewPCG(seed, uint64(round*fans+i)))
				fan := model.UserID(fmt.Sprint("fan", i))
				var triggers errgroup.Group
				triggers.SetLimit(3)
				for n := range toggles + rng.IntN(2) {
					change := e.Follow
					if n%2 == 1 {
						change = e.Unfollow
					}
					if err := eventually(func() error { return change(t.Context(), fan, author) }); err != nil {
						return err
					}
					for range 1 + rng.IntN(4)/3 {
						s := stores[rng.IntN(2)]
						triggers.Go(func() error {
							return eventually(func() error { return s.LinkTimeline(t.Context(), fan, author) })
						})
					}
				}
				return triggers.Wait()
			})
		}
		must(t, g.Wait())
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

// eventually tries again while the database is busy, as a client does and as an event is
// delivered again.
func eventually(f func() error) (err error) {
	for range 20 {
		if err = f(); errs.KindOf(err) != errs.Unavailable {
			break
		}
	}
	return err
}
