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

// home lists what differs of a home timeline, once the process has asked which heads changed.
func home(t *testing.T, e *storetest.Env, uid model.UserID) *verify.TimelineAudit {
	t.Helper()
	e.Clock.Add(time.Second)
	a, err := e.Audit.AuditTimeline(t.Context(), uid, verify.Options{})
	testenv.Must(t, err)
	return a
}

// homes are the differences of a home timeline; nil is none.
func homes(missing, extra, duplicate []model.Position) *verify.TimelineAudit {
	is := &verify.TimelineAudit{Missing: missing, Extra: extra, Duplicate: duplicate}
	for _, list := range []*[]model.Position{&is.Missing, &is.Extra, &is.Duplicate} {
		if *list == nil {
			*list = []model.Position{}
		}
	}
	return is
}

// A home timeline misses a tweet that no head has, has the tweet of a stranger that stands in a head, and has one twice
// that stands in two heads. A repair mends all of it.
func TestAudit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	for _, author := range []model.UserID{"bob", "dan"} {
		testenv.Must(t, e.Graph.Follow(ctx, "ann", author))
	}
	var ids []model.TweetID
	for _, author := range []model.UserID{"bob", "bob", "cat", "bob"} {
		e.Clock.Add(time.Second)
		ids = append(ids, e.Publish(t, author, "a spark").ID)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "bob", false, ids[3])) // gone: readers do not see it
	if diff := cmp.Diff(homes(nil, nil, nil), home(t, e, "ann")); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	w := &writer{t, ctx, e.Raw}
	preview := model.TweetPreview{Snippet: "planted"}
	w.set("heads/bob", firestore.FieldPath{"tweets", string(ids[0])}, firestore.Delete)
	w.merge("heads/bob", "tweets", string(ids[2]), preview)
	w.merge("heads/dan", "tweets", string(ids[1]), preview)
	for _, author := range []string{"bob", "dan"} { // so that the process hears of it
		w.set("heads/"+author, firestore.FieldPath{"changedAt"}, firestore.ServerTimestamp)
	}
	want := homes([]model.Position{ids[0].Position()}, []model.Position{ids[2].Position()},
		[]model.Position{ids[1].Position()})
	if diff := cmp.Diff(want, home(t, e, "ann")); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
	ds, err := e.Audit.Timeline(ctx, "ann", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	if len(ds) != 3 || slices.ContainsFunc(ds, func(d verify.Difference) bool { return !d.Repaired }) {
		t.Errorf("a repair of the home timeline mends %v", bare(ds))
	}
	if diff := cmp.Diff(homes(nil, nil, nil), home(t, e, "ann")); diff != "" {
		t.Errorf("after a repair (-want +got):\n%s", diff)
	}
	for _, author := range []model.UserID{"bob", "dan"} {
		if got := differences(t, e, author, model.Heads); author == "dan" && len(got) > 0 {
			t.Errorf("of %s's head %v differs", author, got)
		}
	}
}

// Of the tweets from before a follow the newest twenty are shown, and of the shares those since the follow. Tweets that
// nobody sees do not count.
func TestHomeBeforeFollow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	shared := e.Publish(t, "cat", "shared")
	for range model.RecentTweets + 3 {
		e.Clock.Add(time.Minute)
		e.Publish(t, "ann", "a spark")
	}
	e.Clock.Add(time.Minute)
	e.Draft(t, "ann", model.Draft{Content: "nobody sees it", Visibility: model.Mentioned})
	share := func() {
		t.Helper()
		e.Clock.Add(time.Minute)
		testenv.Must(t, e.Shares.Share(ctx, "ann", shared.ID))
		l := shareOf(t, e, "ann", shared.ID)
		testenv.Must(t, e.Timelines.DeliverShare(ctx, l))
	}
	share()
	e.Clock.Add(time.Minute)
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	entries, err := e.Timelines.Shown(ctx, "bob")
	testenv.Must(t, err)
	if len(entries) != model.RecentTweets {
		t.Errorf("the home timeline shows %d entries, want %d", len(entries), model.RecentTweets)
	}
	if diff := cmp.Diff(homes(nil, nil, nil), home(t, e, "bob")); diff != "" {
		t.Errorf("after the follow (-want +got):\n%s", diff)
	}
	before := shareOf(t, e, "ann", shared.ID)
	testenv.Must(t, e.Shares.Unshare(ctx, "ann", shared.ID))
	testenv.Must(t, e.Timelines.WithdrawShare(ctx, before))
	share()
	e.Clock.Add(time.Minute)
	e.Publish(t, "ann", "since")
	if diff := cmp.Diff(homes(nil, nil, nil), home(t, e, "bob")); diff != "" {
		t.Errorf("with a share and a tweet since (-want +got):\n%s", diff)
	}
	// The share is lost in the month and the head, and so is the mark.
	w := &writer{t, ctx, e.Raw}
	position := shareOf(t, e, "ann", shared.ID).Position()
	w.delete("shareMonths/" + model.MonthKey("ann", position.Month()))
	w.set("tweetMonths/"+model.MonthKey("ann", position.Month()), firestore.FieldPath{"shares"}, firestore.Delete)
	w.set("heads/ann", firestore.FieldPath{"shares", string(position)}, firestore.Delete)
	w.set("heads/ann", firestore.FieldPath{"changedAt"}, firestore.ServerTimestamp)
	if diff := cmp.Diff(homes([]model.Position{position}, nil, nil), home(t, e, "bob")); diff != "" {
		t.Errorf("without the share (-want +got):\n%s", diff)
	}
	_, err = e.Audit.Timeline(ctx, "bob", verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	if diff := cmp.Diff(homes(nil, nil, nil), home(t, e, "bob")); diff != "" {
		t.Errorf("after a repair (-want +got):\n%s", diff)
	}
	if got := differences(t, e, "ann", model.Heads, model.ShareMonths, model.TweetMonths); len(got) > 0 {
		t.Errorf("after a repair ann's %v differ", got)
	}
}

// shareOf reads a share.
func shareOf(t *testing.T, e *storetest.Env, uid model.UserID, id model.TweetID) *model.Share {
	t.Helper()
	snap, err := e.Raw.Doc("shares/" + model.ReactionKey(uid, id)).Get(t.Context())
	testenv.Must(t, err)
	l := new(model.Share)
	testenv.Must(t, snap.DataTo(l))
	return l
}

// A broken head is one difference, however many readers follow its author. Otherwise each reader's home timeline would
// differ.
func TestDoubts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	for _, reader := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Graph.Follow(ctx, reader, "ann"))
	}
	id := e.Publish(t, "ann", "a spark").ID
	w := &writer{t, ctx, e.Raw}
	w.set("heads/ann", firestore.FieldPath{"tweets", string(id)}, firestore.Delete)
	w.set("heads/ann", firestore.FieldPath{"changedAt"}, firestore.ServerTimestamp)
	only := func(after model.UserID) []found {
		t.Helper()
		ds, _, err := e.Audit.Part(ctx, after, 0, verify.Options{})
		testenv.Must(t, err)
		return bare(slices.DeleteFunc(ds, func(d verify.Difference) bool { return d.Kind != model.Heads }))
	}
	if diff := cmp.Diff([]found{{"heads/ann", "tweets." + string(id), nil, "card", false}}, only("")); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	// A part without the author finds it on home pages, once.
	if diff := cmp.Diff([]found{{"heads/ann", "home." + string(id), nil, "1", false}}, only("ann")); diff != "" {
		t.Errorf("the part of the readers (-want +got):\n%s", diff)
	}
}
