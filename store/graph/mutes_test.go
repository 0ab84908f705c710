package graph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/graph"
)

func all(uid, muted model.UserID) model.MutedUser {
	return model.MutedUser{UserID: uid, MutedID: muted, Part: model.MuteAll, HideNotifications: true}
}

// A mute is in the list and in the graph in one commit, replaces an earlier one, and ends by itself.
func TestMute(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat")
	ann := model.Viewer{ID: "ann", Role: model.Member}
	muteFor := func(m model.MutedUser, d time.Duration) func(context.Context) error {
		return func(ctx context.Context) error { return e.Graph.Mute(ctx, m, d) }
	}
	mute := func(m model.MutedUser) func(context.Context) error { return muteFor(m, 0) }
	testenv.Must(t, storetest.Costs(t, "Mute, profiles not known", 1+2, 2, 0, mute(all("ann", "bob"))))
	e.Clock.Add(time.Second)
	replies := model.MutedUser{UserID: "ann", MutedID: "cat", Part: model.MuteReplies}
	testenv.Must(t, storetest.Costs(t, "Mute", 1+1, 2, 0, muteFor(replies, time.Second)))
	check := func(what string, want map[model.UserID][2]bool) { // whether all is hidden, and the replies
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Quiet", 1, 0, 0, func(ctx context.Context) error {
			q, err := e.Graph.Quiet(ctx, ann, []model.UserID{"bob", "cat"})
			got, answered := map[model.UserID][2]bool{}, model.TweetID("x")
			for _, uid := range []model.UserID{"bob", "cat"} {
				got[uid] = [2]bool{q.Hides(uid), q.HidesTweet(&model.Tweet{AuthorID: uid, ReplyTo: &answered})}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
			return err
		}))
	}
	check("both", map[model.UserID][2]bool{"bob": {true, true}, "cat": {false, true}})
	page, err := e.Graph.Mutes(t.Context(), "ann", model.Cursor{}, 1)
	testenv.Must(t, err)
	if len(page.Items) != 1 || page.Items[0].MutedID != "cat" || page.Next.IsZero() {
		t.Errorf("the first page of mutes is %+v", page)
	}
	page, err = e.Graph.Mutes(t.Context(), "ann", page.Next, 1)
	testenv.Must(t, err)
	if len(page.Items) != 1 || page.Items[0].MutedID != "bob" || page.Items[0].Part != model.MuteAll {
		t.Errorf("the second page of mutes is %+v", page)
	}
	e.Clock.Add(time.Second)
	check("an ended mute", map[model.UserID][2]bool{"bob": {true, true}, "cat": {false, false}})

	testenv.Must(t, mute(model.MutedUser{UserID: "ann", MutedID: "bob", Part: model.MuteShares})(t.Context()))
	check("replaced", map[model.UserID][2]bool{"bob": {false, false}, "cat": {false, false}})
	// A graph that is not whole says nothing, and the source documents are read.
	testenv.Must(t, mute(all("ann", "bob"))(t.Context()))
	_, err = e.Raw.Doc("viewers/ann").Set(t.Context(), model.ViewerGraph{Partial: true})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "Quiet, without the graph", 1+2+2, 0, 0, func(ctx context.Context) error {
		q, err := e.Graph.Quiet(ctx, ann, []model.UserID{"bob", "cat"})
		if !q.Hides("bob") || q.Hides("cat") {
			t.Errorf("without the graph ann sees bob: %t, cat: %t", !q.Hides("bob"), !q.Hides("cat"))
		}
		return err
	}))
	testenv.Must(t, e.Viewers.Restore(t.Context(), "ann"))
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "Unmute", 0, 1, 1, func(ctx context.Context) error {
			return e.Graph.Unmute(ctx, "ann", "bob")
		}))
	}
	check("taken back", map[model.UserID][2]bool{"bob": {false, false}, "cat": {false, false}})

	other := all("ann", "bob")
	other.Part = "tweets"
	for _, test := range []struct {
		m    model.MutedUser
		kind errs.Kind
		code string
	}{
		{all("ann", "ann"), errs.Invalid, "self_mute"}, {all("ann", "nobody"), errs.NotFound, "user_not_found"},
		{all("nobody", "bob"), errs.Forbidden, "profile_required"}, {other, errs.Invalid, "invalid"},
	} {
		storetest.WantErr(t, mute(test.m)(t.Context()), test.kind, test.code)
	}
	storetest.WantErr(t, muteFor(all("ann", "bob"), model.MaxMuteTime+time.Second)(t.Context()), errs.Invalid, "invalid")
	if q, err := e.Graph.Quiet(t.Context(), model.Viewer{}, []model.UserID{"bob"}); q != nil || err != nil {
		t.Errorf("signed out: %v, %v", q, err)
	}
}

