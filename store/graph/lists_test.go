package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// makeList makes a list with members.
func makeList(t *testing.T, e *storetest.Env, owner model.UserID, members ...model.UserID) string {
	t.Helper()
	l, err := e.Lists.Create(t.Context(), owner, model.ListPatch{Title: new("friends")}, model.Request{})
	testenv.Must(t, err)
	for _, uid := range members {
		testenv.Must(t, e.Lists.Add(t.Context(), owner, l.ID, uid))
	}
	return l.ID
}

// A list is made once for a key, holds members in their order, and is there for its owner alone.
func TestLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "b_b", "cat", "dan")
	var id string
	create := func(key, title string) func(context.Context) error {
		return func(ctx context.Context) error {
			l, err := e.Lists.Create(ctx, "ann", model.ListPatch{Title: &title}, model.Request{Key: key, Hash: title})
			if err == nil {
				id = l.ID
			}
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "create", 3, 1, 0, create("k", " friends ")))
	first := id
	if testenv.Must(t, storetest.Costs(t, "create again", 1, 0, 0, create("k", " friends "))); id != first {
		t.Errorf("the same request made %s, and before %s", id, first)
	}
	storetest.WantErr(t, create("k", "others")(ctx), errs.Conflict, "idempotency_key_reused")
	storetest.WantErr(t, create("", " \u200b")(ctx), errs.Invalid, "invalid_list_title")
	storetest.WantErr(t, create("", strings.Repeat("x", model.MaxListTitle+1))(ctx), errs.Invalid, "too_long")
	_, err := e.Lists.Create(ctx, "nobody", model.ListPatch{Title: new("x")}, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")

	add := func(owner, member model.UserID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Lists.Add(ctx, owner, first, member) }
	}
	testenv.Must(t, storetest.Costs(t, "add", 4, 1, 0, add("ann", "b_b")))
	testenv.Must(t, storetest.Costs(t, "add again", 1, 0, 0, add("ann", "b_b")))
	testenv.Must(t, add("ann", "cat")(ctx))
	testenv.Must(t, e.Graph.Block(ctx, "ann", "dan"))
	storetest.WantErr(t, add("ann", "dan")(ctx), errs.Forbidden, "not_allowed")
	testenv.Must(t, e.Graph.Unblock(ctx, "ann", "dan"))
	testenv.Must(t, e.Graph.Block(ctx, "dan", "ann"))
	storetest.WantErr(t, add("ann", "dan")(ctx), errs.Forbidden, "not_allowed")
	storetest.WantErr(t, add("ann", "nobody")(ctx), errs.NotFound, "user_not_found")
	for what, f := range map[string]func(context.Context) error{
		"add": add("cat", "b_b"),
		"read": func(ctx context.Context) error {
			_, err := e.Lists.List(ctx, "cat", first)
			return err
		},
		"rename": func(ctx context.Context) error {
			_, err := e.Lists.Change(ctx, "cat", first, model.ListPatch{Title: new("x")})
			return err
		},
		"remove": func(ctx context.Context) error { return e.Lists.Remove(ctx, "cat", first, "b_b") },
	} {
		t.Log(what)
		storetest.WantErr(t, f(ctx), errs.NotFound, "list_not_found")
	}
	testenv.Must(t, e.Lists.Delete(ctx, "cat", first))
	testenv.Must(t, storetest.Costs(t, "rename", 1, 1, 0, func(ctx context.Context) error {
		_, err := e.Lists.Change(ctx, "ann", first, model.ListPatch{Title: new("others")})
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "read", 1, 0, 0, func(ctx context.Context) error {
		l, err := e.Lists.List(ctx, "ann", first)
		if err == nil && (l.Title != "others" || !slices.Equal(l.Members, []model.UserID{"b_b", "cat"})) {
			t.Errorf("list = %+v", l)
		}
		return err
	}))
	for n := range int64(2) {
		testenv.Must(t, storetest.Costs(t, "remove", 1, 1-n, 0, func(ctx context.Context) error {
			return e.Lists.Remove(ctx, "ann", first, "b_b")
		}))
	}
	e.Clock.Add(time.Second)
	second := makeList(t, e, "ann")
	testenv.Must(t, storetest.Costs(t, "all", 2, 0, 0, func(ctx context.Context) error {
		all, err := e.Lists.Of(ctx, "ann")
		if err == nil && (len(all) != 2 || all[0].ID != second || !slices.Equal(all[1].Members, []model.UserID{"cat"})) {
			t.Errorf("lists = %+v", all)
		}
		return err
	}))
	for n := range int64(2) {
		testenv.Must(t, storetest.Costs(t, "delete", 1, 0, 1-n, func(ctx context.Context) error {
			return e.Lists.Delete(ctx, "ann", second)
		}))
	}
}

// Nobody has more lists than allowed, and no list more members.
func TestListLimits(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob")
	var id string
	for range model.MaxLists {
		id = makeList(t, e, "ann")
	}
	_, err := e.Lists.Create(ctx, "ann", model.ListPatch{Title: new("x")}, model.Request{})
	if storetest.WantErr(t, err, errs.Conflict, "too_many_lists"); !strings.Contains(err.Error(), "50") {
		t.Errorf("%v names no limit", err)
	}
	members := make([]model.UserID, model.MaxListMembers)
	for i := range members {
		members[i] = model.UserID(fmt.Sprint("member", i))
	}
	_, err = e.Raw.Doc("lists/"+model.ListKey("ann", id)).Set(ctx, model.PeopleList{UserID: "ann", Members: members})
	testenv.Must(t, err)
	err = e.Lists.Add(ctx, "ann", id, "bob")
	if storetest.WantErr(t, err, errs.Conflict, "too_many_list_members"); !strings.Contains(err.Error(), "30") {
		t.Errorf("%v names no limit", err)
	}
	testenv.Must(t, e.Lists.Add(ctx, "ann", id, members[0]))
}

