package timelines_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/verify"
)

// stale is longer than a process shows a list of a tag without a look for newer tweets.
const stale = 31 * time.Second

// tagged is an item of a home page with the tag by which it came.
type tagged struct {
	ID  model.TweetID
	Tag string
}

func taggedOf(items []timelines.Item) (all []tagged) {
	for _, i := range items {
		all = append(all, tagged{i.ID, i.ViaTag})
	}
	return all
}

// wantTagged compares a home timeline with a list, for pages of some sizes, and lets the audit look at it.
func wantTagged(t *testing.T, what string, e *storetest.Env, uid model.UserID, want ...tagged) {
	t.Helper()
	e.Clock.Add(stale)
	for _, limit := range []int{1, 2, 20} {
		if diff := cmp.Diff(want, taggedOf(pages(t, e.Store, uid, sizes(limit), func() {}))); diff != "" {
			t.Errorf("%s: home timeline of %s by pages of %d (-want +got):\n%s", what, uid, limit, diff)
		}
	}
	a, err := e.Audit.AuditTimeline(t.Context(), uid, verify.Options{})
	testenv.Must(t, err)
	if len(a.Missing)+len(a.Extra)+len(a.Duplicate) > 0 {
		t.Errorf("%s: the audit finds %+v", what, a)
	}
}

func followTag(t *testing.T, e *storetest.Env, uid model.UserID, tag string) {
	t.Helper()
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Graph.FollowTag(t.Context(), uid, tag))
}

// write lets an author write a tweet a second later, and calls its function.
func write(t *testing.T, e *storetest.Env, author model.UserID, d model.Draft) *model.Tweet {
	t.Helper()
	e.Clock.Add(time.Second)
	tweet := e.Draft(t, author, d)
	testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
	return tweet
}

// A home page has the public tweets of followed tags, each once. The tweets of locked, muted and blocked authors do not
// come, and what a filter hides neither.
func TestHomeOfFollowedTags(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve")
	follow(t, e, "dan", "bob")
	by := func(author model.UserID, content string, v model.Audience) model.TweetID {
		t.Helper()
		return write(t, e, author, model.Draft{Content: content, Visibility: v}).ID
	}
	first := by("ann", "one #Spark", model.Public)
	by("ann", "two #spark", model.Unlisted)
	by("ann", "three #spark", model.Followers)
	by("ann", "another", model.Public)
	both := by("cat", "four #spark #Flame", model.Public)
	followed := by("bob", "five #spark", model.Public)
	own := by("dan", "six #spark", model.Public)
	wantTagged(t, "no tag", e, "dan", tagged{own, ""}, tagged{followed, ""})
	followTag(t, e, "dan", "#SPARK")
	all := []tagged{{own, ""}, {followed, ""}, {both, "spark"}, {first, "spark"}}
	wantTagged(t, "a tag", e, "dan", all...)
	followTag(t, e, "dan", "flame")
	all[2].Tag = "flame"
	wantTagged(t, "two tags", e, "dan", all...)

	testenv.Must(t, e.Users.UpdateUser(t.Context(), "cat", model.UserPatch{Locked: new(true)}))
	e.Clock.Add(10 * time.Minute)
	without := []tagged{all[0], all[1], all[3]}
	wantTagged(t, "a locked author", e, "dan", without...)
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "cat", model.UserPatch{Locked: new(false)}))
	e.Clock.Add(10 * time.Minute)
	wantTagged(t, "an author who is locked no more", e, "dan", all...)

	mute := model.MutedUser{UserID: "dan", MutedID: "cat", Part: model.MuteAll}
	hide := map[string]struct{ do, undo func() error }{
		"muted": {func() error { return e.Graph.Mute(t.Context(), mute, 0) },
			func() error { return e.Graph.Unmute(t.Context(), "dan", "cat") }},
		"blocked": {func() error { return e.Graph.Block(t.Context(), "dan", "cat") },
			func() error { return e.Graph.Unblock(t.Context(), "dan", "cat") }},
		"blocks": {func() error { return e.Graph.Block(t.Context(), "cat", "dan") },
			func() error { return e.Graph.Unblock(t.Context(), "cat", "dan") }},
	}
	for name, is := range hide {
		testenv.Must(t, is.do())
		testenv.Must(t, e.Viewers.Block(t.Context(), "cat", "dan"))
		hidden := func(what string) {
			t.Helper()
			e.Clock.Add(stale)
			if diff := cmp.Diff(without, taggedOf(pages(t, e.Store, "dan", sizes(2), func() {}))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
		}
		hidden(name)
		snap, err := e.Raw.Doc("viewers/dan").Get(t.Context())
		testenv.Must(t, err)
		doc := snap.Data()
		_, err = e.Raw.Doc("viewers/dan").Set(t.Context(), map[string]any{"limited": true, "follows": doc["follows"],
			"followedTags": doc["followedTags"]})
		testenv.Must(t, err)
		hidden(name + ", without the graph")
		testenv.Must(t, is.undo())
		testenv.Must(t, e.Viewers.Restore(t.Context(), "dan"))
		e.Clock.Add(time.Minute)
		wantTagged(t, "no more "+name, e, "dan", all...)
	}

	_, err := e.Graph.PutFilter(t.Context(), "dan", "f", model.Filter{Title: "f", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterHome}, Keywords: []model.FilterKeyword{{Keyword: "four"}}})
	testenv.Must(t, err)
	e.Clock.Add(stale)
	if diff := cmp.Diff(without, taggedOf(pages(t, e.Store, "dan", sizes(2), func() {}))); diff != "" {
		t.Errorf("a filter (-want +got):\n%s", diff)
	}
	testenv.Must(t, e.Graph.RemoveFilter(t.Context(), "dan", "f"))

	// A share by a followed user takes the place.
	share(t, e, "bob", first)
	wantTagged(t, "a share", e, "dan", tagged{first, ""}, all[0], all[1], all[2])
	testenv.Must(t, e.Graph.UnfollowTag(t.Context(), "dan", "flame"))
	testenv.Must(t, e.Graph.UnfollowTag(t.Context(), "dan", "spark"))
	wantTagged(t, "no tag any more", e, "dan", tagged{first, ""}, all[0], all[1])
}

