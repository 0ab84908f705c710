package timelines_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
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
	e.Clock.Add(11 * time.Minute)
	without := []tagged{all[0], all[1], all[3]}
	wantTagged(t, "a locked author", e, "dan", without...)
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "cat", model.UserPatch{Locked: new(false)}))
	e.Clock.Add(11 * time.Minute)
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
		_, err = e.Raw.Doc("viewers/dan").Set(t.Context(), map[string]any{"limited": true, "copies": true,
			"follows":      doc["follows"],
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
	authors := []model.UserID{"ann", "bob", "cat", "eve", "fay"}
	e.CreateUsers(t, append(authors, "dan")...)
	followTag(t, e, "dan", "spark")
	var want []tagged
	for n := range model.FollowedTagTweets + 3 {
		want = slices.Insert(want, 0, tagged{write(t, e, authors[n%5], model.Draft{Content: "#spark"}).ID, "spark"})
	}
	wantTagged(t, "many", e, "dan", want[:model.FollowedTagTweets]...)
	remove(t, e, want[0].ID)
	e.Clock.Add(time.Hour + time.Minute)
	wantTagged(t, "after a deletion", e, "dan", want[1:model.FollowedTagTweets+1]...)
	e.Clock.Add(model.FollowedTagWindow)
	wantTagged(t, "after a week", e, "dan")
}

// Between two pages the reader follows and unfollows a tag, and tweets go, get fewer readers and lose the tag. The walk
// shows what is there at its page, and nothing twice.
func TestFollowedTagsBetweenPages(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e, "dan", "bob")
	var ids []model.TweetID // newest first
	for n := range 12 {
		author := []model.UserID{"bob", "ann", "cat"}[n%3]
		ids = slices.Insert(ids, 0, write(t, e, author, model.Draft{Content: fmt.Sprint(n, " #spark")}).ID)
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
	edit("cat", ids[6], model.TweetPatch{Visibility: new(model.Followers)})
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
	e.CreateUsers(t, "ann", "bob", "dan")
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
	all = slices.Insert(all, 0, tagged{write(t, e, "bob", model.Draft{Content: "#spark"}).ID, "spark"})
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
	// the query for changed tweets; the look for newer tweets of the tag is the process's
	testenv.Must(t, storetest.Costs(t, "half a minute later", 2+1, 0, 0, page("dan")))
	e.Clock.Add(time.Minute)
	newest := write(t, e, "ann", model.Draft{Content: "#spark"})
	e.Clock.Add(stale)
	testenv.Must(t, page("bob")(t.Context()))
	testenv.Must(t, storetest.Costs(t, "after a new tweet", 2, 0, 0, page("dan")))

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

// One author who writes many tweets of a tag takes a few places alone, and tweets that nobody sees take none.
func TestFollowedTagsFlood(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	followTag(t, e, "dan", "spark")
	want := []tagged{{write(t, e, "bob", model.Draft{Content: "#spark"}).ID, "spark"}}
	for _, author := range []model.UserID{"cat", "ann"} {
		for range model.FollowedTagReads/2 - 2 {
			id := write(t, e, author, model.Draft{Content: "#spark"}).ID
			if want = slices.Insert(want, 0, tagged{id, "spark"}); author == "cat" {
				want = want[1:]
			}
		}
	}
	want = slices.Delete(want, model.FollowedTagTweetsOf+1, len(want)-1)
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "cat", model.UserPatch{Locked: new(true)}))
	testenv.Must(t, e.Tweets.Flag(t.Context(), want[0].ID, true))
	wantTagged(t, "a flood", e, "dan", want[1:]...)
}