// The timeline has what the members wrote, newest first and page by page, and nothing of members between whom and the
// owner is a block. What was deleted leaves a gap.
func TestListTimeline(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	var want []model.TweetID
	write := func(author model.UserID, v model.Audience) model.TweetID {
		tweet := e.Draft(t, author, model.Draft{Content: "a spark", Visibility: v})
		testenv.Must(t, e.Previews.Put(ctx, tweet))
		e.CoolDown()
		return tweet.ID
	}
	for range 3 {
		for _, author := range []model.UserID{"bob", "cat"} {
			want = slices.Insert(want, 0, write(author, ""))
		}
		write("dan", "")
	}
	want = slices.Insert(want, 0, write("bob", model.Followers))
	members := []model.UserID{"bob", "cat"}
	timeline := func(members []model.UserID, limit int) (ids []model.TweetID, pages int) {
		t.Helper()
		for next := model.TweetID(""); ; {
			tweets, more, err := e.Timelines.List(ctx, "ann", &model.PeopleList{UserID: "ann", Members: members}, next, limit)
			testenv.Must(t, err)
			for _, tweet := range tweets {
				ids = append(ids, tweet.ID)
			}
			if pages++; more == "" || pages > 20 {
				return ids, pages
			}
			next = more
		}
	}
	for limit, wantPages := range map[int]int{2: 4, 7: 1, 100: 1} {
		if got, pages := timeline(members, limit); !slices.Equal(got, want) || pages != wantPages {
			t.Errorf("%d a page: %v on %d pages, want %v on %d", limit, got, pages, want, wantPages)
		}
	}
	other := e.Again(t, store.Options{})
	testenv.Must(t, storetest.Costs(t, "a page of 2 authors, 1 of them for followers", 2+2*2+1+len64(want), 0, 0,
		func(ctx context.Context) error {
			_, _, err := other.Timelines.List(ctx, "ann", &model.PeopleList{UserID: "ann", Members: members}, "", 20)
			return err
		}))
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "cat", false, want[1]))
	e.CoolDown()
	if got, _ := timeline(members, 100); !slices.Equal(got, slices.Delete(slices.Clone(want), 1, 2)) {
		t.Errorf("after a deletion: %v", got)
	}
	for _, pair := range [][2]model.UserID{{"ann", "cat"}, {"cat", "ann"}} {
		testenv.Must(t, e.Graph.Block(ctx, pair[0], pair[1]))
		if got, _ := timeline([]model.UserID{"cat"}, 100); len(got) > 0 {
			t.Errorf("%s blocks %s, and the timeline has %v", pair[0], pair[1], got)
		}
		testenv.Must(t, e.Graph.Unblock(ctx, pair[0], pair[1]))
	}
	// Without a whole graph, members who are muted are left out as well, and no tweet of theirs is read.
	testenv.Must(t, e.Graph.Mute(ctx, all("ann", "cat"), 0))
	_, err := e.Raw.Doc("viewers/ann").Set(ctx, model.ViewerGraph{Partial: true})
	testenv.Must(t, err)
	if got, _ := timeline([]model.UserID{"cat"}, 100); len(got) > 0 {
		t.Errorf("ann mutes cat, and the timeline has %v", got)
	}
	testenv.Must(t, storetest.Costs(t, "a page of a muted author, without the graph", 1+2+2+1, 0, 0,
		func(ctx context.Context) error {
			_, _, err := e.Again(t, store.Options{}).Timelines.List(ctx, "ann",
				&model.PeopleList{UserID: "ann", Members: []model.UserID{"cat"}}, "", 20)
			return err
		}))
	testenv.Must(t, e.Graph.Unmute(ctx, "ann", "cat"))
	// The months of a large list are on pages of their own.
	e.Clock.Add(20 * 24 * time.Hour)
	newer := write("bob", "")
	all := append([]model.TweetID{newer}, want[0])
	large := slices.Clone(members)
	for i := len(large); i < model.MaxListMembers; i++ {
		large = append(large, model.UserID(fmt.Sprint("idle", i)))
	}
	if got, pages := timeline(large, 20); pages != 2 || !slices.Equal(got[:2], all) {
		t.Errorf("a large list: %v on %d pages, want %v first on 2", got, pages, all)
	}
	if got, pages := timeline(members, 20); pages != 1 || !slices.Equal(got[:2], all) {
		t.Errorf("a small list: %v on %d pages, want %v first on 1", got, pages, all)
	}
}

func len64[T any](all []T) int64 { return int64(len(all)) }

// An account deletion removes the lists of the user, and takes the user off the lists of others.
func TestListsOfLeavers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LeavePause: time.Nanosecond})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat")
	makeList(t, e, "bob", "ann")
	id := makeList(t, e, "ann", "bob", "cat")
	work, err := e.Users.Leave(ctx, "bob")
	testenv.Must(t, err)
	testenv.Must(t, e.AccountDeletions.Leave(ctx, *work))
	all := e.IDs(t, model.Lists)
	if l, err := e.Lists.List(ctx, "ann", id); err != nil || !slices.Equal(l.Members, []model.UserID{"cat"}) ||
		len(all) != 1 {
		t.Errorf("lists %v; members of ann's are %+v, %v", all, l, err)
	}
}