// A home page has the newest tweets of a tag alone, and of the last days alone.
func TestHomeOfFollowedTagsBound(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "dan")
	followTag(t, e, "dan", "spark")
	var want []tagged
	for range model.FollowedTagTweets + 3 {
		want = slices.Insert(want, 0, tagged{write(t, e, "ann", model.Draft{Content: "#spark"}).ID, "spark"})
	}
	wantTagged(t, "many", e, "dan", want[:model.FollowedTagTweets]...)
	remove(t, e, want[0].ID)
	e.Clock.Add(10 * time.Minute)
	wantTagged(t, "after a deletion", e, "dan", want[1:model.FollowedTagTweets+1]...)
	e.Clock.Add(model.FollowedTagWindow)
	wantTagged(t, "after a week", e, "dan")
}

// Between two pages the reader follows and unfollows a tag, and tweets go, get fewer readers and lose the tag. The walk
// shows what is there at its page, and nothing twice.
func TestFollowedTagsBetweenPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "bob")
	var ids []model.TweetID // newest first
	for n := range 12 {
		author, content := model.UserID("ann"), fmt.Sprint(n, " #spark")
		if n%3 == 0 {
			author = "bob"
		}
		ids = slices.Insert(ids, 0, write(t, e, author, model.Draft{Content: content}).ID)
	}
	first := func() timelines.Cursor {
		t.Helper()
		e.Clock.Add(stale)
		items, next, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 2)
		testenv.Must(t, err)
		if len(items) != 2 {
			t.Fatalf("the first page has %v", items)
		}
		return next
	}
	rest := func(what string, from timelines.Cursor, want ...model.TweetID) {
		t.Helper()
		e.Clock.Add(forget)
		items, _, _, err := e.Timelines.Home(t.Context(), "dan", "", from, 50)
		testenv.Must(t, err)
		if diff := cmp.Diff(want, idsOf(items)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	bobs := []model.TweetID{ids[2], ids[5], ids[8], ids[11]}
	from := first() // bob's tweets alone
	followTag(t, e, "dan", "spark")
	rest("a follow", from, ids[6:]...)
	from = first()
	rest("with the tag", from, ids[2:]...)
	newer := write(t, e, "ann", model.Draft{Content: "newer #spark"}).ID
	e.Clock.Add(stale)
	rest("a newer tweet", from, ids[2:]...)
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, newer))
	remove(t, e, ids[4]) // the process keeps its list of the tag
	edit := func(by model.UserID, id model.TweetID, p model.TweetPatch) {
		t.Helper()
		_, err := e.Edits.Edit(t.Context(), by, id, p, nil)
		testenv.Must(t, err)
	}
	edit("ann", ids[6], model.TweetPatch{Visibility: new(model.Followers)})
	edit("ann", ids[7], model.TweetPatch{Content: new("plain")})
	edit("bob", ids[8], model.TweetPatch{Content: new("plain")})
	rest("a deletion and edits", from, ids[2], ids[3], ids[5], ids[8], ids[9], ids[10], ids[11])
	testenv.Must(t, e.Graph.UnfollowTag(t.Context(), "dan", "spark"))
	rest("an unfollow", from, bobs...)
}