// Without a whole graph each user costs at most 1 read besides the queries that find nothing, however many blocks and
// mutes there are, and one request asks of each user once.
func TestQuietWithoutGraph(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ann, at := model.Viewer{ID: "ann", Role: model.Member}, e.Clock.Now()
	var both, theirs, muted, free []model.UserID
	put := func(path string, doc any) {
		t.Helper()
		_, err := e.Raw.Doc(path).Set(t.Context(), doc)
		testenv.Must(t, err)
	}
	put("viewers/ann", model.ViewerGraph{Partial: true})
	mute := func(uid model.UserID) {
		put("mutedUsers/"+model.MutedUserKey("ann", uid), model.MutedUser{UserID: "ann", MutedID: uid, Part: model.MuteAll,
			CreatedAt: at})
	}
	for i := range 5 {
		for list, some := range map[string]*[]model.UserID{"both": &both, "theirs": &theirs, "muted": &muted, "free": &free} {
			*some = append(*some, model.UserID(fmt.Sprint(list, i)))
		}
		put("blocks/"+model.BlockKey("ann", both[i]), model.Block{BlockerID: "ann", BlockeeID: both[i]})
		put("blocks/"+model.BlockKey(both[i], "ann"), model.Block{BlockerID: both[i], BlockeeID: "ann"})
		put("blocks/"+model.BlockKey(theirs[i], "ann"), model.Block{BlockerID: theirs[i], BlockeeID: "ann"})
		mute(both[i])
		mute(theirs[i])
		mute(muted[i])
	}
	everybody := slices.Concat(both, theirs, muted, free, both, []model.UserID{"ann", ""})
	check := func(what string, q *model.Quiet, mutes bool) {
		t.Helper()
		for _, uid := range everybody {
			blocked := slices.Contains(both, uid) || slices.Contains(theirs, uid)
			if q.Blocks(uid) != blocked || q.Hides(uid) != (blocked || mutes && slices.Contains(muted, uid)) {
				t.Errorf("%s: a block with %q is %t, and %q is hidden: %t", what, uid, q.Blocks(uid), uid, q.Hides(uid))
			}
		}
	}
	type asks func(context.Context, model.Viewer, []model.UserID) (*model.Quiet, error)
	quiet := func(ctx context.Context, what string, mutes bool, read asks) {
		t.Helper()
		q, err := read(ctx, ann, everybody)
		testenv.Must(t, err)
		check(what, q, mutes)
	}
	testenv.Must(t, storetest.Costs(t, "Quiet, a document each", 1+5+5+5, 0, 0, func(ctx context.Context) error {
		quiet(ctx, "all in one", true, e.Graph.Quiet)
		return nil
	}))
	testenv.Must(t, storetest.Costs(t, "QuietBlocks", 1+5+5, 0, 0, func(ctx context.Context) error {
		quiet(ctx, "blocks alone", false, e.Graph.QuietBlocks)
		return nil
	}))
	testenv.Must(t, storetest.Costs(t, "one request", 1+5+5+5, 0, 0, func(ctx context.Context) error {
		ctx = graph.Remember(ctx)
		quiet(ctx, "blocks first", false, e.Graph.QuietBlocks)
		quiet(ctx, "then mutes", true, e.Graph.Quiet)
		quiet(ctx, "once more", true, e.Graph.Quiet)
		return nil
	}))
}

// A user mutes at most so many.
func TestMuteLimit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	muted := map[string]any{"bob": 1}
	for n := range model.MaxMutedUsers - 1 {
		muted[string(rune('a'+n%26))+time.Duration(n).String()] = 1
	}
	_, err := e.Raw.Doc("viewers/ann").Set(t.Context(), map[string]any{"complete": true, "muted": muted})
	testenv.Must(t, err)
	storetest.WantErr(t, e.Graph.Mute(t.Context(), all("ann", "cat"), 0), errs.Conflict, "too_many_mutes")
	testenv.Must(t, e.Graph.Mute(t.Context(), all("ann", "bob"), 0))
}

// Filters and their copy in the graph change together.
func TestFilters(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann")
	f := model.Filter{Title: "Series", Action: model.FilterHide, Contexts: []model.FilterContext{model.FilterHome},
		Keywords: []model.FilterKeyword{{Keyword: "finale", WholeWord: true}}}
	put := func(ctx context.Context) error {
		_, err := e.Graph.PutFilter(ctx, "ann", "series", f)
		return err
	}
	testenv.Must(t, storetest.Costs(t, "PutFilter, profile not known", 1+1, 2, 0, put))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "PutFilter again", 1, 0, 0, put))
	f.Action = model.FilterWarn
	testenv.Must(t, storetest.Costs(t, "PutFilter, changed", 1, 2, 0, put))
	is, err := e.Graph.Filters(t.Context(), "ann")
	testenv.Must(t, err)
	want := f
	want.CreatedAt = e.Clock.Now().Add(-time.Second)
	if diff := cmp.Diff(map[string]model.Filter{"series": want}, is.Filters); diff != "" {
		t.Errorf("the filters (-want +got):\n%s", diff)
	}
	var stored model.ViewerGraph
	read := func() {
		t.Helper()
		snap, err := e.Raw.Doc("viewers/ann").Get(t.Context())
		testenv.Must(t, err)
		stored = model.ViewerGraph{}
		testenv.Must(t, snap.DataTo(&stored))
	}
	read()
	if !model.EqualFilters(is.Filters, stored.Filters) {
		t.Errorf("the copy is %+v", stored.Filters)
	}
	testenv.Must(t, e.Viewers.Restore(t.Context(), "ann"))
	if read(); !model.EqualFilters(is.Filters, stored.Filters) {
		t.Errorf("the copy of a restored graph is %+v", stored.Filters)
	}
	remove := func(ctx context.Context) error { return e.Graph.RemoveFilter(ctx, "ann", "series") }
	testenv.Must(t, storetest.Costs(t, "RemoveFilter", 1, 2, 0, remove))
	testenv.Must(t, storetest.Costs(t, "RemoveFilter again", 1, 0, 0, remove))
	if read(); len(stored.Filters) != 0 {
		t.Errorf("the copy is %+v after the end", stored.Filters)
	}
	_, err = e.Graph.PutFilter(t.Context(), "nobody", "f", f)
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	_, err = e.Graph.PutFilter(t.Context(), "ann", "a/b", f)
	storetest.WantErr(t, err, errs.Invalid, "invalid_filter")
}
