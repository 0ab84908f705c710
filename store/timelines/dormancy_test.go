package timelines_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
)

// work reads a work document as its event has it. It returns false if there is none.
func work(t *testing.T, e *storetest.Env, path string, to any) (written time.Time, found bool) {
	t.Helper()
	snaps, err := e.Raw.GetAll(t.Context(), []*firestore.DocumentRef{e.Raw.Doc(path)})
	testenv.Must(t, err)
	if !snaps[0].Exists() {
		return written, false
	}
	testenv.Must(t, snaps[0].DataTo(to))
	return snaps[0].UpdateTime, true
}

// sweep enqueues a sweep, and runs its event.
func sweep(ctx context.Context, e *storetest.Env, s *store.Store) error {
	id := e.Clock.Now().Format(time.DateOnly)
	written, err := e.Raw.Doc(model.Sweeps+"/"+id).Set(ctx, model.SweepWork{})
	if err != nil {
		return err
	}
	return s.Rebuilding.Sweep(ctx, model.SweepWork{ID: id, WrittenAt: written.UpdateTime})
}

// sleepSteps runs the events of a MarkDormant until the work is done, and counts them.
func sleepSteps(t *testing.T, e *storetest.Env, s *store.Store, uid model.UserID) (steps int) {
	t.Helper()
	for {
		var w model.DormancyWork
		var found bool
		if w.WrittenAt, found = work(t, e, model.Dormancies+"/"+string(uid), &w); !found {
			return steps
		}
		testenv.Must(t, s.Rebuilding.MarkDormant(t.Context(), w))
		steps++
	}
}

// rebuildSteps runs the events of a Rebuild until the work is done, and counts them.
func rebuildSteps(t *testing.T, e *storetest.Env, s *store.Store, uid model.UserID) (steps int) {
	t.Helper()
	for {
		var w model.RebuildWork
		var found bool
		if w.WrittenAt, found = work(t, e, model.Rebuilds+"/"+string(uid), &w); !found {
			return steps
		}
		testenv.Must(t, s.Rebuilding.Rebuild(t.Context(), w))
		steps++
	}
}

// rebuildingFollow makes a user follow an author.
func rebuildingFollow(t *testing.T, s *store.Store, follower, author model.UserID) {
	t.Helper()
	testenv.Must(t, s.Graph.Follow(t.Context(), follower, author))
	testenv.Must(t, s.Timelines.Link(t.Context(), follower, author))
}

// rebuildingWantHome checks the first page of a home timeline, and all further pages.
func rebuildingWantHome(t *testing.T, what string, s *store.Store, uid model.UserID, want []model.TweetID) {
	t.Helper()
	var got []model.TweetID
	for before := timelines.Cursor(""); ; {
		items, next, err := s.Timelines.Home(t.Context(), uid, "", before, 20)
		testenv.Must(t, err)
		for _, item := range items {
			got = append(got, item.ID)
		}
		if before = next; next == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: home timeline of %s (-want +got):\n%s", what, uid, diff)
	}
}

// dormantOn returns the authors on whose pages a follower is marked as dormant.
func dormantOn(t *testing.T, e *storetest.Env, follower model.UserID) (authors []model.UserID) {
	t.Helper()
	snaps, err := e.Raw.Collection(model.FollowerPages).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	for _, snap := range snaps {
		var list model.FollowerList
		testenv.Must(t, snap.DataTo(&list))
		if list.Dormant[follower] {
			authors = append(authors, model.KeyUser(snap.Ref.ID))
		}
	}
	return authors
}

