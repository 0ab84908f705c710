package scale_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const day = 24 * time.Hour

// TestHibernation lets users be away until nothing is pushed to them, and come back,
// while authors write.
func TestHibernation(t *testing.T) {
	testenv.Slow(t, "the numbers that it makes")
	tests := []struct {
		name string
		o    store.Options
	}{
		{"pushed", store.Options{}},
		{"pulled", store.Options{PullAbove: 5}},
		{"hashed pages", store.Options{FollowersPerPage: 5, EntriesPerBucket: 30, PreviewsPerBucket: 12}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testHibernation(t, test.o)
		})
	}
}

func testHibernation(t *testing.T, o store.Options) {
	o.WriteEvery, o.FlushAfter = 50*time.Millisecond, 50*time.Millisecond
	e := start(t, o, eventarc.Faults{Duplicate: 2, Delay: 200 * time.Millisecond, Drop: 0.05}, func(e *env) {
		e.clock.set(time.Date(2026, time.April, 4, 12, 0, 0, 0, time.UTC))
	})
	dormantFollowers, twins, authors := names("dormant", 4), names("twin", 2), names("author", 2)
	all := slices.Concat(dormantFollowers, twins)
	e.users(t, slices.Concat(all, authors, []model.UserID{"new"})...)
	for _, author := range authors {
		e.tweets(t, author, model.RecentTweets+5)
	}
	e.idle(t)
	for _, reader := range all {
		for _, author := range authors {
			testenv.Must(t, e.follow(t.Context(), reader, author))
		}
	}
	e.idle(t)
	e.audit(t, all)

	// Only the twins look, now and then.
	for range 5 {
		e.traffic(t, nothing, authors, 2, twins)
		e.clock.add(6*day + 6*time.Hour)
	}
	e.tweets(t, "new", 3)
	_, err := e.home(t.Context(), twins[0], 20, 0) // on a new day, so that there is a sweep
	testenv.Must(t, err)
	e.idle(t)
	for _, dormantFollower := range dormantFollowers {
		if e.holds(t, model.Homes, string(dormantFollower)) {
			t.Errorf("%s had no visit for %v and is active", dormantFollower, 31*day)
		}
	}
	e.audit(t, twins)

	before := e.timelineWrites(all)
	e.traffic(t, nothing, authors, 4, twins)
	e.idle(t)
	for uid, n := range e.timelineWrites(all) {
		n -= before[uid]
		switch {
		case slices.Contains(dormantFollowers, uid) && n > 0:
			t.Errorf("%s is away, and their timeline is written %d times", uid, n)
		case slices.Contains(twins, uid) && n == 0 && o.PullAbove == 0:
			t.Errorf("%s is there, and nothing is pushed to them", uid)
		}
	}

	// One comes back while nothing happens, and sees what their twin sees.
	for _, from := range []string{"the facts", "the timeline"} {
		want, err := e.home(t.Context(), twins[0], 20, 0)
		testenv.Must(t, err)
		got, err := e.home(t.Context(), dormantFollowers[0], 20, 0)
		testenv.Must(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("from %s, %s sees %v, want what %s sees, %v", from, dormantFollowers[0], got, twins[0], want)
		}
		e.idle(t)
	}
	if !e.holds(t, model.Homes, string(dormantFollowers[0])) || e.holds(t, model.Rebuilds, string(dormantFollowers[0])) {
		t.Errorf("%s came back, and the timeline is not rebuilt", dormantFollowers[0])
	}

	// The others come back while authors write. All but the last follow and leave at the
	// same time.
	testenv.Must(t, e.follow(t.Context(), dormantFollowers[1], "new"))
	testenv.Must(t, e.unfollow(t.Context(), dormantFollowers[2], authors[0]))
	e.idle(t)
	reconciled, err := e.world(t.Context())
	testenv.Must(t, err)
	e.traffic(t, func(ctx context.Context, rng *rand.Rand) error {
		for range 4 {
			for _, dormantFollower := range dormantFollowers[1:] {
				page, err := e.home(ctx, dormantFollower, 20, 1)
				if err != nil {
					return err
				}
				if dormantFollower == dormantFollowers[3] {
					now, err := e.world(ctx)
					if err != nil {
						return err
					}
					if err := compare(dormantFollower, page, false, reconciled, now); err != nil {
						t.Error(shorten(err))
					}
					continue
				}
				change := e.follow
				if rng.IntN(2) == 0 {
					change = e.unfollow
				}
				if err := change(ctx, dormantFollower, authors[1]); err != nil {
					return err
				}
			}
		}
		return nil
	}, authors, 4, twins)
	e.idle(t)
	e.audit(t, all)
	for _, dormantFollower := range dormantFollowers {
		if !e.holds(t, model.Homes, string(dormantFollower)) || e.holds(t, model.Rebuilds, string(dormantFollower)) {
			t.Errorf("%s came back, and the timeline is not rebuilt", dormantFollower)
		}
	}
	e.checkActive(t)
	e.checkOldest(t, all, authors)
	e.checkProvoked(t, o)
}

func nothing(context.Context, *rand.Rand) error { return nil }

func (e *env) holds(t *testing.T, collection, id string) bool {
	t.Helper()
	snap, err := e.raw.Collection(collection).Doc(id).Get(t.Context())
	if snap == nil {
		t.Errorf("%s/%s: %v", collection, id, err)
		return false
	}
	return snap.Exists()
}

func (e *env) timelineWrites(users []model.UserID) map[model.UserID]int {
	n := map[model.UserID]int{}
	for _, uid := range users {
		n[uid] = e.writes.count(model.Timelines + "/" + string(uid) + "_")
	}
	return n
}

// checkActive looks that nobody who follows an author is held to be away.
func (e *env) checkActive(t *testing.T) {
	t.Helper()
	snaps, err := e.raw.Collection(model.FollowerPages).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range snaps {
		var list model.FollowerList
		testenv.Must(t, snap.DataTo(&list))
		for uid := range list.Dormant {
			if _, held := list.Followers[uid]; held {
				t.Errorf("%s says that %s is away", snap.Ref.Path, uid)
			}
		}
	}
}

// checkOldest looks that what is older than a month is not shown, although it is there.
func (e *env) checkOldest(t *testing.T, readers, authors []model.UserID) {
	t.Helper()
	oldest := e.clock.now().Add(-model.TimelineWindow)
	older := 0
	now, err := e.world(t.Context())
	testenv.Must(t, err)
	for _, author := range authors {
		for _, w := range now.tweets[author] {
			if w.deleted.IsZero() && w.id.Time().Before(oldest) {
				older++
			}
		}
	}
	if older == 0 {
		t.Error("no tweet is too old to be shown")
	}
	for _, reader := range readers {
		ids, err := e.home(t.Context(), reader, 100, 0)
		testenv.Must(t, err)
		if n := len(ids); n > 0 && ids[n-1].Time().Before(oldest) {
			t.Errorf("%s sees a tweet of %v, want none from before %v", reader, ids[n-1].Time(), oldest)
		}
	}
}
