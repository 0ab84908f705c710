package timelines_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A home page leaves out what members of an exclusive list write and share, also by a tag. It shows the share of a
// member's tweet by another user. None of it costs a read, and a member's tweet is no news.
func TestHomeOfExclusiveLists(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	follow(t, e, "dan", "ann", "bob")
	followTag(t, e, "dan", "spark")
	anns := write(t, e, "ann", model.Draft{Content: "one #spark"}).ID
	shared := write(t, e, "ann", model.Draft{Content: "two"}).ID
	cats := write(t, e, "cat", model.Draft{Content: "three"}).ID
	bobs := write(t, e, "bob", model.Draft{Content: "four"}).ID
	share(t, e, "bob", shared)
	share(t, e, "ann", cats)
	wantTagged(t, "no list", e, "dan", tagged{cats, ""}, tagged{shared, ""}, tagged{bobs, ""}, tagged{anns, ""})
	l, err := e.Lists.Create(t.Context(), "dan", model.ListPatch{Title: new("x"), Exclusive: new(true)}, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, e.Lists.Add(t.Context(), "dan", l.ID, "ann"))
	testenv.Must(t, e.Lists.Add(t.Context(), "dan", l.ID, "dan")) // the reader's own tweets stay
	own := write(t, e, "dan", model.Draft{Content: "five"}).ID
	wantTagged(t, "a list", e, "dan", tagged{own, ""}, tagged{shared, ""}, tagged{bobs, ""})
	page := func(ctx context.Context) error {
		_, _, _, err := e.Timelines.Home(ctx, "dan", "", "", 20)
		return err
	}
	testenv.Must(t, storetest.Costs(t, "a page", 2, 0, 0, page))
	newest := own.Position()
	write(t, e, "ann", model.Draft{Content: "six #spark"})
	e.Clock.Add(stale)
	items, _, after, err := e.Timelines.Home(t.Context(), "dan", newest, "", 20)
	testenv.Must(t, err)
	if len(items) > 0 || after.Compare(newest) < 0 {
		t.Errorf("a poll has %v, and goes on at %q", items, after)
	}
	testenv.Must(t, e.Lists.Remove(t.Context(), "dan", l.ID, "ann"))
	if got := home(t, e, "dan", 20); len(got) != 6 {
		t.Errorf("without a member the timeline has %v", got)
	}
	if a, err := e.Audit.AuditTimeline(t.Context(), "dan", verify.Options{}); err != nil ||
		len(a.Missing)+len(a.Extra)+len(a.Duplicate) > 0 {
		t.Errorf("the audit finds %+v, %v", a, err)
	}
}