// A reader who follows many authors becomes dormant in steps, and the timeline is rebuilt in steps. Each step may be
// the last of its process. The reader's first page is right at once.
func TestSleepAndRebuildInSteps(t *testing.T) {
	t.Parallel()
	const authors = 180
	e := storetest.Open(t, store.Options{StepTime: time.Nanosecond}) // a step ends as soon as it may
	e.CreateUsers(t, "ann")
	all := make([]model.UserID, authors)
	var g errgroup.Group
	g.SetLimit(16)
	for i := range all {
		all[i] = model.UserID(fmt.Sprintf("author%03d", i))
		e.CreateUsers(t, all[i])
		g.Go(func() error {
			return testenv.Patiently(func() error { return e.Graph.Follow(t.Context(), "ann", all[i]) })
		})
	}
	testenv.Must(t, g.Wait())
	for _, author := range all {
		g.Go(func() error {
			return testenv.Patiently(func() error { return e.Timelines.Link(t.Context(), "ann", author) })
		})
	}
	testenv.Must(t, g.Wait())
	e.Clock.Add(model.SleepAfter + 48*time.Hour)

	testenv.Must(t, sweep(t.Context(), e, e.Store))
	if e.Doc(t, "homes/ann") != nil || e.Doc(t, "sleeps/ann") == nil {
		t.Fatal("ann has a home, or no process will mark ann as asleep")
	}
	if steps := sleepSteps(t, e, e.Store, "ann"); steps != 2 {
		t.Errorf("ann fell asleep in %d steps, want 2", steps)
	}
	if on := dormantOn(t, e, "ann"); len(on) != authors {
		t.Errorf("ann is marked with %d authors, want %d", len(on), authors)
	}

	var want []model.TweetID // newest first
	for i := range 50 {
		e.Clock.Add(time.Second)
		want = slices.Insert(want, 0, e.Publish(t, all[(i*7)%authors], "a spark").ID)
	}
	e.Clock.Add(time.Second)
	// ann unfollowed one author and follows another while dormant.
	testenv.Must(t, e.Graph.Unfollow(t.Context(), "ann", all[0]))
	want = slices.DeleteFunc(want, func(id model.TweetID) bool { return id == want[49] })
	e.CreateUsers(t, "new")
	late := e.Publish(t, "new", "a spark").ID
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "new"))
	want = slices.Insert(want, 0, late)

	m := meter.New()
	items, next, err := e.Timelines.Home(meter.With(t.Context(), m), "ann", "", "", 20)
	testenv.Must(t, err)
	got := []model.TweetID{}
	for _, item := range items {
		got = append(got, item.ID)
	}
	if !slices.Equal(got, want[:20]) || !strings.HasPrefix(string(next), string(want[19])) {
		t.Errorf("ann's first page = %v, then %q, want %v", got, next, want[:20])
	}
	// 3 for the month, 1 + 2 for the list, own tweets, 1 newer follow, an author, 20 tweets, 20 relationships, a month or
	// two of likes.
	if reads := m.Reads(); reads > authors+1+52 {
		t.Errorf("ann's first page costs %d reads, want at most %d", reads, authors+53)
	}
	testenv.Must(t, e.Timelines.Link(t.Context(), "ann", "new"))
	testenv.Must(t, e.Timelines.Link(t.Context(), "ann", all[0]))

	var first model.RebuildWork
	first.WrittenAt, _ = work(t, e, model.Rebuilds+"/ann", &first)
	if steps := rebuildSteps(t, e, e.Again(t, store.Options{StepTime: time.Nanosecond}), "ann"); steps != 3 {
		t.Errorf("ann was woken in %d steps, want 3, of 10, 100 and the other authors", steps)
	}
	// The event of the first step is repeated.
	testenv.Must(t, storetest.Costs(t, "a late step", 1, 0, 0, func(ctx context.Context) error {
		return e.Rebuilding.Rebuild(ctx, first)
	}))
	if on := dormantOn(t, e, "ann"); len(on) != 0 || e.Doc(t, "homes/ann") == nil {
		t.Errorf("ann is awake, and marked as asleep with %v", on)
	}
	if left := e.IDs(t, model.DormantFollowers); len(left) != 0 {
		t.Errorf("the list of whom ann followed is left: %v", left)
	}
	e.CoolDown()
	rebuildingWantHome(t, "after waking", e.Store, "ann", want)
}

// The process of a sweep ends right after it deleted a reader's home document. The reader is marked as dormant
// nonetheless, by the event of the work document written in its place.
func TestSweepInterrupted(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	rebuildingFollow(t, e.Store, "ann", "bob")
	e.Clock.Add(model.SleepAfter + 48*time.Hour)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	dying := e.Again(t, store.Options{Meter: meter.Options{OnWrite: func(path string, deleted bool) {
		if path == "homes/ann" && deleted {
			end()
		}
	}}})
	if err := sweep(ctx, e, dying); err == nil {
		t.Fatal("the sweep went on")
	}
	if e.Doc(t, "homes/ann") != nil {
		t.Fatal("ann has a home")
	}
	sleepSteps(t, e, e.Store, "ann")
	if on := dormantOn(t, e, "ann"); !slices.Equal(on, []model.UserID{"bob"}) {
		t.Errorf("ann is marked with %v, want bob", on)
	}
}

// A reader comes back during MarkDormant.
func TestSleepOfReaderWhoCameBack(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	rebuildingFollow(t, e.Store, "ann", "bob")
	e.Clock.Add(model.SleepAfter + 48*time.Hour)
	testenv.Must(t, sweep(t.Context(), e, e.Store))
	_, _, err := e.Timelines.Home(t.Context(), "ann", "", "", 20)
	testenv.Must(t, err)
	sleepSteps(t, e, e.Store, "ann")
	if on := dormantOn(t, e, "ann"); len(on) > 0 {
		t.Errorf("ann came back, and is marked with %v", on)
	}
	rebuildSteps(t, e, e.Store, "ann")
	if e.Doc(t, "homes/ann") == nil {
		t.Error("ann is not awake")
	}
}

// A reader comes back, and is active again, before a slow MarkDormant ends. MarkDormant leaves no list of the authors
// of an active reader.
func TestSleepEndsAfterRebuild(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	rebuildingFollow(t, e.Store, "ann", "bob")
	e.Clock.Add(model.SleepAfter + 48*time.Hour)
	testenv.Must(t, sweep(t.Context(), e, e.Store))
	rebuilt := false
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("sleepers/ann"),
		func() {
			rebuilt = true
			_, _, err := e.Timelines.Home(t.Context(), "ann", "", "", 20)
			testenv.Must(t, err)
			rebuildSteps(t, e, e.Store, "ann")
		})}})
	sleepSteps(t, e, slow, "ann")
	if !rebuilt || e.Doc(t, "homes/ann") == nil {
		t.Fatal("ann did not come back in time")
	}
	for _, path := range []string{"sleepers/ann", "sleepers/" + model.DormantFollowerPageKey("ann", 0), "sleeps/ann"} {
		if e.Doc(t, path) != nil {
			t.Errorf("ann is awake, and %s is there", path)
		}
	}
}

