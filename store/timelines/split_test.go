package timelines_test

import (
	"slices"
	"testing"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// wantFollowers compares the active followers, on the pages that count, with the relationships.
func wantFollowers(t *testing.T, e *storetest.Env, author model.UserID, wantPages int) {
	t.Helper()
	got, pages := storetest.Followers(t, e.Raw, author)
	slices.Sort(got)
	if want := followersOf(t, e.Store, author); !slices.Equal(got, want) || pages != wantPages {
		t.Errorf("followers = %v on %d pages, want %v on %d", got, pages, want, wantPages)
	}
}

// A process has read the first page, in order to split it. Before it marks the page, another process adds a follower.
func TestFollowerBeforeSplit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{}) // never splits so small a page
	e.CreateUsers(t, "ann", "fan0", "fan1", "fan2", "fan3", "late")
	marks := func(path string, w *pb.Write) bool {
		return path == "followerPages/ann" && w.GetUpdate().GetFields()["splittingUntil"] != nil
	}
	came := false
	slow := e.Again(t, store.Options{FollowersPerPage: 2, Meter: meter.Options{Below: storetest.Before(marks, func() {
		came = true
		if err := e.Graph.Follow(t.Context(), "late", "ann"); err != nil {
			t.Error(err)
		}
		if err := e.Timelines.Link(t.Context(), "late", "ann"); err != nil {
			t.Error(err)
		}
	})}})
	for _, fan := range []model.UserID{"fan0", "fan1", "fan2"} {
		follow(t, slow, fan, "ann")
	}
	if !came {
		t.Error("the page was not marked")
	}
	follow(t, slow, "fan3", "ann") // a split that came too late is tried again
	wantFollowers(t, e, "ann", model.FollowerPageCount)
}

// Entries on the first page by processes that did not know of a split do not stay there.
func TestFirstPageIsCleared(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{FollowersPerPage: 2})
	e.CreateUsers(t, "ann", "fan0", "fan1", "fan2", "late")
	first := e.Raw.Doc("followerPages/ann")
	check := func(what string) {
		t.Helper()
		wantFollowers(t, e, "ann", model.FollowerPageCount)
		doc := e.Doc(t, "followerPages/ann")
		for _, field := range []string{"followers", "asleep"} {
			if left, _ := doc[field].(map[string]any); len(left) > 0 {
				t.Errorf("%s: %s are left on the first page: %v", what, field, left)
			}
		}
	}
	for _, fan := range []model.UserID{"fan0", "fan1"} {
		follow(t, e.Store, fan, "ann")
	}
	mark := map[string]any{"asleep": map[string]any{"fan0": true}}
	_, err := first.Set(t.Context(), mark, firestore.MergeAll)
	testenv.Must(t, err)
	follow(t, e.Store, "fan2", "ann")
	check("split")

	fresh := e.Again(t, store.Options{FollowersPerPage: 2})
	follow(t, fresh, "late", "ann")
	check("linked by a process that did not know")

	mark["followers"] = map[string]any{"fan1": e.Clock.Now()}
	_, err = first.Set(t.Context(), mark, firestore.MergeAll)
	testenv.Must(t, err)
	testenv.Must(t, e.Timelines.Link(t.Context(), "late", "ann"))
	check("left by a process that ended")
}
