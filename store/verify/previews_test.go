package verify_test

import (
	"slices"
	"strings"
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

// A preview belongs into the month of its tweet, and into no other.
func TestStrayPreviews(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Publish(t, "ann", "a spark")
	month := map[string]any{"userId": "ann", "month": "2026-10",
		"tweets": map[string]any{string(tweet.ID): tweet.Preview()}}
	_, err := e.Raw.Doc("tweetMonths/ann_2026-10").Set(t.Context(), month)
	testenv.Must(t, err)
	want := []found{{"tweetMonths/ann_2026-10", "tweets." + string(tweet.ID), "card", nil, false}}
	if diff := cmp.Diff(want, differences(t, e, "ann", model.TweetMonths)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// verify misses a preview for followers, and the marks without which nobody looks for it. It
// finds one on an audience partition where it is for too many.
func TestFollowersAudiencePartition(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: model.Followers})
	testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
	secret := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: model.Mentioned})
	if ds := differences(t, e, "ann", model.TweetMonths); len(ds) > 0 {
		t.Errorf("before: %+v", ds)
	}
	open, followers, newest := e.Raw.Doc("tweetMonths/ann_2026-11"), e.Raw.Doc("followerMonths/ann_2026-11"),
		e.Raw.Doc("heads/ann")
	put := func(id model.TweetID) map[string]any {
		return map[string]any{"tweets": map[string]any{string(id): tweet.Preview()}}
	}
	_, err := followers.Set(t.Context(), put(secret.ID), firestore.MergeAll)
	testenv.Must(t, err)
	_, err = open.Set(t.Context(), put(tweet.ID), firestore.MergeAll)
	testenv.Must(t, err)
	for ref, field := range map[*firestore.DocumentRef]string{open: "followers",
		newest: "forFollowers." + string(tweet.ID), followers: "tweets." + string(tweet.ID)} {
		_, err := ref.Update(t.Context(), []firestore.Update{{FieldPath: strings.Split(field, "."), Value: firestore.Delete}})
		testenv.Must(t, err)
	}
	want := []found{
		{"followerMonths/ann_2026-11", "tweets." + string(tweet.ID), nil, "card", true},
		{"followerMonths/ann_2026-11", "tweets." + string(secret.ID), "card", nil, true},
		{"heads/ann", "forFollowers." + string(tweet.ID), nil, "true", true},
		{"tweetMonths/ann_2026-11", "followers", "false", "true", true},
		{"tweetMonths/ann_2026-11", "tweets." + string(tweet.ID), "card", nil, true},
	}
	repair := func() (got []found) {
		t.Helper()
		ds, err := e.Audit.User(t.Context(), "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		for _, d := range bare(ds) {
			if d.Document != "users/ann" { // no function counts here
				got = append(got, d)
			}
		}
		slices.SortFunc(got, func(a, b found) int { return strings.Compare(a.Document+a.Field, b.Document+b.Field) })
		return got
	}
	if diff := cmp.Diff(want, repair()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if left := repair(); len(left) > 0 {
		t.Errorf("after the repair: %+v", left)
	}
}

// A month of tweets must say that the user has shares, or no reader looks for them. The process that wrote this once
// writes it again for a repair.
func TestSharesMark(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	id := e.Publish(t, "bob", "a spark").ID
	testenv.Must(t, e.Shares.Share(ctx, "ann", id))
	l := shareOf(t, e, "ann", id)
	testenv.Must(t, e.Timelines.DeliverShare(ctx, l))
	month := "tweetMonths/" + model.MonthKey("ann", l.Position().Month())
	check := func(what string, want ...found) {
		t.Helper()
		if diff := cmp.Diff(append([]found{}, want...), differences(t, e, "ann", model.TweetMonths)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("before")
	for what, plant := range map[string]func(*writer){
		"without the mark":  func(w *writer) { w.set(month, firestore.FieldPath{"shares"}, firestore.Delete) },
		"without the month": func(w *writer) { w.delete(month) },
	} {
		plant(&writer{t, ctx, e.Raw})
		check(what, found{month, "shares", "false", "true", false})
		_, err := e.Audit.User(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
		testenv.Must(t, err)
		check(what + ", after a repair")
	}
}