// Each process hears within half a minute of the newer tweets of a tag, and its pages miss none further down.
func TestFollowedTagsOfTwoProcesses(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	other := e.Again(t, store.Options{})
	e.CreateUsers(t, "ann", "dan")
	followTag(t, e, "dan", "spark")
	both := func(what string, want ...tagged) {
		t.Helper()
		for name, s := range map[string]*store.Store{"one": e.Store, "other": other} {
			if diff := cmp.Diff(want, taggedOf(pages(t, s, "dan", sizes(2), func() {}))); diff != "" {
				t.Errorf("%s: the %s process (-want +got):\n%s", what, name, diff)
			}
		}
	}
	var all []tagged
	for range 5 {
		all = slices.Insert(all, 0, tagged{write(t, e, "ann", model.Draft{Content: "#spark"}).ID, "spark"})
	}
	both("the first", all...)
	all = slices.Insert(all, 0, tagged{write(t, e, "ann", model.Draft{Content: "#spark"}).ID, "spark"})
	both("at once", all[1:]...)
	e.Clock.Add(stale)
	both("later", all...)

	// The pages of a walk come from both.
	items, next, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 2)
	testenv.Must(t, err)
	got := taggedOf(items)
	for s := other; next != ""; {
		items, next, _, err = s.Timelines.Home(t.Context(), "dan", "", next, 1)
		testenv.Must(t, err)
		got = append(got, taggedOf(items)...)
	}
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("by pages of both processes (-want +got):\n%s", diff)
	}
}

// Readers without a followed tag pay nothing, and the others share what a tag costs the process. A poll says what is
// new, once.
func TestFollowedTagsCost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan", "eve")
	followTag(t, e, "dan", "spark")
	followTag(t, e, "eve", "spark")
	for range 3 {
		write(t, e, "ann", model.Draft{Content: "#spark"})
	}
	page := func(uid model.UserID) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, _, err := e.Timelines.Home(ctx, uid, "", "", 20)
			return err
		}
	}
	testenv.Must(t, page("bob")(t.Context())) // asks for the sweep, and hears of changes
	testenv.Must(t, storetest.Costs(t, "a page without tags", 2, 0, 0, page("bob")))
	// the head of the reader, three tweets and their author
	testenv.Must(t, storetest.Costs(t, "the first page with the tag", 2+1+3+1, 0, 0, page("dan")))
	testenv.Must(t, storetest.Costs(t, "the same page", 2, 0, 0, page("dan")))
	testenv.Must(t, storetest.Costs(t, "a page of another reader", 2+1, 0, 0, page("eve")))
	e.Clock.Add(stale)
	testenv.Must(t, page("bob")(t.Context()))
	// the query for changed tweets; the tweets of the tag of the newest 10 s come again
	testenv.Must(t, storetest.Costs(t, "half a minute later", 2+1+3, 0, 0, page("dan")))
	e.Clock.Add(time.Minute)
	newest := write(t, e, "ann", model.Draft{Content: "#spark"})
	e.Clock.Add(stale)
	testenv.Must(t, page("bob")(t.Context()))
	testenv.Must(t, storetest.Costs(t, "after a new tweet", 2+4, 0, 0, page("dan")))

	poll := func(after model.Position) (got []model.TweetID, next model.Position) {
		t.Helper()
		items, _, next, err := e.Timelines.Home(t.Context(), "dan", after, "", 20)
		testenv.Must(t, err)
		return idsOf(items), next
	}
	if got, next := poll(newest.ID.Position()); len(got) > 0 || next != newest.ID.Position() {
		t.Errorf("a poll has %v, and goes on at %q", got, next)
	}
	newer := write(t, e, "ann", model.Draft{Content: "#spark"})
	e.Clock.Add(stale)
	got, next := poll(newest.ID.Position())
	if !slices.Equal(got, []model.TweetID{newer.ID}) || next != newer.ID.Position() {
		t.Errorf("a poll has %v, and goes on at %q, want %s", got, next, newer.ID)
	}
	if got, _ := poll(next); len(got) > 0 {
		t.Errorf("the next poll has %v", got)
	}
}