// MarkDormant completes its list after Rebuild has searched for one, and before Rebuild ends. No list is left.
func TestSleepEndsWithinRebuild(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	rebuildingFollow(t, e.Store, "ann", "bob")
	e.Clock.Add(model.SleepAfter + 48*time.Hour)
	testenv.Must(t, sweep(t.Context(), e, e.Store))
	began, rebuilds, slept := make(chan struct{}), make(chan struct{}), make(chan struct{})
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("sleepers/ann"),
		func() {
			close(began)
			<-rebuilds
		})}})
	go func() {
		defer close(slept)
		sleepSteps(t, e, slow, "ann")
	}()
	<-began
	_, _, err := e.Timelines.Home(t.Context(), "ann", "", "", 20)
	testenv.Must(t, err)
	rebuilding := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("homes/ann"),
		func() {
			close(rebuilds)
			<-slept
		})}})
	rebuildSteps(t, e, rebuilding, "ann")
	for _, path := range []string{"sleepers/ann", "sleepers/" + model.DormantFollowerPageKey("ann", 0), "sleeps/ann"} {
		if e.Doc(t, path) != nil {
			t.Errorf("ann is awake, and %s is there", path)
		}
	}
}

// Rebuild ends between two reads of a dormant follower's page. The page finds the list of authors, but no longer the
// list's pages. The reader sees every author all the same.
func TestRebuildEndsWithinPage(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	rebuildingFollow(t, e.Store, "ann", "bob")
	e.Clock.Add(model.SleepAfter + 48*time.Hour)
	testenv.Must(t, sweep(t.Context(), e, e.Store))
	sleepSteps(t, e, e.Store, "ann")
	want := []model.TweetID{e.Publish(t, "bob", "a spark").ID}
	_, err := e.Raw.Doc("sleepers/" + model.DormantFollowerPageKey("ann", 0)).Delete(t.Context())
	testenv.Must(t, err)
	rebuildingWantHome(t, "while waking", e.Store, "ann", want)
}

// The event of a work document is lost. The next process that enqueues the work enqueues it again after a while. So
// does the day's sweep.
func TestLostWork(t *testing.T) {
	t.Parallel()
	const stale = 300 * time.Millisecond
	for name, find := range map[string]func(e *storetest.Env) error{
		"the reader looks again": func(e *storetest.Env) error {
			_, _, err := e.Timelines.Home(t.Context(), "ann", "", "", 20)
			return err
		},
		"the day's sweep": func(e *storetest.Env) error { return sweep(t.Context(), e, e.Store) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{StaleAfter: stale})
			e.CreateUsers(t, "ann")
			e.Clock.Add(model.SleepAfter + 48*time.Hour)
			testenv.Must(t, sweep(t.Context(), e, e.Store))
			sleepSteps(t, e, e.Store, "ann")
			_, _, err := e.Timelines.Home(t.Context(), "ann", "", "", 20)
			testenv.Must(t, err)
			var w model.RebuildWork
			first, found := work(t, e, model.Rebuilds+"/ann", &w)
			if !found {
				t.Fatal("ann's waking was not asked for")
			}
			testenv.Must(t, find(e))
			if again, _ := work(t, e, model.Rebuilds+"/ann", &w); !again.Equal(first) && again.Sub(first) < stale {
				t.Error("asked again for work whose event may be on its way")
			}
			time.Sleep(2 * stale)
			testenv.Must(t, find(e))
			if again, _ := work(t, e, model.Rebuilds+"/ann", &w); !again.After(first) {
				t.Error("not asked again for work whose event was lost")
			}
			rebuildSteps(t, e, e.Store, "ann")
		})
	}
}

// A reader visits at the very moment at which Rebuild ends: the month was read before Rebuild wrote it, and the visit
// is recorded after. The page has the rebuilt timeline.
func TestLookWhileRebuildEnds(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	rebuildingFollow(t, e.Store, "ann", "bob")
	e.Clock.Add(model.SleepAfter + 48*time.Hour)
	testenv.Must(t, sweep(t.Context(), e, e.Store))
	sleepSteps(t, e, e.Store, "ann")
	tweet := e.Publish(t, "bob", "a spark")
	rebuildingWantHome(t, "asleep", e.Store, "ann", []model.TweetID{tweet.ID})
	rebuilt := false
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("homes/ann"), func() {
		rebuilt = true
		rebuildSteps(t, e, e.Store, "ann")
	})}})
	rebuildingWantHome(t, "while RebuildTimeline ends", slow, "ann", []model.TweetID{tweet.ID})
	if !rebuilt {
		t.Error("the look was not noted")
	}
}