// A tab that stays open costs little: a process looks seldom for newer tweets of quiet tags, and no reader pays for it.
func TestFollowedTagsIdle(t *testing.T) {
	t.Parallel()
	var looks atomic.Int64
	e := storetest.Open(t, store.Options{Meter: onTagQueries(func() error { looks.Add(1); return nil })})
	e.CreateUsers(t, "ann", "dan")
	var newest *model.Tweet
	for n := range model.MaxFollowedTags {
		tag := fmt.Sprint("spark", n)
		followTag(t, e, "dan", tag)
		newest = write(t, e, "ann", model.Draft{Content: "#" + tag})
	}
	storetest.WantErr(t, e.Graph.FollowTag(t.Context(), "dan", "more"), errs.Conflict, "too_many_followed_tags")
	e.Clock.Add(24 * time.Hour)
	poll := func(ctx context.Context) error {
		items, _, _, err := e.Timelines.Home(ctx, "dan", newest.ID.Position(), "", 20)
		if len(items) > 0 {
			t.Errorf("a poll has %v", items)
		}
		return err
	}
	testenv.Must(t, poll(t.Context())) // reads the lists
	looks.Store(0)
	m := meter.New()
	for range 60 {
		e.Clock.Add(time.Minute)
		testenv.Must(t, poll(meter.With(t.Context(), m)))
	}
	// the graph 12 times, and the query for changed heads each minute
	if got := m.Reads(); got > 12+60 {
		t.Errorf("the polls of an hour bill their reader %d reads", got)
	}
	if got := looks.Load(); got > 6*model.MaxFollowedTags {
		t.Errorf("the process looks %d times in an hour", got)
	}
}

// A home page does not fail with the query of a tag. It has the tweets that the process knows.
func TestFollowedTagsFail(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	fails.Store(true)
	e := storetest.Open(t, store.Options{Meter: onTagQueries(func() error {
		if fails.Load() {
			return status.Error(codes.PermissionDenied, "no")
		}
		return nil
	})})
	e.CreateUsers(t, "ann", "dan")
	followTag(t, e, "dan", "spark")
	want := func(what string, want ...tagged) {
		t.Helper()
		e.Clock.Add(stale)
		items, _, _, err := e.Timelines.Home(t.Context(), "dan", "", "", 20)
		if diff := cmp.Diff(want, taggedOf(items)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
		}
	}
	first := tagged{write(t, e, "ann", model.Draft{Content: "#spark"}).ID, "spark"}
	own := tagged{write(t, e, "dan", model.Draft{Content: "mine"}).ID, ""}
	want("no tweets are known", own)
	fails.Store(false)
	want("the query answers", own, first)
	fails.Store(true)
	newest := tagged{write(t, e, "ann", model.Draft{Content: "#spark"}).ID, "spark"}
	want("the query fails again", own, first)
	fails.Store(false)
	want("and answers again", newest, own, first)
}

// A request that is aborted while it looks for newer tweets of a tag does not keep them from other readers.
func TestFollowedTagsAborted(t *testing.T) {
	t.Parallel()
	ctx, abort := context.WithCancel(t.Context())
	var aborts atomic.Bool
	e := storetest.Open(t, store.Options{Meter: onTagQueries(func() error {
		if aborts.Load() {
			abort()
		}
		return nil
	})})
	e.CreateUsers(t, "ann", "dan", "eve")
	followTag(t, e, "dan", "spark")
	followTag(t, e, "eve", "spark")
	first := tagged{write(t, e, "ann", model.Draft{Content: "#spark"}).ID, "spark"}
	wantTagged(t, "at first", e, "eve", first)
	newest := tagged{write(t, e, "ann", model.Draft{Content: "#spark"}).ID, "spark"}
	e.Clock.Add(stale)
	aborts.Store(true)
	_, _, _, _ = e.Timelines.Home(ctx, "dan", "", "", 20) // nobody gets the answer
	if ctx.Err() == nil {
		t.Fatal("the request is not aborted")
	}
	items, _, _, err := e.Timelines.Home(t.Context(), "eve", "", "", 20)
	if diff := cmp.Diff([]tagged{newest, first}, taggedOf(items)); err != nil || diff != "" {
		t.Errorf("another reader: %v (-want +got):\n%s", err, diff)
	}
}

// onTagQueries calls a function at each query for the tweets of a tag. The query fails with the error that it returns.
func onTagQueries(do func() error) meter.Options {
	return meter.Options{BelowReads: func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
		open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, conn, method, opts...)
		return &tagQuery{ClientStream: s, do: do}, err
	}}
}

type tagQuery struct {
	grpc.ClientStream
	do     func() error
	failed error
}

func (s *tagQuery) SendMsg(m any) error {
	if req, ok := m.(*pb.RunQueryRequest); ok {
		if by := req.GetStructuredQuery().GetOrderBy(); len(by) > 0 && strings.HasPrefix(by[0].GetField().GetFieldPath(),
			"tags.") {
			s.failed = s.do()
		}
	}
	return s.ClientStream.SendMsg(m)
}

func (s *tagQuery) RecvMsg(m any) error {
	if s.failed != nil {
		return s.failed
	}
	return s.ClientStream.RecvMsg(m)
}