// A list's timeline has the replies that its policy asks for, for its owner and for another reader.
func TestListReplies(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan", "eve", "fay")
	follow(t, e, "dan", "eve")
	post := func(author model.UserID, to model.TweetID) model.TweetID {
		t.Helper()
		d := model.Draft{Content: "x", AllowReplies: true}
		if to != "" {
			d.ReplyTo = &to
		}
		return write(t, e, author, d).ID
	}
	by := map[string]model.TweetID{}
	for _, author := range []model.UserID{"bob", "cat", "dan", "eve", "fay"} {
		by[string(author)] = post(author, "")
	}
	for _, to := range []string{"bob", "cat", "dan", "eve", "fay"} {
		by["to "+to] = post("bob", by[to])
	}
	l := &model.PeopleList{UserID: "dan", Members: []model.UserID{"bob", "cat"}}
	for _, test := range []struct {
		policy model.RepliesPolicy
		reader model.UserID
		want   []string
	}{
		{"", "dan", []string{"to dan", "to cat", "to bob", "cat", "bob"}},
		{model.RepliesToFollowed, "dan", []string{"to eve", "to dan", "to bob", "cat", "bob"}},
		{model.RepliesToNobody, "dan", []string{"to dan", "to bob", "cat", "bob"}},
		{model.RepliesToFollowed, "fay", []string{"to fay", "to bob", "cat", "bob"}},
		{model.RepliesToNobody, "ann", []string{"to bob", "cat", "bob"}},
	} {
		l.RepliesPolicy = test.policy
		tweets, _, err := e.Timelines.List(t.Context(), test.reader, l, "", 20)
		testenv.Must(t, err)
		var got []string
		for _, tweet := range tweets {
			for name, id := range by {
				if id == tweet.ID {
					got = append(got, name)
				}
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("replies to %q for %s (-want +got):\n%s", test.policy, test.reader, diff)
		}
	}
	if !slices.Contains(l.Members, "cat") {
		t.Error("a page changed the list")
	}
}

// Nobody stands on a public list of a user whom one blocks, or who blocks one: other readers see no tweets of the
// member.
func TestListAndBlocksOfItsOwner(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	write(t, e, "bob", model.Draft{Content: "x"})
	write(t, e, "cat", model.Draft{Content: "x"})
	testenv.Must(t, e.Viewers.Restore(ctx, "ann"))
	testenv.Must(t, e.Viewers.Restore(ctx, "dan"))
	l := &model.PeopleList{UserID: "dan", Members: []model.UserID{"bob", "cat"}}
	wantAuthors := func(what string, want ...model.UserID) {
		t.Helper()
		tweets, _, err := e.Timelines.List(ctx, "ann", l, "", 20)
		testenv.Must(t, err)
		var got []model.UserID
		for _, tweet := range tweets {
			got = append(got, tweet.AuthorID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the list of dan shows ann tweets of %v, want %v", what, got, want)
		}
	}
	wantAuthors("no block", "cat", "bob")
	for _, pair := range [][2]model.UserID{{"dan", "cat"}, {"cat", "dan"}} {
		testenv.Must(t, e.Graph.Block(ctx, pair[0], pair[1]))
		testenv.Must(t, e.Viewers.Block(ctx, pair[0], pair[1]))
		wantAuthors("a block with the owner", "bob")
		testenv.Must(t, e.Graph.Unblock(ctx, pair[0], pair[1]))
		testenv.Must(t, e.Viewers.Block(ctx, pair[0], pair[1]))
	}
	wantAuthors("no block any more", "cat", "bob")
	// The graphs of the reader and of the owner, and the blocks; what the members wrote is cached.
	testenv.Must(t, storetest.Costs(t, "a page of another's list", 2+1, 0, 0, func(ctx context.Context) error {
		_, _, err := e.Timelines.List(ctx, "ann", l, "", 20)
		return err
	}))
}

// A process from before there were followed tags and exclusive lists writes a reader's graph anew, whole or partial,
// without their copies. The next page, question for news and question for a tag read them once.
func TestHomeOfFormerGraph(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "dan")
	follow(t, e, "dan", "bob")
	followTag(t, e, "dan", "spark")
	l, err := e.Lists.Create(t.Context(), "dan", model.ListPatch{Title: new("x"), Exclusive: new(true)}, model.Request{})
	testenv.Must(t, err)
	testenv.Must(t, e.Lists.Add(t.Context(), "dan", l.ID, "bob"))
	write(t, e, "bob", model.Draft{Content: "one"})
	id := write(t, e, "ann", model.Draft{Content: "two #spark"}).ID
	wantTagged(t, "before", e, "dan", tagged{id, "spark"})
	is := e.Doc(t, "viewers/dan")
	page := func(ctx context.Context) error {
		_, _, _, err := e.Timelines.Home(ctx, "dan", "", "", 20)
		return err
	}
	for _, test := range []struct {
		former, now   string
		first, second int64 // reads of pages; a partial graph has no mutes and blocks
	}{{"whole", "complete", 5, 2}, {"partial", "limited", 8, 3}} {
		former := test.former
		forget := func() {
			t.Helper()
			_, err := e.Raw.Doc("viewers/dan").Set(t.Context(), map[string]any{former: true, test.now: true,
				"follows": is["follows"], "choice": is["choice"], "blockStrangers": is["blockStrangers"], "size": 1})
			testenv.Must(t, err)
		}
		forget()
		differences, err := e.Audit.User(t.Context(), "dan", verify.Options{})
		testenv.Must(t, err)
		for _, d := range differences {
			if d.Kind == model.Viewers && (d.Field == "followedTags" || d.Field == "exclusive") {
				t.Errorf("%s: verification finds what the next page adds: %+v", former, d)
			}
		}
		forget() // the verification read a page, too
		testenv.Must(t, storetest.Costs(t, former+": the first page", test.first, 1, 0, page))
		testenv.Must(t, storetest.Costs(t, former+": the second page", test.second, 0, 0, page))
		wantTagged(t, former, e, "dan", tagged{id, "spark"})
		if doc := e.Doc(t, "viewers/dan"); doc[test.now] != true || doc["choice"] == nil || doc["size"] != int64(1) ||
			!cmp.Equal(doc["followedTags"], is["followedTags"]) || !cmp.Equal(doc["exclusive"], is["exclusive"]) {
			t.Errorf("%s: the first page left %v", former, doc)
		}
		forget()
		if follows, err := e.Graph.FollowsTag(t.Context(), "dan", "spark"); err != nil || !follows {
			t.Errorf("%s: FollowsTag = %v, %v", former, follows, err)
		}
		if doc := e.Doc(t, "viewers/dan"); !cmp.Equal(doc["exclusive"], is["exclusive"]) {
			t.Errorf("%s: FollowsTag left %v", former, doc)
		}
		// The reader follows another tag before a page: the copy alone is no proof that the others are there.
		forget()
		followTag(t, e, "dan", "flame")
		wantTagged(t, former+", another tag", e, "dan", tagged{id, "spark"})
		testenv.Must(t, e.Graph.UnfollowTag(t.Context(), "dan", "flame"))
	}
}
