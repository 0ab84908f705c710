package verify_test

import (
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// differences lists what differs of a user at this moment, of some kinds alone: no
// function runs in these tests.
func differences(t *testing.T, e *storetest.Env, uid model.UserID, kinds ...string) []found {
	t.Helper()
	ds, err := e.Audit.User(t.Context(), uid, verify.Options{})
	testenv.Must(t, err)
	return bare(slices.DeleteFunc(ds, func(d verify.Difference) bool { return !slices.Contains(kinds, d.Kind) }))
}

// shown lists the tweets that a home timeline shows, newest first.
func shown(t *testing.T, e *storetest.Env, uid model.UserID) (ids []model.TweetID) {
	t.Helper()
	entries, _, err := e.Timelines.Shown(t.Context(), uid)
	testenv.Must(t, err)
	for _, entry := range entries {
		ids = append(ids, entry.Position.Tweet())
	}
	return ids
}

// entryOf is an entry of a home timeline, as it stands in the database.
func entryOf(author model.UserID) any {
	return string(author)
}

// A tweet from just before a follow, whose fan-out comes after the follow took effect, is
// shown beside the twenty that were there.
func TestLateTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	e.Clock.Set(storetest.Date(time.November, 10))
	for range model.RecentTweets {
		e.Publish(t, "ann", "a spark")
	}
	e.Clock.Set(storetest.Date(time.November, 15))
	late := e.Tweet(t, "ann", "late")
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	testenv.Must(t, e.Timelines.Link(ctx, "bob", "ann"))
	testenv.Must(t, e.Timelines.FanOut(ctx, late))
	if got := shown(t, e, "bob"); len(got) != model.RecentTweets+1 || got[0] != late.ID {
		t.Errorf("the timeline shows %v, want %s and 20 more", got, late.ID)
	}
	if got := differences(t, e, "bob", model.Timelines); len(got) > 0 {
		t.Errorf("differs: %v", got)
	}
}

// The home timeline of a dormant follower may lack tweets, which come back with the reader. It must
// not have a tweet too many, which would stay.
func TestDormantFollower(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	testenv.Must(t, e.Timelines.Link(ctx, "bob", "ann"))
	pushed, missing, strange := e.Tweet(t, "ann", "pushed"), e.Publish(t, "ann", "not pushed"),
		e.Publish(t, "cat", "not followed")
	testenv.Must(t, e.Timelines.FanOut(ctx, pushed))
	w := &writer{t, ctx, e.Raw}
	w.delete("homes/bob")
	month := "timelines/" + model.MonthKey("bob", strange.ID.Month())
	w.set(month, firestore.FieldPath{"entries", string(strange.ID)}, entryOf("cat"))

	ds, err := e.Audit.Timeline(ctx, "bob", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	want := []found{{month, "entries." + string(strange.ID), "1", nil, true}}
	if diff := cmp.Diff(want, bare(ds)); diff != "" {
		t.Errorf("asleep (-want +got):\n%s", diff)
	}

	// The reader comes back.
	testenv.Must(t, e.Timelines.Link(ctx, "bob", "ann"))
	w.put("homes/bob", model.Home{SeenAt: e.Clock.Now()})
	if got, want := shown(t, e, "bob"), []model.TweetID{missing.ID, pushed.ID}; !slices.Equal(got, want) {
		t.Errorf("awake again, the timeline shows %v, want %v", got, want)
	}
}
