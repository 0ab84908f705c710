package followerpages_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/timelines/internal/followerpages"
)

// stay replaces the function that Link calls for a user who unfollowed.
func stay(*firestore.Transaction, model.UserID, model.UserID) error { return nil }

// page reads a page of followers.
func page(t *testing.T, e *storetest.Env, key string) (list model.FollowerList) {
	t.Helper()
	snap, err := e.Raw.Doc(model.FollowerPages + "/" + key).Get(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, snap.DataTo(&list))
	return list
}

// An author's page is split. A process that does not know of the split links and marks followers. The entry and the
// mark are on the follower's hashed page, and nowhere else.
func TestProcessThatDoesNotKnowOfTheSplit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	fresh := func() *followerpages.Pages {
		return followerpages.New(db.New(e.Raw, time.Now, &db.Server{}, 0, 0), 3)
	}
	e.CreateUsers(t, "ann")
	var fans []model.UserID
	for i := range 6 {
		fan := model.UserID(fmt.Sprint("fan", i))
		e.CreateUsers(t, fan)
		fans = append(fans, fan)
		testenv.Must(t, e.Graph.Follow(t.Context(), fan, "ann"))
		_, first, err := fresh().Link(t.Context(), "ann", []model.UserID{fan}, stay)
		testenv.Must(t, err)
		if i > 4 && first.Pages != model.FollowerPageCount {
			t.Fatalf("after %d followers: %d pages", i+1, first.Pages)
		}
	}
	dormantFollower := fans[2]
	_, err := e.Raw.Doc("homes/" + string(dormantFollower)).Delete(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, fresh().MarkDormant(t.Context(), "ann", []model.UserID{dormantFollower}))
	if first := page(t, e, "ann"); len(first.Followers) > 0 || len(first.Dormant) > 0 {
		t.Errorf("on the first page: %v, asleep %v, want nobody", first.Followers, first.Dormant)
	}
	var all, dormant []model.UserID
	pages := fresh()
	for n := range model.FollowerPageCount {
		active, err := pages.OnPage(t.Context(), "ann", n)
		testenv.Must(t, err)
		all = append(all, active...)
		snap, err := e.Raw.Doc(model.FollowerPages + "/" + model.HashedFollowerPageKey("ann", n)).Get(t.Context())
		if err == nil {
			var list model.FollowerList
			testenv.Must(t, snap.DataTo(&list))
			for f := range list.Dormant {
				dormant = append(dormant, f)
			}
		}
	}
	slices.Sort(all)
	if want := slices.Delete(slices.Clone(fans), 2, 3); !slices.Equal(all, want) ||
		!slices.Equal(dormant, []model.UserID{dormantFollower}) {
		t.Errorf("awake on hashed pages: %v, asleep: %v, want %v and %s", all, dormant, want, dormantFollower)
	}
}

// The first page is as large as a document may be, and was never split. The link of the next follower splits it and
// succeeds.
func TestFullPage(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	bob := model.UserID(strings.Repeat("b", 128))
	e.CreateUsers(t, "ann")
	_, err := e.Users.CreateUser(t.Context(), bob, model.NewUser{Username: "bob"})
	testenv.Must(t, err)
	full := map[string]any{}
	for i := range 1_001 {
		full[fmt.Sprint("gone", i)] = time.Now()
	}
	ref := e.Raw.Doc(model.FollowerPages + "/ann")
	_, err = ref.Set(t.Context(), map[string]any{"followers": full})
	testenv.Must(t, err)
	storetest.Fill(t, ref)
	snap, err := ref.Get(t.Context())
	testenv.Must(t, err)
	ballast := snap.Data()["ballast"].(string)
	// the mark of a split fits
	_, err = ref.Update(t.Context(), []firestore.Update{{Path: "ballast", Value: ballast[60:]}})
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Follow(t.Context(), bob, "ann"))
	_, first, err := followerpages.New(db.New(e.Raw, time.Now, &db.Server{}, 0, 0), 1_000).
		Link(t.Context(), "ann", []model.UserID{bob}, stay)
	testenv.Must(t, err)
	if on := page(t, e, model.HashedFollowerPageKey("ann", model.FollowerPage(bob))); first.Pages == 0 ||
		on.Followers[bob].IsZero() {
		t.Errorf("the page has %d followers after the split, and bob is not linked", len(first.Followers))
	}
}

// A reader whose home timeline is being rebuilt is not marked.
func TestSleepOfRebuiltReader(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	pages := followerpages.New(db.New(e.Raw, time.Now, &db.Server{}, 0, 0), 1_000)
	_, _, err := pages.Link(t.Context(), "ann", []model.UserID{"bob"}, stay)
	testenv.Must(t, err)
	_, err = e.Raw.Doc("homes/bob").Delete(t.Context())
	testenv.Must(t, err)
	rebuilds := e.Raw.Doc(model.Rebuilds + "/bob")
	_, err = rebuilds.Set(t.Context(), model.RebuildWork{UserID: "bob"})
	testenv.Must(t, err)
	for _, marked := range []bool{false, true} {
		testenv.Must(t, pages.MarkDormant(t.Context(), "ann", []model.UserID{"bob"}))
		if got := page(t, e, "ann").Dormant["bob"]; got != marked {
			t.Errorf("bob is marked %v, want %v", got, marked)
		}
		_, err = rebuilds.Delete(t.Context())
		testenv.Must(t, err)
	}
}
